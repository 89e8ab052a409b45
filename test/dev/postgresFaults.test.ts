/** What PostgreSQL says when it can't run, told by its cause. */
import { explain } from '../../src/dev/postgres/error.js';
import { faultIn } from '../../src/dev/postgres/initData.js';

it.each([
  'No space left on device',
  'wrote only 4096 of 8192 bytes at block 10',
])('of a full disk the first fault is told, not those that follow from it: %s', (cause) => {
  const said = `2026-11-23 00:10:51.529 UTC [5390] FATAL:  could not extend file "base/1/2691": ${cause}
2026-11-23 00:10:51.529 UTC [5390] HINT:  Check free disk space.
2026-11-23 00:10:51.529 UTC [5390] PANIC:  cannot abort transaction 1, it was already committed
child process exited with exit code 134`;
  expect(explain(faultIn(said), '/data').message).toMatch(/^The disk that holds \/data is full: /);
});
