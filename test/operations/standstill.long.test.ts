/** A process that stood still, as after SIGSTOP or on a suspended machine: what it read before is read again before it is used. */
import { decodeProtectedHeader } from 'jose';
import { watchStandstills } from '../../src/services/keys/keyMaintenance.js';
import { rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { post, startTestApp, type TestApp } from '../support/app.js';
import { elapse } from '../support/until.js';
import { newConsumer } from './consumer.js';
import { encryptionKey, type ServiceProcess, startProcess } from './process.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

const stopMs = 1_500;

let app: TestApp;
let proxy: DatabaseProxy;
let other: ServiceProcess;
beforeEach(async () => {
  const settings = { ISSUER_URL: 'http://gatehouse.example', KEY_ENCRYPTION_KEY: encryptionKey };
  app = await startTestApp(settings);
  proxy = await startProxy(app.database.url);
  const issuers = JSON.stringify(app.context.config.idTokenIssuers);
  other = await startProcess({
    ...settings,
    DATABASE_URL: proxy.url,
    DATABASE_TIMEOUT_MS: '5000',
    ID_TOKEN_ISSUERS: issuers,
  });
});

async function newAccessToken(): Promise<string> {
  const { json } = await (await newConsumer(app)).exchange();
  return json.access_token;
}
const isValidAtOther = async (token: string): Promise<boolean> =>
  (await post(`${other.url}/validate-token`, { token })).json.is_valid;

/** What the other process says of the token in its first answer after it stood still, during which something happened. */
async function firstAnswerAfter(happens: () => Promise<unknown>, token: string): Promise<boolean> {
  process.kill(other.child.pid!, 'SIGSTOP');
  await happens();
  // it is there when the process goes on
  const answer = isValidAtOther(token);
  await elapse(stopMs);
  process.kill(other.child.pid!, 'SIGCONT');
  return answer;
}

/** Another key signs, and this token's is no longer one. */
async function revokeKeyOf(token: string): Promise<void> {
  const { sql, encryptionKeys, config } = app.context;
  await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
  await sql.rows('delete from signing_keys where kid = $1', [decodeProtectedHeader(token).kid]);
}

it('the first answer of a process that stood still knows that a key was revoked meanwhile', async () => {
  const token = await newAccessToken();
  expect(await isValidAtOther(token)).toBe(true);
  expect(await firstAnswerAfter(() => revokeKeyOf(token), token)).toBe(false);
});

it('so does the first answer where the connections to the database broke meanwhile', async () => {
  const token = await newAccessToken();
  expect(await isValidAtOther(token)).toBe(true);
  const happens = async () => {
    await revokeKeyOf(token);
    await proxy.cut();
    await proxy.restore();
  };
  expect(await firstAnswerAfter(happens, token)).toBe(false);
});

it('a process that stood still and finds the database away answers by the keys that it has', async () => {
  const token = await newAccessToken();
  expect(await isValidAtOther(token)).toBe(true);
  expect(await firstAnswerAfter(() => proxy.cut(), token)).toBe(true);
});

it('while the database does not answer, a process that runs answers by the keys that it has', async () => {
  const token = await newAccessToken();
  expect(await isValidAtOther(token)).toBe(true);
  proxy.freeze();
  await elapse(stopMs);
  for (let count = 0; count < 20; count++) expect(await isValidAtOther(token)).toBe(true);
});

it('a standstill is seen by either clock, once', () => {
  let [monotonic, wall] = [0, 0];
  const { count } = watchStandstills(
    () => monotonic,
    () => wall,
  );
  const after = (monotonicMs: number, wallMs: number) => {
    monotonic += monotonicMs;
    wall += wallMs;
    return count();
  };
  expect(after(1_400, 1_400)).toBe(0);
  expect(after(60_000, 60_000)).toBe(1);
  expect(after(200, 200)).toBe(1);
  // a suspended machine
  expect(after(1, 60_000)).toBe(2);
  // the clock is set back
  expect(after(200, -60_000)).toBe(2);
  expect(after(200, 200)).toBe(2);
});
