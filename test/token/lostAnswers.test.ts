/** Renewals whose answers get lost: who sends an Idempotency-Key stays signed in, and nobody else gains anything by it. */
import { randomUUID } from 'node:crypto';
import { rotateKey } from '../../src/services/keys/rotateKey.js';
import { type Answer, post, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { startLossyProxy } from '../support/lossyProxy.js';
import { newClient, newHolder } from '../support/records.js';
import { factor } from '../support/schedules.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

interface Client {
  clientId: string;
  clientSecret: string;
}
interface Session {
  token: string;
  accessToken: string;
  profileId: string;
  userGuid: string;
}
type Dialect = 'documented' | 'forms';

const newKey = (): string => `key-${randomUUID()}`;

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  let app: TestApp;
  let client: Client;
  let stranger: Client;
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy, METRICS_PORT: '0', SESSION_MAX_DAYS: '300' });
    [client, stranger] = [await newClient(app.context), await newClient(app.context)];
  });
  afterAll(() => app.close());

  async function signIn(): Promise<Session> {
    const { userGuid, profileId } = await newHolder(app.context);
    const body = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId };
    const { json } = await app.post('/token', { ...body, ...as(client) });
    return { token: json.refresh_token, accessToken: json.access_token, profileId, userGuid };
  }
  const as = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });

  interface Asking {
    dialect?: Dialect;
    key?: string | undefined;
    who?: Client;
    url?: string;
    more?: object;
  }
  async function renew(
    { token, profileId }: Session,
    { dialect = 'documented', key, who = client, url = app.url, more = {} }: Asking = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const body = { ...renewalBody(token), profileId, ...as(who), ...more };
    if (dialect === 'documented') return post(`${url}/token`, body, headers);
    return readAnswer(await fetch(`${url}/token`, { method: 'POST', headers, body: new URLSearchParams(body) }));
  }
  const succeeding = (session: Session, { json }: Answer): Session => ({ ...session, token: json.refresh_token });
  const refused = ({ status, text, json }: Answer, dialect: Dialect = 'documented') =>
    expect([status, json?.error ?? text]).toEqual(dialect === 'documented' ? [401, ''] : [400, 'invalid_grant']);
  const recordOf = async ({ userGuid }: Session) =>
    (
      await app.context.sql.rows<Record<string, unknown>>('select *, xmin from tokens where user_id = $1', [userGuid])
    )[0]!;
  /** Hardened, a used token that comes again is the end. */
  async function expectEnd(session: Session): Promise<void> {
    expect((await recordOf(session)).is_revoked).toBe(policy === 'hardened');
  }

  it('hundreds of answers are cut off after the service wrote them: who asks again with the key stays signed in', async () => {
    const proxy = await startLossyProxy(app.url);
    const wanted = 200 * factor;
    const together = 20;
    const rounds = wanted / together;
    const sessions = await Promise.all(Array.from({ length: together }, signIn));
    const ends = await Promise.all(
      sessions.map(async (session, number) => {
        const dialect = number % 2 === 0 ? 'documented' : 'forms';
        for (let round = 0; round < rounds; round++) {
          const asking = { dialect, key: newKey(), url: proxy.url } as const;
          proxy.loses = () => true;
          await expect(renew(session, asking)).rejects.toThrow();
          const answer = await renew(session, { ...asking, url: app.url });
          expect(answer.status).toBe(200);
          session = succeeding(session, answer);
        }
        return session;
      }),
    );
    expect(proxy.lost).toEqual(Array(wanted).fill(200));
    for (const session of ends) {
      expect(await recordOf(session)).toMatchObject({ generation: rounds, is_revoked: false });
      expect((await renew(session)).status).toBe(200);
    }
  });

  it.each<Dialect>([
    'documented',
    'forms',
  ])('who lost an answer and sent no key is refused as ever: %s', async (dialect) => {
    const proxy = await startLossyProxy(app.url);
    proxy.loses = () => true;
    const session = await signIn();
    await expect(renew(session, { dialect, url: proxy.url })).rejects.toThrow();
    refused(await renew(session, { dialect }), dialect);
    await expectEnd(session);
  });

  it.each<Dialect>([
    'documented',
    'forms',
  ])('the answer is the same renewal token and a new access token, as often as asked, and nothing is written: %s', async (dialect) => {
    const session = await signIn();
    const asking = { dialect, key: newKey() };
    const first = await renew(session, asking);
    const before = await recordOf(session);
    const answers = [await renew(session, asking), await renew(session, asking), await renew(session, asking)];
    for (const { status, json } of answers) {
      expect([status, json.refresh_token]).toEqual([200, first.json.refresh_token]);
      expect((await post(`${app.url}/validate-token`, { token: json.access_token, ...as(client) })).status).toBe(200);
    }
    expect(await recordOf(session)).toEqual(before);
    expect((await renew(succeeding(session, answers[2]!), asking)).status).toBe(200);
  });

  it.each([
    ['no key', (): Asking => ({})],
    ['another key', (): Asking => ({ key: newKey() })],
    ["the key, as another client's", (key: string): Asking => ({ key, who: stranger })],
  ])('a thief with the used token and %s is refused, and hardened the session ends', async (_with, asking) => {
    const session = await signIn();
    const key = newKey();
    const next = succeeding(session, await renew(session, { key }));
    refused(await renew(session, asking(key)));
    await expectEnd(session);
    expect((await renew(next)).status).toBe(policy === 'hardened' ? 401 : 200);
  });

  it('once the successor was used, the key is no excuse for the token before it', async () => {
    const session = await signIn();
    const key = newKey();
    const second = succeeding(session, await renew(session, { key }));
    expect((await renew(second, { key })).status).toBe(200);
    refused(await renew(session, { key }));
    await expectEnd(session);
  });

  it('a key that came with another token of the record is just a key', async () => {
    const session = await signIn();
    const key = newKey();
    const second = succeeding(session, await renew(session, { key }));
    expect((await renew(second)).status).toBe(200);
    refused(await renew(second, { key }));
    await expectEnd(session);
  });

  it.each([
    ['the session is revoked', 'update tokens set is_revoked = true, revoked_at = now() where user_id = $1'],
    ['the renewal token expired', 'update tokens set expires_at = now() where user_id = $1'],
    ['the session is over since', "update tokens set started_at = now() - interval '301 days' where user_id = $1"],
    ['the user is blocked', 'update users set is_blocked = true where user_guid = $1'],
    [
      'the profile is no longer held',
      'delete from user_profiles where user_id = (select user_id from users where user_guid = $1)',
    ],
  ])('no answer is given again when %s', async (_when, statement) => {
    const session = await signIn();
    const key = newKey();
    await renew(session, { key });
    await app.context.sql.rows(statement, [session.userGuid]);
    refused(await renew(session, { key }));
  });

  it('nor to a client whose secret is wrong, and its session lives on', async () => {
    const session = await signIn();
    const key = newKey();
    const next = succeeding(session, await renew(session, { key }));
    const wrong = { ...client, clientSecret: 'wrong' };
    expect((await renew(session, { key, who: wrong })).json).toEqual({ error: 'Invalid client credentials' });
    expect((await renew(next)).status).toBe(200);
  });

  it('nor, without a proof, to a client whose tokens have to be bound to a key by now', async () => {
    const session = await signIn();
    const key = newKey();
    await renew(session, { key });
    const require = (isRequired: boolean) =>
      app.context.sql.rows('update clients set dpop_required = $2 where client_id = $1', [client.clientId, isRequired]);
    await require(true);
    try {
      refused(await renew(session, { key }));
    } finally {
      await require(false);
    }
  });

  it('nor, where one of them is hardened, to another client than the one whose record it is', async () => {
    const session = await signIn();
    const key = newKey();
    await renew(session, { key });
    const { sql } = app.context;
    await sql.rows('update tokens set client_id = $2 where user_id = $1', [session.userGuid, stranger.clientId]);
    expect((await renew(session, { key })).status).toBe(policy === 'hardened' ? 401 : 200);
    for (const { clientId } of [client, stranger]) {
      await sql.rows("update clients set policy = 'hardened' where client_id = $1", [clientId]);
      refused(await renew(session, { key }));
      await sql.rows('update clients set policy = null where client_id = $1', [clientId]);
    }
  });

  it('what is given again has the roles and scopes of now', async () => {
    const session = await signIn();
    const key = newKey();
    await renew(session, { key });
    await app.context.sql.rows('insert into roles (role_id, name, created_by) values ($1, $1, $2)', [
      `keeper-${policy}`,
      randomUUID(),
    ]);
    await app.context.sql.rows(
      'update user_profiles set role_id = $2 where user_id = (select user_id from users where user_guid = $1)',
      [session.userGuid, `keeper-${policy}`],
    );
    const { json } = await renew(session, { key });
    expect(JSON.parse(Buffer.from(json.access_token.split('.')[1], 'base64url').toString()).roleId).toBe(
      `keeper-${policy}`,
    );
  });

  it.each<Dialect>([
    'documented',
    'forms',
  ])('to a client that may have none of the audiences by now it is refused as a renewal is: %s', async (dialect) => {
    const [session, key] = [await signIn(), newKey()];
    const allow = (allowed: string | null) =>
      app.context.sql.rows('update clients set allowed_audiences = $2 where client_id = $1', [
        client.clientId,
        allowed,
      ]);
    const renewed = await renew(session, { dialect, key });
    const before = app.logged().length;
    await allow('GONE');
    const answers = [
      await renew(session, { dialect, key }),
      await renew(succeeding(session, renewed), { dialect, key: newKey() }),
    ];
    const since = app.logged().slice(before);
    await allow(null);
    for (const answer of answers)
      expect([answer.status, answer.json?.error ?? answer.text]).toEqual(
        dialect === 'documented' ? [401, ''] : [400, 'invalid_target'],
      );
    expect(since).not.toContain('was repeated');
    expect(succeeding(session, await renew(session, { dialect, key }))).toEqual(succeeding(session, renewed));
  });

  it('of many who ask at the same moment with the same key, each has the one successor', async () => {
    const session = await signIn();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 12 }, () => renew(session, { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(1);
    expect(await recordOf(session)).toMatchObject({ generation: 1, is_revoked: false });
  });

  it('a rotation of the keys between the two is not seen', async () => {
    const session = await signIn();
    const key = newKey();
    const first = await renew(session, { key });
    await rotateKey(app.context);
    expect((await renew(session, { key })).json.refresh_token).toBe(first.json.refresh_token);
  });

  it('a renewal with a key is one statement', async () => {
    const session = await signIn();
    await renew(session);
    const other = await signIn();
    app.takeStatements();
    await renew(other, { key: newKey() });
    // SESSION_MAX_DAYS has the record read before
    const count = (text: string) => app.takeStatements().filter((statement) => statement.includes(text)).length;
    expect(count('update tokens')).toBe(1);
  });

  it('a quoted key and a bare one of the same characters are the same', async () => {
    for (const [bare, quoted] of [
      ['0123456789abcdef', '"0123456789abcdef"'],
      ['a\\b"c-0123456789abcdef', '"a\\\\b\\"c-0123456789abcdef"'],
      ['~'.repeat(128), `"${'~'.repeat(128)}"`],
    ] as const) {
      const session = await signIn();
      const first = await renew(session, { key: quoted });
      expect((await renew(session, { key: bare })).json.refresh_token).toBe(first.json.refresh_token);
    }
  });

  it.each([
    'short',
    'x'.repeat(129),
    `"${'x'.repeat(15)}"`,
    `"${'x'.repeat(129)}"`,
    '"no end of the text',
    'white space within it',
    '"white space within it"',
    'one-of-two-keys-x, one-of-two-keys-y',
    '"a \\n is no escape of it"',
    'umlaut-\u00e4-0123456789',
  ])('a key that is none is 400 before anything else is judged: %s', async (key) => {
    const session = await signIn();
    const nobody = { clientId: 'nobody', clientSecret: 'x' };
    const json = await renew(session, { key, who: nobody });
    expect([json.status, Object.keys(json.json.errors)]).toEqual([400, ['Idempotency-Key']]);
    const form = await renew(session, { key, who: nobody, dialect: 'forms' });
    expect([form.status, form.json.error]).toEqual([400, 'invalid_request']);
    expect(form.text).not.toContain(key);
    expect((await renew(session)).status).toBe(200);
  });

  it('a header of that name means nothing to an exchange', async () => {
    const { userGuid, profileId } = await newHolder(app.context);
    const body = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId };
    const answer = await app.post('/token', { ...body, ...as(client) }, { 'idempotency-key': 'x' });
    expect(answer.status).toBe(200);
  });

  it('what is given again is counted and logged, without key or token', async () => {
    const recovered = async () =>
      Number(
        /^gatehouse_renewals_recovered_total (\d+)$/m.exec(
          await (await fetch(`${app.running.metricsUrl}/metrics`)).text(),
        )?.[1] ?? 0,
      );
    const before = await recovered();
    const session = await signIn();
    const key = newKey();
    await renew(session, { key });
    await renew(session, { key });
    expect(await recovered()).toBe(before + 1);
    const line = app
      .logged()
      .split('\n')
      .findLast((each) => each.includes('the lost answer of a renewal was repeated'))!;
    expect(JSON.parse(line)).toMatchObject({
      clientId: client.clientId,
      tokenRecord: (await recordOf(session)).token_guid,
    });
    expect(app.logged()).not.toContain(key);
  });
});
