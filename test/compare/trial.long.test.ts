/**
 * Two Gatehouses, one behind a proxy that plants differences: all are found, none is invented. In
 * `npm run test:long` of 2,000 recorded requests.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIgnored } from '../../compare/difference.js';
import { startRecorder } from '../../compare/recording.js';
import { replay } from '../../compare/replay.js';
import type { Report } from '../../compare/report.js';
import { htmlReport, textReport } from '../../compare/reportPages.js';
import { readValues } from '../../compare/values.js';
import { factor } from '../support/schedules.js';
import { type ComparedServices, clientSecret, serviceAt, startComparedServices } from './comparedServices.js';
import { startPlanter } from './planter.js';
import { plants } from './plants.js';
import { sendTraffic } from './traffic.js';

const requests = factor > 2 ? 2_000 : 600;
const timeoutMs = 20_000;

let services: ComparedServices;
let path: string;
let valuesPath: string;
let sent: number;
/** Of the planted differences, in each form. */
let reports = '';
beforeAll(async () => {
  services = await startComparedServices();
  path = join(services.folder, 'day.jsonl');
  valuesPath = join(services.folder, 'values.jsonl');
  const listen = { host: '127.0.0.1', port: 0 };
  const to = serviceAt(services.recorded.url);
  const recorder = await startRecorder({ listen, to, timeoutMs, path, valuesPath });
  sent = await sendTraffic(services, recorder.url, requests);
  await recorder.close();
  expect(recorder.counts).toEqual({ recorded: sent, dropped: 0 });
});
afterAll(() => services?.close());

const found = (report: Report): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { operation, differences } of report.rows)
    for (const { kind, path: where, count } of differences) {
      const name = `${operation} ${kind}: ${where}`;
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
  return counts;
};
const sorted = (counts: Map<string, number>): [string, number][] => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

it('all planted differences are found, each as often as it was planted, and none is invented', async () => {
  const planter = await startPlanter(services.new.url);
  const report = await replay({
    path,
    old: serviceAt(services.old.url),
    new: serviceAt(planter.url),
    values: readValues(valuesPath),
    isIgnored: readIgnored(),
    writes: true,
  });
  reports = [textReport(report), htmlReport(report, new Date()), JSON.stringify(report)].join('\n');
  expect([report.requests, report.notCompared]).toEqual([sent, 0]);
  expect(sorted(found(report))).toEqual(sorted(planter.planted));
  const kinds = new Set(plants.map(({ kind, path: where }) => `${kind}: ${where}`));
  expect(kinds.size).toBeGreaterThanOrEqual(40);
  const missing = [...kinds].filter((kind) => ![...planter.planted.keys()].some((name) => name.endsWith(` ${kind}`)));
  expect(missing).toEqual([]);
});

it('a recording and a report hold no secret, token or personal datum of the traffic', async () => {
  const recording = readFileSync(path, 'utf8');
  const { email, firstName, lastName, telephone, idpid, department } = services.records.file.users[0]!;
  for (const datum of [
    clientSecret,
    email,
    firstName,
    lastName,
    telephone,
    idpid,
    department,
    services.records.userGuid,
  ])
    expect([datum, recording.includes(datum), reports.includes(datum)]).toEqual([datum, false, false]);
  expect(recording).not.toMatch(/canar|eyJ/i);
  expect(reports).not.toMatch(/canar|eyJ/i);
  expect(recording).toMatch(/"client":"portal"/);
});
