/** What the log says of a refused token request: enough to act on it, and nothing of it on the wire. */
import { revokeTokens } from '../../src/services/tokens/revokeSessions.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { importedToken, insert, newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
let client: { clientId: string; clientSecret: string };
afterEach(() => app.close());

async function open(settings: Record<string, string> = {}): Promise<void> {
  app = await startTestApp({ METRICS_PORT: '0', ...settings });
  client = await newClient(app.context);
}
const credentials = ({ clientId, clientSecret } = client) => ({ client_id: clientId, client_secret: clientSecret });

async function signIn() {
  const holder = await newHolder(app.context);
  const body = { ...exchangeBody(app.idToken({ sub: holder.userGuid })) };
  const { json } = await app.post('/token', { ...body, profileId: holder.profileId, ...credentials() });
  return { ...holder, token: json.refresh_token as string };
}
type Session = Awaited<ReturnType<typeof signIn>>;

const renew = ({ token, profileId }: Session, more: object = {}): Promise<Answer> =>
  app.post('/token', { ...renewalBody(token), profileId, ...credentials(), ...more });

/** The last line of a refusal. */
function refusal(): Record<string, unknown> {
  const lines = app
    .logged()
    .split('\n')
    .filter((line) => line.includes('"token refused"'));
  const { level: _level, time: _time, traceId, msg: _msg, ...line } = JSON.parse(lines.at(-1)!);
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  return line;
}
async function expectRefused(answer: Promise<Answer>, detail: unknown): Promise<void> {
  const { status, text } = await answer;
  expect([status, text]).toEqual([401, '']);
  expect(refusal()).toMatchObject({
    reason: 'invalidRenewalToken',
    detail,
    clientId: client.clientId,
    address: '127.0.0.1',
  });
}
const change = (statement: string, ...values: unknown[]) => app.context.sql.rows(statement, values);
const aTime = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

describe.each(['documented', 'hardened'])('of a renewal under the %s policy, the cause', (policy) => {
  beforeEach(() => open({ TOKEN_POLICY: policy }));

  it('is that nobody knows the token', async () => {
    const session = await signIn();
    await expectRefused(renew({ ...session, token: 'x' }), 'unknown');
    expect(refusal()).not.toHaveProperty('tokenRecord');
    await change('delete from tokens where user_id = $1', session.userGuid);
    await expectRefused(renew(session), 'unknown: its record is gone');
  });

  it('is that it was used: which generation of how many', async () => {
    const session = await signIn();
    const second = { ...session, token: (await renew(session)).json.refresh_token };
    const third = { ...session, token: (await renew(second)).json.refresh_token };
    await expectRefused(renew(second), 'used: generation 1 of 2');
    expect(refusal().tokenRecord).toMatch(/^[0-9a-f-]{36}$/);
    if (policy === 'documented') return;
    const ended = `revoked by reuse from 127\\.0\\.0\\.1 at ${aTime}$`;
    await expectRefused(renew(second), expect.stringMatching(`^used: generation 1 of 2, ${ended}`));
    await expectRefused(renew(third), expect.stringMatching(`^${ended}`));
  });

  it('is that it was revoked: by whom, from where and when', async () => {
    const session = await signIn();
    await app.post('/revoke', { token: session.token, ...(policy === 'hardened' && credentials()) });
    const who = policy === 'hardened' ? `client ${client.clientId}` : 'holder';
    await expectRefused(renew(session), expect.stringMatching(`^revoked by ${who} from 127\\.0\\.0\\.1 at ${aTime}$`));
  });

  it('is that an administrator revoked it', async () => {
    const session = await signIn();
    const { context } = app;
    await revokeTokens(context, { userGuid: session.userGuid });
    const who = `user ${context.config.systemUserGuid}`;
    await expectRefused(renew(session), expect.stringMatching(`^revoked by ${who} at ${aTime}$`));
  });

  it.each([
    [
      'it is expired',
      `update tokens set expires_at = now() where user_id = $1`,
      expect.stringMatching(`^expired at ${aTime}$`),
    ],
    ['the user is blocked', 'update users set is_blocked = true where user_guid = $1', 'user blocked'],
    [
      'the link is gone',
      'delete from user_profiles using users u where user_profiles.user_id = u.user_id and u.user_guid = $1',
      'link gone: the user no longer holds the profile',
    ],
  ])('is that %s', async (_name, statement, detail) => {
    const session = await signIn();
    await change(statement, session.userGuid);
    await expectRefused(renew(session), detail);
  });

  it('is told of an imported token too', async () => {
    const { userGuid, profileId } = await newHolder(app.context);
    const [created_at, expires_at] = [new Date(0), new Date(1)];
    await insert(app.context.sql, 'tokens', {
      user_id: userGuid,
      profile_id: profileId,
      ...importedToken('imported'),
      created_at,
      expires_at,
    });
    await expectRefused(renew({ token: 'imported', profileId } as Session), 'expired at 1970-01-01T00:00:00.001Z');
  });
});

it('the cause of a renewal refused for another client or another profile says so', async () => {
  await open({ TOKEN_POLICY: 'hardened' });
  const session = await signIn();
  await expectRefused(renew(session, { profileId: 'other' }), 'of another profile than asked for');
  client = await newClient(app.context);
  await expectRefused(renew(session), 'of another client');
});

it('the cause of a renewal refused since SESSION_MAX_DAYS was lowered says so', async () => {
  await open({ SESSION_MAX_DAYS: '1' });
  const session = await signIn();
  await change(`update tokens set started_at = now() - interval '2 days' where user_id = $1`, session.userGuid);
  await expectRefused(renew(session), 'its session has ended, or changed at this moment');
});

describe('of a client that could not be authenticated', () => {
  const wrongs = async (): Promise<[object, string][]> => [
    [{ client_id: 'nobody' }, 'unknown client'],
    [credentials(await newClient(app.context, 'client-secret', { is_active: false })), 'inactive client'],
    [{ client_secret: 'wrong' }, 'wrong secret'],
  ];

  it('the cause is told, with the client as presented, cut, and the address', async () => {
    await open({ TRUST_PROXY: '1' });
    const session = await signIn();
    for (const [wrong, detail] of await wrongs()) {
      const body = { ...credentials(), ...wrong, ...renewalBody(session.token) };
      const presented = { ...body, profileId: session.profileId };
      expect((await app.post('/token', presented, { 'x-forwarded-for': '192.0.2.7' })).status).toBe(401);
      const clientId = (body as { client_id: string }).client_id;
      expect(refusal()).toEqual({ reason: 'invalidClient', detail, clientId, address: '192.0.2.7' });
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(
        (await app.post('/introspect', new URLSearchParams({ ...body, token: 'x' }).toString(), form)).status,
      ).toBe(401);
      expect(refusal()).toEqual({ reason: 'invalidClient', detail, clientId, address: '127.0.0.1' });
    }
    await renew(session, { client_id: 'x'.repeat(5_000) });
    expect(refusal().clientId).toBe('x'.repeat(100));
  });

  it('each cause is counted, under no name that a stranger chose', async () => {
    await open();
    const session = await signIn();
    for (const [wrong] of await wrongs()) await renew(session, wrong);
    await renew(session, { client_id: 'nobody else' });
    const metrics = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
    expect(
      metrics
        .split('\n')
        .filter((line) => line.startsWith('gatehouse_client_failures_total'))
        .sort(),
    ).toEqual([
      'gatehouse_client_failures_total{cause="inactive client"} 1',
      'gatehouse_client_failures_total{cause="unknown client"} 2',
      'gatehouse_client_failures_total{cause="wrong secret"} 1',
    ]);
  });
});

it('a form without credentials, for an unknown grant, or for an audience that is not ours, is told too', async () => {
  await open();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await app.post('/token', 'grant_type=refresh_token&refresh_token=x', form);
  expect(refusal()).toEqual({ reason: 'invalidClient', detail: 'no credentials', address: '127.0.0.1' });
  await app.post('/token', new URLSearchParams({ ...credentials(), grant_type: 'password' }).toString(), form);
  expect(refusal()).toMatchObject({ reason: 'unsupportedGrantType', clientId: client.clientId });
  const holder = await newHolder(app.context);
  const tokenExchange = {
    ...credentials(),
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: app.idToken({ sub: holder.userGuid }),
    profileId: holder.profileId,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    audience: 'another',
  };
  await app.post('/token', new URLSearchParams(tokenExchange).toString(), form);
  expect(refusal()).toEqual({
    reason: 'invalidTarget',
    detail: 'audience must be among GRID, IOT',
    clientId: client.clientId,
    address: '127.0.0.1',
  });
});
