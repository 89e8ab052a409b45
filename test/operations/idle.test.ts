/** A service without requests reads no keys and seldom wakes, and its first answer knows what changed in the meantime. */
import { readFileSync } from 'node:fs';
import { decodeProtectedHeader } from 'jose';
import { rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { post, startTestApp, type TestApp } from '../support/app.js';
import { elapse, until } from '../support/until.js';
import { newConsumer } from './consumer.js';
import { encryptionKey, startProcess } from './process.js';
import { startProxy } from './proxy.js';

/** Longer than the time after which a service without requests stops reading. */
const quietMs = 2_500;

let app: TestApp;

/** When the service last began to read its keys. */
async function lastReadAt(): Promise<number> {
  const [row] = await app.context.sql.rows<{ at: Date }>(
    `select max(query_start)::timestamptz(3) as at from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like '%signing_keys%'`,
  );
  return new Date(row!.at).getTime();
}

async function newAccessToken(): Promise<string> {
  const { json } = await (await newConsumer(app)).exchange();
  return json.access_token;
}
const validate = async (token: string): Promise<boolean> =>
  (await app.post('/validate-token', { token })).json.is_valid;

/** Another process of the same service. */
const startOther = (settings: Record<string, string>) =>
  startProcess({
    ISSUER_URL: app.context.issuerUrl,
    KEY_ENCRYPTION_KEY: encryptionKey,
    DATABASE_URL: app.database.url,
    ID_TOKEN_ISSUERS: JSON.stringify(app.context.config.idTokenIssuers),
    ...settings,
  });

describe('without requests', () => {
  beforeEach(async () => {
    app = await startTestApp();
  });

  it('the keys are not read, and with the next request they are', async () => {
    const token = await newAccessToken();
    await elapse(quietMs);
    const before = await lastReadAt();
    await elapse(quietMs);
    expect(await lastReadAt()).toBe(before);
    expect(await validate(token)).toBe(true);
    await until(async () => (await lastReadAt()) > before);
  });

  it('a process with metrics wakes less than 50 times a second', async () => {
    const { child } = await startOther({ METRICS_PORT: '0' });
    // proc(5): how often its first thread slept
    const sleeps = () =>
      Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);
    await elapse(quietMs);
    const [before, beganAt] = [sleeps(), performance.now()];
    await elapse(quietMs);
    expect((sleeps() - before) / ((performance.now() - beganAt) / 1_000)).toBeLessThan(50);
  });

  it('the first request refuses a token whose key another process removed', async () => {
    const token = await newAccessToken();
    const { sql, encryptionKeys, config } = app.context;
    await elapse(quietMs);
    await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
    await sql.rows('delete from signing_keys where kid = $1', [decodeProtectedHeader(token).kid]);
    expect(await Promise.all([validate(token), validate(token)])).toEqual([false, false]);
  });
});

it('the first request after a pause is answered by the keys in memory while the database hangs', async () => {
  app = await startTestApp();
  const token = await newAccessToken();
  const proxy = await startProxy(app.database.url);
  // the test ends long before, unless the answer waits for the database
  const other = await startOther({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT_MS: '600000' });
  await elapse(quietMs);
  proxy.freeze();
  const { json } = await post(`${other.url}/validate-token`, { token });
  expect(json).toMatchObject({ is_valid: true });
});
