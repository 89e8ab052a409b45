/** What a comparison says of its findings: causes over all operations, what is accepted, and lengths and names in clear. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byDesign, causeLine, proposeAccepted, readAccepted } from '../../compare/accepted.js';
import { compareAnswers, Pairs } from '../../compare/compareAnswers.js';
import type { Difference } from '../../compare/difference.js';
import { readIgnored } from '../../compare/difference.js';
import type { Answer } from '../../compare/message.js';
import { newKey, Pseudonymizer } from '../../compare/redact.js';
import { ReportBuilder } from '../../compare/report.js';
import { htmlReport, textReport } from '../../compare/reportPages.js';
import { closeAtEnd } from '../support/lifetimes.js';

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-accepted-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  return join(folder, 'accepted.txt');
};

const builder = (accepted = byDesign) => new ReportBuilder(new Pseudonymizer(newKey()), readIgnored(), accepted);
const caller = (operation: string, client = 'portal') => ({ operation, option: '–', client });
const [list, one] = ['GET /api/applications', 'GET /api/applications/{guid}'];

const answerOf = (value: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
  isTooLong: false,
});

const moved: Difference = { kind: 'text', path: ['$', 0, 'name'], old: 'Gate', new: 'Door' };

it('one cause in several operations is one line, with its operations, clients and times', () => {
  const report = builder();
  for (const client of ['portal', 'kiosk']) report.add(caller(list, client), list, [moved]);
  report.add(caller(one), one, [{ ...moved, path: ['$', 'name'] }]);
  const { causes, different } = report.report();
  expect(different).toBe(3);
  expect(causes).toMatchObject([
    { kind: 'text', path: '$..name', count: 3, operations: [list, one], clients: 2, example: { old: '"Gate"' } },
  ]);
  const text = textReport(report.report());
  expect(text).toMatch(/^1 cause, over all operations:\n {2}3 × text: \$\.\.name {2}\(2 operations, 2 clients\)\n/);
  expect(htmlReport(report.report(), new Date())).toContain('Causes, over all operations');
});

it('the details have a cause once for each operation, with the number of its places', () => {
  const report = builder();
  report.add(caller(list), list, [moved, { ...moved, path: ['$', 0, 'application', 'name'] }]);
  const text = textReport(report.report());
  expect(text).toContain(`2 × text: $..name  (${list}, 1 client)`);
  expect(text).toContain('1 × text: $..name  (in 2 places)\n');
  expect(text.match(/ × text: /g)).toHaveLength(2);
});

it('of lists of another length the rows are named that only one has', () => {
  const rows = (...ids: number[]) =>
    answerOf(ids.map((applicationId) => ({ applicationId, name: 'Gate', userId: applicationId })));
  const shown = (old: Answer, other: Answer) => {
    const report = builder();
    report.add(caller(list), list, compareAnswers(old, other, new Pairs()));
    return report.report().causes.map(({ kind, example }) => [kind, example.old, example.new]);
  };
  expect(shown(rows(1, 2, 3), rows(1, 3))).toEqual([['list shorter', '3 items', '2 items, without applicationId 2']]);
  expect(shown(rows(1), rows(1, 2, 3, 4, 5))).toEqual([
    ['list longer', '1 item', '5 items, with applicationId 2, 3, 4 and 1 more'],
  ]);
  const people = (...names: string[]) => answerOf(names.map((userId) => ({ userId })));
  expect(JSON.stringify(shown(people('ada', 'bruno'), people('ada')))).toMatch(/1 item, without userId .*text-/);
});

it('lengths of lists, lifetimes and names of properties are shown', () => {
  const report = builder();
  report.add(caller(list), list, [
    { kind: 'list shorter', path: ['$'], old: 12, new: 11 },
    { kind: 'lifetime', path: ['$', 'expires_at'], old: 3600, new: 1800 },
    {
      kind: 'property name in another case',
      path: ['$', 0, 'departmentName'],
      old: 'departmentName',
      new: 'DepartmentName',
    },
    { kind: 'text', path: ['$', 0, 'departmentName'], old: 'Canary', new: 'Bird' },
  ]);
  const examples = report.report().causes.map(({ kind, example }) => [kind, example.old, example.new]);
  expect(examples).toEqual(
    expect.arrayContaining([
      ['list shorter', '12 items', '11 items'],
      ['lifetime', '3600 seconds', '1800 seconds'],
      ['property name in another case', 'departmentName', 'DepartmentName'],
    ]),
  );
  expect(textReport(report.report())).not.toMatch(/Canary|Bird/);
});

const designed: Difference[] = [
  { kind: 'header value', path: ['header', 'cache-control'], old: 'no-cache', new: 'no-store' },
  { kind: 'header added', path: ['header', 'www-authenticate'], new: 'Bearer realm="gatehouse"' },
  { kind: 'text', path: ['$', 'access_token', 'header', 'alg'], old: 'RS256', new: 'ES256' },
  { kind: 'text', path: ['$', 'access_token', 'claims', 'iss'], old: 'https://a', new: 'https://b' },
  { kind: 'text in another case', path: ['$', 'access_token', 'claims', 'roleId'], old: 'Member', new: 'member' },
  { kind: 'text', path: ['$', 'keys', 0, 'kid'], old: 'a', new: 'b' },
  { kind: 'text', path: ['$', 'keys', 0, 'kty'], old: 'RSA', new: 'EC' },
  { kind: 'property missing', path: ['$', 'keys', 0, 'n'], old: 'w3nR' },
  { kind: 'property added', path: ['$', 'keys', 0, 'crv'], new: 'P-256' },
  { kind: 'list longer', path: ['$', 'keys'], old: 1, new: 2 },
];

it('differences by design are accepted and listed once each; a missing claim of that name is not', () => {
  const report = builder();
  for (const operation of ['POST /token', 'GET /.well-known/jwks.json'])
    report.add(caller(operation), operation, designed);
  expect(report.report()).toMatchObject({ same: 2, different: 0, causes: [] });
  expect(
    report
      .report()
      .accepted.map(({ name, count }) => [name.split(':')[0], count])
      .sort(),
  ).toEqual([
    ['alg', 2],
    ['cache-control', 2],
    ['iss', 2],
    ['keys', 8],
    ['kid', 2],
    ['role names', 2],
    ['www-authenticate', 2],
  ]);
  expect(textReport(report.report()).match(/cache-control/g)).toHaveLength(1);
  report.add(caller('POST /token'), 'POST /token', [
    { kind: 'property missing', path: ['$', 'access_token', 'claims', 'iss'], old: 'https://a' },
    { kind: 'property missing', path: ['$', 'keys', 0, 'use'], old: 'sig' },
  ]);
  expect(report.report()).toMatchObject({
    different: 1,
    causes: [
      { kind: 'property missing', path: '$..iss' },
      { kind: 'property missing', path: '$..use' },
    ],
  });
  const strict = builder([]);
  strict.add(caller('POST /token'), 'POST /token', designed);
  expect(strict.report()).toMatchObject({ different: 1, accepted: [] });
});

it('a file of accepted differences proposes each cause once, and accepts those whose # was removed', () => {
  const file = newFile();
  expect(readAccepted(file)).toEqual([]);
  const first = builder();
  const added: Difference = { kind: 'property added', path: ['$', 0, 'tenant'], new: 'city' };
  first.add(caller(list), list, [moved, added]);
  const causes = first.report().causes.map(({ kind, path, count }) => ({ line: causeLine(kind, path), count }));
  expect(proposeAccepted(file, causes)).toBe(2);
  expect(proposeAccepted(file, causes)).toBe(0);
  expect(readAccepted(file)).toEqual([]);

  const decided = readFileSync(file, 'utf8').replace('# text: ', 'text: ');
  writeFileSync(file, decided);
  const second = builder([...byDesign, ...readAccepted(file)]);
  second.add(caller(one), one, [{ ...moved, path: ['$', 'name'] }, added]);
  second.add(caller(one), one, [{ ...moved, path: ['$', 'name'] }]);
  expect(second.report()).toMatchObject({ same: 1, different: 1, accepted: [{ name: 'text: $..name', count: 2 }] });
  expect(proposeAccepted(file, causes)).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(decided);

  writeFileSync(file, `${list} text: $..name\n`);
  const third = builder(readAccepted(file));
  for (const operation of [list, one]) third.add(caller(operation), operation, [moved]);
  expect(third.report()).toMatchObject({ same: 1, different: 1 });
});

it('a line that is no cause is refused, and nothing is written', () => {
  const file = newFile();
  writeFileSync(file, 'anything: $..name\n');
  expect(() => readAccepted(file)).toThrow('has a line that is no cause: anything: $..name');
  expect(existsSync(newFile())).toBe(false);
});
