/** SESSION_MAX_DAYS: a session ends so long after its exchange, under both policies and in both dialects, also when the setting is lowered. */
import { decodeJwt } from 'jose';
import { readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const day = 86_400_000;

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  let app: TestApp;
  let client: { client_id: string; client_secret: string };
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy, SESSION_MAX_DAYS: '10' });
    const { clientId, clientSecret } = await newClient(app.context);
    client = { client_id: clientId, client_secret: clientSecret };
  });
  afterAll(() => app.close());

  type Fields = Record<string, string>;
  const dialects = {
    documented: (fields: Fields) => app.post('/token', { ...fields, ...client }),
    forms: (fields: Fields) =>
      app.post('/token', new URLSearchParams({ ...fields, ...client }).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      }),
  };
  const livesOf = (token: string): number => {
    const { created_at, expires_at } = decodeJwt(token) as Record<string, string>;
    return Date.parse(expires_at!) - Date.parse(created_at!);
  };

  it.each(['documented', 'forms'] as const)('%s', async (dialect) => {
    const send = dialects[dialect];
    const { userGuid, profileId } = await newHolder(app.context);
    const begin = (days: number) =>
      app.context.sql.rows(`update tokens set started_at = now() - make_interval(days => $2) where user_id = $1`, [
        userGuid,
        days,
      ]);
    const renew = (refresh_token: string) => send({ ...renewalBody(refresh_token), profileId });
    const idToken = app.idToken({ sub: userGuid });
    const first = await send({ ...exchangeBody(idToken), profileId });
    expect(livesOf(first.json.refresh_token)).toBe(10 * day);
    await begin(7);
    const second = await renew(first.json.refresh_token);
    expect(Math.round(livesOf(second.json.refresh_token) / day)).toBe(3);
    const [record] = await app.context.sql.rows<{ lives: number }>(
      'select extract(epoch from expires_at - created_at)::int * 1000::bigint as lives from tokens where user_id = $1',
      [userGuid],
    );
    expect(Math.abs(Number(record!.lives) - livesOf(second.json.refresh_token))).toBeLessThan(1_000);
    // as after the setting was lowered: the record itself would live on
    await begin(11);
    const third = await renew(second.json.refresh_token);
    const isActive = async () => {
      const body = new URLSearchParams({ token: second.json.refresh_token, ...client });
      return (await readAnswer(await fetch(`${app.url}/introspect`, { method: 'POST', body }))).json.active;
    };
    expect(await isActive()).toBe(false);
    const refused = [third.status, third.json?.error ?? third.text];
    expect(refused).toEqual(dialect === 'forms' ? [400, 'invalid_grant'] : [401, '']);
    // nothing was used up
    await begin(9);
    expect(await isActive()).toBe(true);
    expect((await renew(second.json.refresh_token)).status).toBe(200);
  });
});
