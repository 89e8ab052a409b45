/** RENEWAL_RECOVERY_SECONDS: for so long who sends no Idempotency-Key is given a lost answer again. */
import { randomUUID } from 'node:crypto';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

type Dialect = 'documented' | 'forms';

describe('RENEWAL_RECOVERY_SECONDS', () => {
  let app: TestApp;
  let client: { clientId: string; clientSecret: string };
  afterEach(() => app.close());

  async function open(settings: Record<string, string>): Promise<void> {
    app = await startTestApp({ RENEWAL_RECOVERY_SECONDS: '60', ...settings });
    client = await newClient(app.context);
  }
  async function renewTwice(
    { dialect, key, meanwhile }: { dialect: Dialect; key?: string; meanwhile?: string } = { dialect: 'forms' },
  ): Promise<[Answer, Answer]> {
    const { userGuid, profileId } = await newHolder(app.context);
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const ask = async (body: Record<string, string>, headers: Record<string, string> = {}) => {
      const all = { ...body, profileId, ...credentials };
      if (dialect === 'documented') return app.post('/token', all, headers);
      return readAnswer(await fetch(`${app.url}/token`, { method: 'POST', headers, body: new URLSearchParams(all) }));
    };
    const idToken = app.idToken({ sub: userGuid });
    const { json } = await ask(exchangeBody(idToken));
    const body = renewalBody(json.refresh_token);
    const first = await ask(body, key ? { 'idempotency-key': key } : {});
    if (meanwhile) await app.context.sql.rows(meanwhile, [userGuid]);
    return [first, await ask(body)];
  }

  it('gives clients without a key their answer again, hardened and in forms', async () => {
    await open({ TOKEN_POLICY: 'hardened' });
    const [first, again] = await renewTwice();
    expect([again.status, again.json.refresh_token]).toEqual([200, first.json.refresh_token]);
  });

  it('is over after that time', async () => {
    await open({ TOKEN_POLICY: 'hardened' });
    const meanwhile = "update tokens set created_at = created_at - interval '61 seconds' where user_id = $1";
    expect((await renewTwice({ dialect: 'forms', meanwhile }))[1].json.error).toBe('invalid_grant');
  });

  it('means nothing in the documented dialect, in the documented policy, or of a renewal that had a key', async () => {
    await open({ TOKEN_POLICY: 'hardened' });
    expect((await renewTwice({ dialect: 'documented' }))[1].status).toBe(401);
    expect((await renewTwice({ dialect: 'forms', key: `key-${randomUUID()}` }))[1].json.error).toBe('invalid_grant');
    await app.close();
    await open({ TOKEN_POLICY: 'documented' });
    expect((await renewTwice())[1].json.error).toBe('invalid_grant');
  });
});
