/** A statement that many requests share, broken in every way: whose it was is told 503, and nobody else notices. */
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import type { Context } from '../../src/context.js';
import type { Database } from '../../src/database/connect.js';
import { toGatehouseError } from '../../src/errors.js';
import { exchange } from '../../src/services/tokens/exchange.js';
import { renew } from '../../src/services/tokens/renew.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createProxiedDatabase, type ProxiedDatabase } from '../support/proxiedDatabase.js';
import type { DatabaseProxy, Fault } from '../support/proxy.js';
import { newClient, newHolder } from '../support/records.js';

const notDone: Fault[] = [
  'cutBefore',
  ...['40P01', '40001', '25006', '57014', '53300', 'XX000'].map((sqlState) => ({ sqlState })),
];
const lost: Fault[] = ['cutAfter', 'cutWithin'];
const isShared = (text: string): boolean => text.includes('unnest(');
const isInsert = (text: string): boolean => text.includes('insert into tokens');

interface Session {
  userGuid: string;
  profileId: string;
  token: string;
}

describe.each(['documented', 'hardened'] as const)('under the %s policy', (policy) => {
  let database: ProxiedDatabase;
  let proxy: DatabaseProxy;
  let direct: Database;
  let app: TestApp;
  let client: { clientId: string; clientSecret: string };
  beforeAll(async () => {
    database = await createProxiedDatabase();
    ({ proxy, direct } = database);
    app = await startTestApp({
      DATABASE_URL: proxy.url,
      DATABASE_POOL_MAX: '6',
      DATABASE_TIMEOUT_MS: '3000',
      TOKEN_POLICY: policy,
    });
    client = await newClient(app.context);
    // the client is remembered from now on, and the provider's keys are there
    await signIn();
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });
  afterEach(() => {
    proxy.fault = undefined;
  });

  const past = (): Context => ({ ...app.context, sql: direct.sql });
  const exchangeFor = ({ userGuid, profileId }: Omit<Session, 'token'>) =>
    exchange(app.context, { ...client, idToken: app.idToken({ sub: userGuid }), profileId, dialect: 'documented' });
  const use = ({ token, profileId }: Session) =>
    renew(app.context, { ...client, refreshToken: token, profileId, dialect: 'documented' });
  async function signIn(): Promise<Session> {
    const holder = await newHolder(past());
    return { ...holder, token: (await exchangeFor(holder)).refresh_token };
  }
  async function many<T>(count: number, make: () => Promise<T>): Promise<T[]> {
    const made: T[] = [];
    for (let index = 0; index < count; index++) made.push(await make());
    proxy.takeStatements();
    return made;
  }
  /** What each was told: `done`, a refusal's reason, or the code of the error. */
  const outcomesOf = (uses: PromiseSettledResult<unknown>[]): string[] =>
    uses.map((each) =>
      each.status === 'fulfilled' ? 'done' : (each.reason.reason ?? toGatehouseError(each.reason).code),
    );
  const generations = async (sessions: Session[]): Promise<(number | undefined)[]> => {
    const rows = await direct.sql.rows<{ user_id: string; generation: number }>(
      'select user_id, generation from tokens where user_id = any($1) and not is_revoked',
      [sessions.map(({ userGuid }) => userGuid)],
    );
    return sessions.map(({ userGuid }) => rows.find(({ user_id }) => user_id === userGuid)?.generation);
  };
  /** The first of the statements meant gets the fault; the next ones none. */
  function breakOne(fault: Fault, isMeant: (text: string) => boolean): { broken(): string[] } {
    const broken: string[] = [];
    proxy.fault = (text) => {
      if (broken.length > 0 || !isMeant(text)) return undefined;
      broken.push(text);
      return fault;
    };
    return { broken: () => broken };
  }

  it.each(
    notDone,
  )('renewals whose statement was not done (%j) are 503, and each token is as good as before', async (fault) => {
    const sessions = await many(6, signIn);
    const { broken } = breakOne(fault, isShared);
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(6).fill('UNAVAILABLE'));
    expect([broken().length, proxy.takeStatements()]).toEqual([1, []]);
    expect(await generations(sessions)).toEqual(Array(6).fill(0));
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(6).fill('done'));
  });

  it.each(lost)('renewals whose commit is lost (%j) are 503, done once, and not again by themselves', async (fault) => {
    const sessions = await many(6, signIn);
    const { broken } = breakOne(fault, isShared);
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(6).fill('UNAVAILABLE'));
    expect(proxy.takeStatements()).toEqual(broken());
    expect(await generations(sessions)).toEqual(Array(6).fill(1));
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(6).fill('invalidRenewalToken'));
    // the token that nobody got is no way in for whoever has the used one
    expect(await generations(sessions)).toEqual(Array(6).fill(policy === 'hardened' ? undefined : 1));
  });

  it('a statement that breaks is told to those who shared it, and to nobody who went with another', async () => {
    const [first, second] = [await many(5, signIn), await many(5, signIn)];
    breakOne('cutAfter', isShared);
    const uses = first.map(use);
    // the first have gone when the next come
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    uses.push(...second.map(use));
    expect(outcomesOf(await Promise.allSettled(uses))).toEqual([
      ...Array(5).fill('UNAVAILABLE'),
      ...Array(5).fill('done'),
    ]);
    expect(await generations(second)).toEqual(Array(5).fill(1));
  });

  it('a value that the database refuses has each judged alone', async () => {
    const sessions = await many(4, signIn);
    breakOne({ sqlState: '22P02' }, isShared);
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(4).fill('done'));
    expect(proxy.takeStatements().filter(isShared)).toEqual([]);
  });

  it('whoever goes alone after a shared statement, and is lost then, is 503 and the others are renewed', async () => {
    const sessions = await many(4, signIn);
    const { promise: letGo, resolve } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: tellHeld } = Promise.withResolvers<void>();
    const holding = direct.sql.transaction(async (sql) => {
      await sql.rows('select from tokens where token = $1 for update', [renewalTokenHash(sessions[0]!.token)]);
      tellHeld();
      await letGo;
    });
    await isHeld;
    // it was left out for its record was held, and runs alone
    breakOne('cutBefore', (text) => text.includes('update tokens') && !isShared(text));
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(['UNAVAILABLE', 'done', 'done', 'done']);
    resolve();
    await holding;
    expect(await generations(sessions)).toEqual([0, 1, 1, 1]);
  });

  it.each([
    ...notDone,
    ...lost,
  ])('exchanges whose shared insert breaks (%j): 503 for these, a record for each 200', async (fault) => {
    const holders = await many(8, () => newHolder(past()));
    const { broken } = breakOne(fault, (text) => isShared(text) && isInsert(text));
    const outcomes = outcomesOf(await Promise.allSettled(holders.map(exchangeFor)));
    const stored = await direct.sql.rows<{ user_id: string }>('select user_id from tokens where user_id = any($1)', [
      holders.map(({ userGuid }) => userGuid),
    ]);
    const records = holders.map(({ userGuid }) => stored.filter(({ user_id }) => user_id === userGuid).length);
    expect(broken()).toHaveLength(1);
    // at least one: on a busy machine a request may be the only one of its shared statement
    expect(outcomes).toContain('UNAVAILABLE');
    const wasHad = lost.includes(fault);
    expect(records).toEqual(outcomes.map((each) => (each === 'done' || (each === 'UNAVAILABLE' && wasHad) ? 1 : 0)));
    expect(outcomes.filter((each) => each !== 'done' && each !== 'UNAVAILABLE')).toEqual([]);
  });

  it.each([
    ...notDone,
    ...lost,
  ])('exchanges whose shared look-up breaks (%j) are 503, and nothing is stored', async (fault) => {
    const holders = await many(8, () => newHolder(past()));
    const { broken } = breakOne(fault, (text) => isShared(text) && !isInsert(text));
    const outcomes = outcomesOf(await Promise.allSettled(holders.map(exchangeFor)));
    const [stored] = await direct.sql.rows<{ count: number }>(
      'select count(*)::int as count from tokens where user_id = any($1)',
      [holders.map(({ userGuid }) => userGuid)],
    );
    expect(broken()).toHaveLength(1);
    // at least one: on a busy machine a request may be the only one of its shared statement
    expect(outcomes).toContain('UNAVAILABLE');
    expect(stored!.count).toBe(outcomes.filter((each) => each === 'done').length);
    expect(outcomes.filter((each) => each !== 'done' && each !== 'UNAVAILABLE')).toEqual([]);
  });

  it('no connection left: all that would have shared one are 503, and their tokens as good as before', async () => {
    const sessions = await many(6, signIn);
    const { promise: pass, resolve: letPass } = Promise.withResolvers<void>();
    proxy.fault = (text) => (text === 'select 5' ? { pass } : undefined);
    const held = Array.from({ length: 3 }, () => app.context.sql.rows('select 5'));
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(6).fill('UNAVAILABLE'));
    letPass();
    await Promise.all(held);
    expect(await generations(sessions)).toEqual(Array(6).fill(0));
    expect(outcomesOf(await Promise.allSettled(sessions.map(use)))).toEqual(Array(6).fill('done'));
  });
});
