/** What PostgreSQL says when it can't run, told by its cause. */
import { causeIn, explain, faultIn } from '../../dev/postgres/faults.js';

it.each([
  'No space left on device',
  'wrote only 4096 of 8192 bytes at block 10',
])('a full disk is named by its first fault and not by those that follow: %s', (cause) => {
  const said = `2026-11-23 00:10:51.529 UTC [5390] FATAL:  could not extend file "base/1/2691": ${cause}
2026-11-23 00:10:51.529 UTC [5390] HINT:  Check free disk space.
2026-11-23 00:10:51.529 UTC [5390] PANIC:  cannot abort transaction 1, it was already committed
child process exited with exit code 134`;
  expect(explain(faultIn(said), '/data').message).toMatch(/^The disk that holds \/data is full: /);
});

it('a failed initdb is named by its cause and not by what follows from each failure', () => {
  const said = `sh: 1: cannot open /dev/null: Permission denied
sh: 1: cannot create /dev/null: Permission denied
child process exited with exit code 2
initdb: removing contents of data directory "/data/postgres.new"
`;
  const cause = 'sh: 1: cannot create /dev/null: Permission denied';
  expect(causeIn(said)).toBe(cause);
  const { message } = explain(causeIn(said), '/data/postgres');
  expect(message).toMatch(`The embedded PostgreSQL in /data/postgres can't run (${cause}): fix that`);
});

it.each([
  'could not access directory "/data/postgres/base": Permission denied',
  "EACCES: permission denied, mkdir '/data'",
  'could not open file "base/1/2691": Permission denied',
])('a folder that may not be used is to be given to the user who runs Gatehouse: %s', (said) => {
  expect(explain(said, '/data/postgres').message).toMatch('No permission to use /data/postgres');
});
