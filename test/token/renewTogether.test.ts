/** Renewals at the same moment: one statement for all of them, and each is judged as if it were alone. */
import { decodeJwt } from 'jose';
import { exchange } from '../../src/services/tokens/exchange.js';
import { renew } from '../../src/services/tokens/renew.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder, newScope, newScopeType } from '../support/records.js';

type Client = { clientId: string; clientSecret: string };
interface Session {
  userGuid: string;
  profileId: string;
  token: string;
}

describe.each(['documented', 'hardened'] as const)('%s', (policy) => {
  let app: TestApp;
  let client: Client;
  let stranger: Client;
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy });
    [client, stranger] = [await newClient(app.context), await newClient(app.context)];
    // both are remembered from now on
    for (const who of [client, stranger]) await signIn(who);
  });
  afterAll(() => app.close());

  async function signIn(who = client): Promise<Session> {
    const { userGuid, profileId } = await newHolder(app.context);
    const idToken = app.idToken({ sub: userGuid });
    const issued = await exchange(app.context, { ...who, idToken, profileId, dialect: 'documented' });
    return { userGuid, profileId, token: issued.refresh_token };
  }
  const signInMany = async (count: number): Promise<Session[]> => {
    const sessions: Session[] = [];
    for (let index = 0; index < count; index++) sessions.push(await signIn());
    app.takeStatements();
    return sessions;
  };
  const use = ({ token, profileId }: Session, who = client) =>
    renew(app.context, { ...who, refreshToken: token, profileId, dialect: 'documented' });
  const reasonOf = (uses: PromiseSettledResult<unknown>[]): unknown[] =>
    uses.map((each) => (each.status === 'fulfilled' ? 'renewed' : (each.reason.reason ?? each.reason)));

  it('20 renewals at once are one statement, and each gets the tokens of its own user and profile', async () => {
    const sessions = await signInMany(20);
    const renewed = await Promise.all(sessions.map((session) => use(session)));
    expect(app.takeStatements()).toHaveLength(1);
    expect(renewed.map(({ access_token }) => decodeJwt(access_token))).toMatchObject(
      sessions.map(({ userGuid, profileId }) => ({ sub: userGuid, profileId })),
    );
    expect(renewed.map(({ refresh_token }) => decodeJwt(refresh_token).sub)).toEqual(
      sessions.map(({ userGuid }) => userGuid),
    );
    const again = await Promise.all(
      renewed.map(({ refresh_token }, index) => use({ ...sessions[index]!, token: refresh_token })),
    );
    expect(again).toHaveLength(20);
  });

  it('tokens that only look like ours are refused, and send nobody who renews at the same moment to a statement of its own', async () => {
    const [robbed, ...sessions] = await signInMany(8);
    const [header, payload, signature] = robbed!.token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const [guid] = claims.jti.split('.');
    const jtis = [
      claims.jti,
      `${guid}.1`,
      `${guid}.99999999999`,
      `${guid}.-1`,
      `${guid}.1e3`,
      'no-guid.0',
      `${guid}`,
      '',
      7,
    ];
    const forged = jtis.map((jti) => {
      const changed = Buffer.from(JSON.stringify({ ...claims, jti, exp: 1 })).toString('base64url');
      return { ...robbed!, token: `${header}.${changed}.${signature}` };
    });
    const uses = await Promise.allSettled([...sessions, ...forged].map((session) => use(session)));
    expect(reasonOf(uses)).toEqual([...sessions.map(() => 'renewed'), ...forged.map(() => 'invalidRenewalToken')]);
    const statements = app.takeStatements().filter((text) => text.includes('update tokens'));
    expect(statements).toHaveLength(1 + forged.length);
    expect(await use(robbed!)).toBeDefined();
  });

  it('one renewal is one statement that waits for nobody', async () => {
    const [session] = await signInMany(1);
    await use(session!);
    expect(app.takeStatements()).toEqual([expect.not.stringContaining('skip locked')]);
  });

  it('a token works once, however many use it in the same statement', async () => {
    const [session, other] = await signInMany(2);
    const uses = await Promise.allSettled([use(other!), ...Array.from({ length: 15 }, () => use(session!))]);
    expect(reasonOf(uses).toSorted()).toEqual([...Array(14).fill('invalidRenewalToken'), 'renewed', 'renewed']);
    expect(uses[0]!.status).toBe('fulfilled');
  });

  it('each is refused for its own fault, and the others are renewed', async () => {
    const [good, expired, revoked, blocked, unlinked, used, ofStranger, wrongSecret, unknownClient] =
      await signInMany(9);
    const { sql } = app.context;
    const change = (statement: string, { userGuid }: Session) => sql.rows(statement, [userGuid]);
    await change(`update tokens set expires_at = now() where user_id = $1`, expired!);
    await change('update tokens set is_revoked = true where user_id = $1', revoked!);
    await change('update users set is_blocked = true where user_guid = $1', blocked!);
    await change(
      'delete from user_profiles where user_id = (select user_id from users where user_guid = $1)',
      unlinked!,
    );
    await use(used!);
    const uses = await Promise.allSettled([
      ...[expired, revoked, blocked, unlinked, used].map((session) => use(session!)),
      use(ofStranger!, stranger),
      use(wrongSecret!, { ...client, clientSecret: 'another' }),
      use(unknownClient!, { ...client, clientId: 'unknown' }),
      use(good!),
    ]);
    expect(reasonOf(uses)).toEqual([
      ...Array(5).fill('invalidRenewalToken'),
      policy === 'hardened' ? 'invalidRenewalToken' : 'renewed',
      'invalidClient',
      'invalidClient',
      'renewed',
    ]);
    for (const session of [wrongSecret, unknownClient]) await use(session!);
  });

  it('an inactive client renews nothing, in the same statement with an active one', async () => {
    const retired = await newClient(app.context);
    const mine = await signIn(retired);
    const [good] = await signInMany(1);
    await app.context.sql.rows('update clients set is_active = false where client_id = $1', [retired.clientId]);
    expect(reasonOf(await Promise.allSettled([use(mine, retired), use(good!)]))).toEqual(['invalidClient', 'renewed']);
  });

  it('scopes are those of each profile as they are now', async () => {
    const sessions = await signInMany(3);
    const type = await newScopeType(app.context, `kind-${policy}`);
    for (const [index, { profileId }] of sessions.entries())
      if (index > 0) await newScope(app.context, type, profileId, { access_scope_key: `k${index}` });
    const renewed = await Promise.all(sessions.map((session) => use(session)));
    expect(renewed.map(({ access_token }) => decodeJwt(access_token).scopes)).toEqual([
      [],
      [`kind-${policy}:k1`],
      [`kind-${policy}:k2`],
    ]);
  });

  it('a record that somebody holds makes only its own renewal wait', async () => {
    const [held, ...others] = await signInMany(4);
    let settled = false;
    const own = await app.context.sql.transaction(async (sql) => {
      await sql.rows('select from tokens where user_id = $1 for update', [held!.userGuid]);
      const waiting = use(held!).finally(() => {
        settled = true;
      });
      await Promise.all(others.map((session) => use(session)));
      expect(settled).toBe(false);
      return { waiting };
    });
    expect((await own.waiting).access_token).toBeTruthy();
  });

  it('however many wait for records that somebody holds, the others are renewed', async () => {
    const sessions = await signInMany(9);
    const held = sessions.splice(0, 5);
    const own = await app.context.sql.transaction(async (sql) => {
      await sql.rows('select from tokens where user_id = any($1) for update', [held.map(({ userGuid }) => userGuid)]);
      const waiting: Promise<unknown>[] = [];
      for (const session of held) {
        waiting.push(use(session));
        await new Promise(setImmediate);
      }
      for (const session of sessions) await use(session);
      return { waiting };
    });
    expect(await Promise.all(own.waiting)).toHaveLength(5);
  });

  it('when the statement of all fails, all are told that nothing was judged', async () => {
    const sessions = await signInMany(5);
    await app.context.sql.rows('alter table tokens rename to tokens_away');
    const uses = await Promise.allSettled(sessions.map((session) => use(session)));
    await app.context.sql.rows('alter table tokens_away rename to tokens');
    expect(uses.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(Array(5).fill('42P01'));
    expect(await Promise.all(sessions.map((session) => use(session)))).toHaveLength(5);
  });
});
