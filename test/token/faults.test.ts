/**
 * Every statement of every request of the token engine, broken in every way: never a success of what is not stored, never
 * a judgement of what was not judged, nothing tried twice, and all is right again after.
 */
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import type { Context } from '../../src/context.js';
import type { Database } from '../../src/database/connect.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { createProxiedDatabase, type ProxiedDatabase } from '../support/proxiedDatabase.js';
import type { DatabaseProxy, Fault } from '../support/proxy.js';
import { factor } from '../support/schedules.js';
import { type Attempt, type Scenario, type StoredToken, scenariosOf } from './faultsScenarios.js';

const always: Fault[] = ['cutBefore', 'cutAfter'];
/** One of them at each statement, another at the next; in `npm run test:long` all of them. */
const furtherStates = ['40P01', '25006', '40001', '57014', '57P01', '53300', '53200', '55P03', '08006', 'XX000'];
const inTurn: Fault[] = ['cutWithin', ...furtherStates.map((sqlState) => ({ sqlState }))];

let database: ProxiedDatabase;
let proxy: DatabaseProxy;
let direct: Database;
let app: TestApp;
beforeAll(async () => {
  database = await createProxiedDatabase();
  ({ proxy, direct } = database);
});
afterAll(() => database.drop());

describe.each<[string, Record<string, string>, RegExp]>([
  ['documented', {}, /./],
  [
    'hardened',
    { LIMITER_STORE: 'database', CLIENT_FAILURE_LIMIT: '100000' },
    /^an? (exchange|renewal|used|wrong|valid|revoc)\w*( token| secret| of a client|$)/,
  ],
])('under the %s policy', (policy, settings, whichScenarios) => {
  let scenarios: Scenario[];
  beforeAll(async () => {
    app = await startTestApp({ DATABASE_URL: proxy.url, DATABASE_POOL_MAX: '3', TOKEN_POLICY: policy, ...settings });
    const context: Context = { ...app.context, sql: direct.sql };
    scenarios = scenariosOf(app, context).filter(({ name }) => whichScenarios.test(name));
    // the provider's keys are there
    await (await scenarios[0]!.prepare()).ask();
  });
  afterAll(() => app.close());

  it('a request whose statement breaks is 503, and right again after', async () => {
    let boundaries = 0;
    for (const scenario of scenarios) {
      const good = await findStatements(scenario);
      for (const number of good.keys()) {
        const further = factor > 1 ? inTurn : [inTurn[boundaries % inTurn.length]!];
        boundaries += 1;
        for (const fault of [...always, ...further]) await breakAt(scenario, good, number, fault);
      }
    }
    expect(boundaries).toBeGreaterThan(16);
  });
});

async function findStatements(scenario: Scenario): Promise<string[]> {
  const attempt = await scenario.prepare();
  proxy.takeStatements();
  expect((await attempt.ask()).status).toBe(scenario.good);
  return proxy.takeStatements();
}

async function breakAt(scenario: Scenario, good: string[], number: number, fault: Fault): Promise<void> {
  const attempt = await scenario.prepare();
  const before = await attempt.stored();
  proxy.takeStatements();
  let seen = 0;
  let broken = '';
  proxy.fault = (text) => {
    if (seen++ !== number) return undefined;
    broken = text;
    return fault;
  };
  const answer = await attempt.ask();
  proxy.fault = undefined;
  const statements = proxy.takeStatements();
  const after = await attempt.stored();
  const where = `${scenario.name}: ${JSON.stringify(fault)} at ${broken}: ${answer.status} ${answer.text}`;
  const isDone = statements.some((text) => scenario.effect?.test(text));

  expect([where, answer.status]).toEqual([where, 503]);
  expectUnavailable(answer, where);
  const wasHad = fault === 'cutAfter' || fault === 'cutWithin';
  const expected = good.filter((_, index) => (index === number ? wasHad : index < number));
  expect([where, statements]).toEqual([where, expected]);
  expect([where, isChanged(before, after)]).toEqual([where, isDone]);
  await expectRightAgain(scenario, attempt, isDone, where);
}

function expectUnavailable({ headers, json }: Answer, where: string): void {
  expect([where, headers.get('cache-control')]).toEqual([where, 'no-store']);
  expect([where, Number(headers.get('retry-after')) > 0]).toEqual([where, true]);
  expect([where, json.status ?? json.error]).toEqual([
    where,
    headers.get('content-type')!.includes('problem+json') ? 503 : 'temporarily_unavailable',
  ]);
}

const isChanged = (before: StoredToken[], after: StoredToken[]): boolean =>
  JSON.stringify(before) !== JSON.stringify(after);

function expectStored({ json }: Answer, after: StoredToken[], where: string): void {
  if (!json?.refresh_token) return;
  const hash = renewalTokenHash(json.refresh_token);
  expect([where, after.some(({ token, is_revoked }) => token.equals(hash) && !is_revoked)]).toEqual([where, true]);
}

async function expectRightAgain(scenario: Scenario, attempt: Attempt, isDone: boolean, where: string): Promise<void> {
  const answer = await attempt.ask();
  const logged = answer.status === 503 ? app.logged().slice(-2_000) : '';
  expect([where, answer.status, logged]).toEqual([where, isDone ? scenario.again : scenario.good, '']);
  expectStored(answer, await attempt.stored(), where);
}
