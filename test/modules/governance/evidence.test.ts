/** The evidence of a review by the console's session: the lines that the command writes, and for nobody else. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/context.js';
import { writeEvidence } from '../../../src/modules/governance/reviews/evidence.js';
import { startReview } from '../../../src/modules/governance/reviews/startReview.js';
import { type DevelopmentConsole, people, startDevelopmentConsole } from '../console/consoleApp.js';

let own: DevelopmentConsole;
let guid: string;
let context: Context;
const ofPage = { 'sec-fetch-site': 'same-origin', 'x-gatehouse-console': '1' };
const urlOf = (format: string, of = guid) => `${own.app.url}/console/reviews/${of}/evidence.${format}`;

beforeEach(async () => {
  own = await startDevelopmentConsole();
  const permissions = new Set(['admin:read', 'admin:security'] as const);
  context = { ...own.app.context, caller: { kind: 'system', sub: people.ada, permissions } };
  guid = await startReview(context, {
    name: 'Spring',
    filter: {},
    dueAt: '2099-01-01T00:00:00Z',
    undecided: 'KEEP',
  });
});

async function written(format: 'csv' | 'json'): Promise<string> {
  let all = '';
  await writeEvidence(context, guid, format, async (text) => {
    all += text;
  });
  return all;
}

it('the console’s evidence of a review is what the command writes, as CSV and as JSON', async () => {
  const { browser } = await own.signIn(people.grace);
  const csv = await browser.go(urlOf('csv'), ofPage);
  expect([csv.status, csv.headers.get('content-type'), csv.headers.get('cache-control')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ]);
  expect(csv.text).toBe(await written('csv'));
  const json = await browser.go(urlOf('json'), ofPage);
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(JSON.parse(json.text).items).toEqual(JSON.parse(await written('json')).items);
});

it('the evidence of a review is refused without a session and to other sites', async () => {
  const { browser } = await own.signIn(people.grace);
  const codes = async (headers: Record<string, string>, from = browser, url = urlOf('csv')) => {
    const { status, headers: answered } = await from.go(url, headers);
    expect(answered.get('content-type')).toMatch('application/problem+json');
    return status;
  };
  expect(await codes(ofPage, own.newBrowser())).toBe(401);
  expect(await codes({})).toBe(403);
  expect(await codes({ ...ofPage, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await codes(ofPage, browser, urlOf('csv', randomUUID()))).toBe(404);
  expect(await codes(ofPage, browser, urlOf('csv', 'no-guid'))).toBe(404);
  await own.app.context.sql.rows(
    "update profile_access_scopes set valid_until = now() - interval '1 second' where profile_id = 'administration'",
  );
  expect(await codes(ofPage)).toBe(403);
});
