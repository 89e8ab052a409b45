/** The last use of each of a client's secrets, and of its keys, is noted, by nobody's wait. */
import bcrypt from 'bcrypt';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { assertionFor, assertionJwks } from '../support/assertions.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { elapse, until } from '../support/until.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

interface Uses {
  secret_last_used_at: string | null;
  previous_secret_last_used_at: string | null;
  keys_last_used_at: string | null;
}

async function usesOf(clientId: string): Promise<Uses> {
  const [row] = await app.context.sql.rows<Uses>(
    'select secret_last_used_at, previous_secret_last_used_at, keys_last_used_at from clients where client_id = $1',
    [clientId],
  );
  return row!;
}

/** Uses are noted within seconds, after the answer. */
async function untilNoted(clientId: string, column: keyof Uses): Promise<string> {
  return until(async () => (await usesOf(clientId))[column]);
}

/** An exchange and a renewal of its token. */
async function useSecret(clientId: string, clientSecret: string): Promise<Answer[]> {
  const { userGuid, profileId } = await newHolder(app.context);
  const client = { profileId, client_id: clientId, client_secret: clientSecret };
  const idToken = app.idToken({ sub: userGuid });
  const issued = await app.post('/token', { ...client, ...exchangeBody(idToken) });
  const { refresh_token } = issued.json;
  return [issued, await app.post('/token', { ...client, ...renewalBody(refresh_token) })];
}
const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** Does the work while another transaction holds the client's row. */
async function whileHeld<T>(clientId: string, work: () => Promise<T>): Promise<T> {
  return app.context.sql.transaction(async (sql) => {
    await sql.rows('update clients set name = name where client_id = $1', [clientId]);
    return work();
  });
}

it('the last use of each of two secrets is stored, whichever was used a moment before', async () => {
  const { clientId, clientSecret } = await newClient(app.context, 'new', {
    previous_secret: await bcrypt.hash('old', 4),
    previous_secret_ends_at: new Date(Date.now() + 60_000),
  });
  expect(statusesOf(await useSecret(clientId, clientSecret))).toEqual([200, 200]);
  await untilNoted(clientId, 'secret_last_used_at');
  expect((await usesOf(clientId)).previous_secret_last_used_at).toBeNull();
  expect(statusesOf(await useSecret(clientId, 'old'))).toEqual([200, 200]);
  await untilNoted(clientId, 'previous_secret_last_used_at');
});

it('the use of a client’s keys is noted at each endpoint, once a minute, and never that of a bad assertion', async () => {
  const { clientId } = await newClient(app.context, 'secret', { jwks: assertionJwks });
  const { userGuid, profileId } = await newHolder(app.context);
  const send = async (path: string, form: Record<string, string>, signer = clientId) => {
    const body = new URLSearchParams({ ...form, client_id: clientId, ...assertionFor(signer, app.url) });
    return readAnswer(await fetch(app.url + path, { method: 'POST', body }));
  };
  const forget = () => app.context.sql.rows('update clients set keys_last_used_at = null');
  const exchange = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId };
  expect((await send('/introspect', { token: 'x' }, 'another')).status).toBe(401);
  expect((await usesOf(clientId)).keys_last_used_at).toBeNull();
  const { json } = await send('/token', exchange);
  const noted = await untilNoted(clientId, 'keys_last_used_at');
  const renewed = await send('/token', renewalBody(json.refresh_token));
  expect(renewed.status).toBe(200);
  await elapse(1_500);
  expect((await usesOf(clientId)).keys_last_used_at).toBe(noted);
  for (const [path, form] of [
    ['/token', renewalBody(renewed.json.refresh_token)],
    ['/introspect', { token: 'x' }],
    ['/revoke', { token: 'x' }],
  ] as const) {
    await forget();
    expect((await send(path, form)).status).toBe(200);
    await untilNoted(clientId, 'keys_last_used_at');
  }
  expect((await usesOf(clientId)).secret_last_used_at).toBeNull();
});

it('nobody waits for a client whose record a change holds; its use is noted after', async () => {
  const { clientId, clientSecret } = await newClient(app.context);
  const answers = await whileHeld(clientId, () => useSecret(clientId, clientSecret));
  expect(statusesOf(answers)).toEqual([200, 200]);
  expect(await usesOf(clientId)).toEqual({
    secret_last_used_at: null,
    previous_secret_last_used_at: null,
    keys_last_used_at: null,
  });
  await useSecret(clientId, clientSecret);
  await untilNoted(clientId, 'secret_last_used_at');
});

it('a client whose secret is hashed again does not wait for a locked record, and its secret is remembered', async () => {
  const { clientId, clientSecret } = await newClient(app.context, 'secret', {
    client_secret: await bcrypt.hash('secret', 5),
  });
  const hash = async () =>
    (await app.context.sql.rows<{ client_secret: string }>('select client_secret from clients'))[0]!.client_secret;
  const stored = await hash();
  expect(statusesOf(await whileHeld(clientId, () => useSecret(clientId, clientSecret)))).toEqual([200, 200]);
  expect(await hash()).toBe(stored);
  expect(app.context.secrets.findRemembered(clientId, clientSecret)).toBe(stored);
});

it('a use is written once a minute, however often the secret is used', async () => {
  const { clientId, clientSecret } = await newClient(app.context);
  await useSecret(clientId, clientSecret);
  const noted = await untilNoted(clientId, 'secret_last_used_at');
  await useSecret(clientId, clientSecret);
  await elapse(1_500);
  expect((await usesOf(clientId)).secret_last_used_at).toBe(noted);
});

it('a use just before the process ends is stored', async () => {
  const { clientId, clientSecret } = await newClient(app.context);
  const { context } = app;
  const other = await startTestApp({ DATABASE_URL: app.database.url });
  await other.post('/introspect', 'token=x', {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  });
  await other.close();
  const [row] = await context.sql.rows<Uses>('select secret_last_used_at from clients where client_id = $1', [
    clientId,
  ]);
  expect(row!.secret_last_used_at).not.toBeNull();
});
