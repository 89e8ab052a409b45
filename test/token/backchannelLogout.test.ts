/** Sign-out at the identity provider: a genuine one's logout token ends just its session here, and nothing else ends any. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { sweeps } from '../../src/modules/cleanUp.js';
import { purgeExpired } from '../../src/services/maintenance/purge.js';
import { makeKey, makeToken, startProvider } from '../auth/localProvider.js';
import { type Answer, audience, nowSeconds, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { startOidcProvider } from '../support/oidcProvider.js';
import { linkProfile, newClient, newHolder, newProfile, newUser } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';

const event = 'http://schemas.openid.net/event/backchannel-logout';

interface Client {
  clientId: string;
  clientSecret: string;
}
interface Session {
  access_token: string;
  refresh_token: string;
}
const as = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });
const logOut = async (app: TestApp, logout_token: string): Promise<Answer> =>
  readAnswer(
    await fetch(`${app.url}/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token }) }),
  );

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  let app: TestApp;
  let client: Client;
  let profileId: string;
  afterEach(() => app.close());

  const tryExchange = (idToken: string) => app.post('/token', { ...exchangeBody(idToken), profileId, ...as(client) });
  async function exchange(idToken: string): Promise<Session> {
    const { status, json } = await tryExchange(idToken);
    expect(status).toBe(200);
    return json;
  }
  const renew = ({ refresh_token }: Session) =>
    app.post('/token', { ...renewalBody(refresh_token), profileId, ...as(client) });
  const validate = async ({ access_token }: Session) =>
    (await app.post('/validate-token', { token: access_token, ...as(client) })).status;
  async function open(settings: Record<string, string> = {}): Promise<void> {
    app = await startTestApp({ TOKEN_POLICY: policy, METRICS_PORT: '0', ...settings });
    client = await newClient(app.context);
  }

  it('who signs out at oidc-provider in one browser is signed out here of that session, and of no other', async () => {
    const provider = await startOidcProvider();
    const { issuer } = provider;
    await open({
      ID_TOKEN_ISSUERS: JSON.stringify([{ issuer, audience: provider.audience, idpname: 'op', subject: 'idpid' }]),
    });
    await provider.open(`${app.url}/backchannel-logout`);
    const users = await Promise.all(['ada', 'bob'].map((idpid) => newUser(app.context, { idpname: 'op', idpid })));
    profileId = await newProfile(app.context);
    for (const { user_id } of users) await linkProfile(app.context, user_id, profileId, 'member');
    const [first, second, others] = [
      await provider.signIn('ada'),
      await provider.signIn('ada'),
      await provider.signIn('bob'),
    ];
    expect(decodeJwt(first.idToken).sid).not.toBe(decodeJwt(second.idToken).sid);
    const [here, elsewhere, anothers] = [
      await exchange(first.idToken),
      await exchange(second.idToken),
      await exchange(others.idToken),
    ];
    const renewed = (await renew(here)).json;
    await first.signOut();
    expect((await renew(renewed)).status).toBe(401);
    expect(await validate(renewed)).toBe(policy === 'hardened' ? 400 : 200);
    for (const session of [elsewhere, anothers])
      expect([await validate(session), (await renew(session)).status]).toEqual([200, 200]);
    expect((await tryExchange(first.idToken)).status).toBe(401);
    await exchange((await provider.signIn('ada')).idToken);
    const [record] = await app.context.sql.rows('select revoked_by, revoked_by_ip from tokens where is_revoked');
    expect(record).toEqual({ revoked_by: 'provider op', revoked_by_ip: '127.0.0.1' });
  });

  /** Of the test's provider; `sid` is that of the session. */
  const logoutToken = (claims: object = {}, header: object = {}, key = app.key) =>
    makeToken(
      key,
      {
        iss: app.provider.issuer,
        aud: audience,
        jti: randomUUID(),
        iat: nowSeconds(),
        exp: nowSeconds() + 120,
        events: { [event]: {} },
        sid: 'the session',
        ...claims,
      },
      { typ: 'logout+jwt', ...header },
    );
  async function signIn(sid: string | undefined = 'the session') {
    const { userGuid, profileId: held } = await newHolder(app.context);
    profileId = held;
    return { userGuid, session: await exchange(app.idToken({ sub: userGuid, sid })) };
  }

  it('forged, replayed and foreign logout tokens, and what is none, end nothing', async () => {
    await open();
    const { userGuid, session } = await signIn();
    const stranger = makeKey('provider-key', 'RS256');
    const replayed = logoutToken({ sid: 'another session' });
    expect((await logOut(app, replayed)).status).toBe(200);
    const refused: [string, string][] = [
      ['used before', replayed],
      ['no JWT', 'x'],
      ['signed by a stranger', logoutToken({}, {}, stranger)],
      ['alg none', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${logoutToken().split('.')[1]}.`],
      ['of an unknown issuer', logoutToken({ iss: 'https://another.example' })],
      ['for another audience', logoutToken({ aud: 'another' })],
      ['without aud', logoutToken({ aud: undefined })],
      ['without events', logoutToken({ events: undefined })],
      ['of another event', logoutToken({ events: { 'https://another.example/event': {} } })],
      ['an event that is no object', logoutToken({ events: { [event]: true } })],
      ['with a nonce', logoutToken({ nonce: 'n' })],
      ['without jti', logoutToken({ jti: undefined })],
      ['without sub and sid', logoutToken({ sid: undefined })],
      ['with a sid that is no text', logoutToken({ sid: 7 })],
      ['with a sub that is no text', logoutToken({ sub: 7 })],
      ['expired', logoutToken({ exp: nowSeconds() - 31 })],
      ['without exp', logoutToken({ exp: undefined })],
      ['issued too long ago', logoutToken({ iat: nowSeconds() - 1_000 })],
      ['of the future', logoutToken({ iat: nowSeconds() + 60 })],
      ['an access token', logoutToken({}, { typ: 'at+jwt' })],
      ['an ID token', app.idToken({ sub: userGuid, sid: 'the session' })],
    ];
    for (const [what, token] of refused) {
      const { status, json, headers } = await logOut(app, token);
      expect([what, status, json.error]).toEqual([what, 400, 'invalid_request']);
      expect(json.error_description).toContain(`by the trace id ${headers.get('trace-id')}`);
    }
    expect(
      (await readAnswer(await fetch(`${app.url}/backchannel-logout`, { method: 'POST', body: new URLSearchParams() })))
        .status,
    ).toBe(400);
    expect([await validate(session), (await renew(session)).status]).toEqual([200, 200]);
  });

  it('another issuer ends nothing by the same sid, nor by a sub of users that are not its own', async () => {
    await open();
    const { userGuid, session } = await signIn();
    const iss = app.otherProvider.issuer;
    for (const claims of [{ iss }, { iss, sid: undefined, sub: userGuid }])
      expect((await logOut(app, logoutToken(claims))).status).toBe(200);
    expect((await renew(session)).status).toBe(200);
  });

  it('of issuers that share their users each ends the sessions alone that came from it', async () => {
    const [own, other] = [makeKey('provider-key', 'RS256'), makeKey('provider-key', 'RS256')];
    const [first, second] = [await startProvider([own]), await startProvider([other])];
    const shared = { audience, idpname: 'guids', subject: 'userGuid' };
    await open({
      ID_TOKEN_ISSUERS: JSON.stringify([first, second].map(({ issuer }) => ({ issuer, ...shared }))),
    });
    const { userGuid, profileId: held } = await newHolder(app.context);
    profileId = held;
    const signInAt = (iss: string, key = own) => {
      const times = { iat: nowSeconds(), exp: nowSeconds() + 60 };
      return exchange(makeToken(key, { iss, aud: audience, sub: userGuid, jti: randomUUID(), ...times }));
    };
    const [here, there] = [await signInAt(first.issuer), await signInAt(second.issuer, other)];
    const token = logoutToken({ iss: second.issuer, sid: undefined, sub: userGuid }, {}, other);
    expect((await logOut(app, token)).status).toBe(200);
    expect([(await renew(here)).status, (await renew(there)).status]).toEqual([200, 401]);
  });

  it('a token with sub alone ends all sessions of that user, with a sid or without, and nobody else’s', async () => {
    await open();
    const others = await signIn();
    const othersProfile = profileId;
    const { userGuid, session } = await signIn();
    const second = await exchange(app.idToken({ sub: userGuid }));
    expect((await logOut(app, logoutToken({ sid: undefined, sub: userGuid }))).status).toBe(200);
    for (const each of [session, second]) expect((await renew(each)).status).toBe(401);
    profileId = othersProfile;
    expect((await renew(others.session)).status).toBe(200);
  });

  it('a token without typ is taken too, as providers of before send it', async () => {
    await open();
    const { session } = await signIn();
    expect((await logOut(app, logoutToken({}, { typ: undefined }))).status).toBe(200);
    expect((await renew(session)).status).toBe(401);
  });

  it('is good once, however many processes are asked at the same moment', async () => {
    await open();
    const other = await startTestApp({
      DATABASE_URL: app.database.url,
      ID_TOKEN_ISSUERS: JSON.stringify([
        { issuer: app.provider.issuer, audience, idpname: 'guids', subject: 'userGuid' },
      ]),
    });
    const token = logoutToken();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => logOut(index % 2 ? app : other, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    await other.close();
  });

  it('a provider that is away judges nothing: 503, and the same token is good afterwards', async () => {
    await open();
    app.provider.answer = (_path, response) => response.writeHead(500).end();
    const token = logoutToken();
    expect((await logOut(app, token)).status).toBe(503);
  });

  it('is in the audit log, counted and logged', async () => {
    await open();
    await signIn();
    await logOut(app, logoutToken());
    const events = await app.context.sql.rows("select action, detail from audit_events where subject_type = 'Token'");
    expect(events).toEqual([{ action: 'revoke', detail: { count: 1, issuer: app.provider.issuer } }]);
    const metrics = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^gatehouse_sessions_ended_by_provider_total 1$/m);
    expect(app.logged()).toContain('sessions ended: signed out at the identity provider');
  });

  it('an ID token of before the sign-out of its session gives nothing afterwards, and a new sign-in does', async () => {
    await open();
    const { userGuid, profileId: held } = await newHolder(app.context);
    profileId = held;
    const idToken = (sid: string | undefined, iat: number) => app.idToken({ sub: userGuid, sid, iat });
    const now = nowSeconds();
    // before any exchange of the session
    expect((await logOut(app, logoutToken({ iat: now }))).status).toBe(200);
    for (const iat of [now - 600, now]) {
      const { status, text } = await tryExchange(idToken('the session', iat));
      expect([status, text]).toEqual([401, '']);
    }
    expect(app.logged()).toContain('it was issued before a sign-out at its provider');
    for (const [sid, iat] of [
      ['another session', now - 600],
      [undefined, now - 600],
      // a provider that names sessions by the browser
      ['the session', now + 1],
    ] as const)
      expect((await tryExchange(idToken(sid, iat))).status).toBe(200);
  });

  it('after a sign-out by sub alone, whoever comes with an ID token of before, with a sid or without, signs in again', async () => {
    await open();
    const { userGuid, profileId: held } = await newHolder(app.context);
    profileId = held;
    const now = nowSeconds();
    const logout = logoutToken({ sid: undefined, sub: userGuid.toUpperCase(), iat: now });
    expect((await logOut(app, logout)).status).toBe(200);
    for (const sid of [undefined, 'a session']) {
      expect((await tryExchange(app.idToken({ sub: userGuid, sid, iat: now - 1 }))).status).toBe(401);
      expect((await tryExchange(app.idToken({ sub: userGuid, sid, iat: now }))).status).toBe(200);
    }
    const other = await newHolder(app.context);
    profileId = other.profileId;
    expect((await tryExchange(app.idToken({ sub: other.userGuid, iat: now - 1 }))).status).toBe(200);
  });

  it('a later logout token of the same session counts, and one of before takes nothing back', async () => {
    await open();
    const { userGuid, profileId: held } = await newHolder(app.context);
    profileId = held;
    const now = nowSeconds();
    for (const iat of [now - 300, now, now - 200]) await logOut(app, logoutToken({ iat }));
    expect((await tryExchange(app.idToken({ sub: userGuid, sid: 'the session', iat: now }))).status).toBe(401);
  });

  it('of exchanges of the same moment those alone are refused whose session was signed out', async () => {
    await open();
    const { userGuid, profileId: held } = await newHolder(app.context);
    profileId = held;
    const iat = nowSeconds();
    await logOut(app, logoutToken({ iat }));
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const sid = index % 3 ? `session ${index}` : 'the session';
        return (await tryExchange(app.idToken({ sub: userGuid, sid, iat }))).status;
      }),
    );
    expect(statuses).toEqual(Array.from({ length: 30 }, (_, index) => (index % 3 ? 200 : 401)));
  });

  it('a sign-out waits for the exchange that did not see it, and ends its session', async () => {
    await open();
    const { session } = await signIn();
    const { sql } = app.context;
    const { tokenGuid, loggedOut } = await sql.transaction(async (exchanging) => {
      await exchanging.rows("select pg_advisory_xact_lock_shared(hashtextextended('gatehouse sign-outs', 0))");
      const loggedOut = logOut(app, logoutToken());
      const isWaiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
      await until(async () => (await sql.rows(isWaiting)).length > 0);
      // as a statement that began before would have done it
      const [made] = await exchanging.rows<{ token_guid: string }>(
        `insert into tokens (user_id, profile_id, token, created_at, expires_at, token_type)
         select user_id, profile_id, sha256('another'), created_at, expires_at, token_type from tokens returning token_guid`,
      );
      await exchanging.rows('insert into provider_sessions select $1, session_hash from provider_sessions limit 1', [
        made!.token_guid,
      ]);
      return { tokenGuid: made!.token_guid, loggedOut };
    });
    expect((await loggedOut).status).toBe(200);
    const [record] = await sql.rows('select is_revoked from tokens where token_guid = $1', [tokenGuid]);
    expect(record).toEqual({ is_revoked: true });
    expect((await renew(session)).status).toBe(401);
  });

  it('that somebody signed out is forgotten when ID tokens of before are too old by themselves', async () => {
    await open();
    const { sql, config, log } = app.context;
    await logOut(app, logoutToken());
    const signOuts = () =>
      sql.rows<{ left: number }>('select extract(epoch from ends_at - now())::int as left from provider_sign_outs');
    const [noted] = await signOuts();
    expect(noted!.left).toBeGreaterThan(900);
    expect(noted!.left).toBeLessThanOrEqual(932);
    const sweep = async (age: string) => {
      await sql.rows(`update provider_sign_outs set ends_at = now() - interval '${age}'`);
      await sql.rows('delete from housekeeping_runs');
      await purgeExpired({ sql, config, log, sweeps }, new AbortController().signal);
      return (await signOuts()).length;
    };
    expect([await sweep('4 minutes'), await sweep('6 minutes')]).toEqual([1, 0]);
  });

  it('what is kept of it goes with its record', async () => {
    await open();
    const { userGuid } = await signIn();
    const { sql } = app.context;
    const count = async () => (await sql.rows('select 1 from provider_sessions')).length;
    expect(await count()).toBe(1);
    await sql.rows("update tokens set expires_at = now() - interval '1 year' where user_id = $1", [userGuid]);
    await sql.rows('delete from housekeeping_runs');
    await purgeExpired({ sql, config: app.context.config, log: app.context.log, sweeps }, new AbortController().signal);
    expect(await count()).toBe(0);
  });
});
