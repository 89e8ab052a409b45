/** The way out when KEY_ENCRYPTION_KEY is lost: bin/gatehouse on the database of a service that had another one. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { maintainKeys } from '../../src/services/keys/keyMaintenance.js';
import { encryptionKey, startProcess } from '../operations/process.js';
import { post, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const program = fileURLToPath(new URL('../../../bin/gatehouse', import.meta.url));
const newKey = Buffer.alloc(32, 9).toString('base64');
let app: TestApp;

beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

function gatehouse(words: string[], key = newKey) {
  const env = { PATH: process.env.PATH, DATABASE_URL: app.database.url, ISSUER_URL: app.url, KEY_ENCRYPTION_KEY: key };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(program, words, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const stored = () =>
  app.context.sql.rows<{ kid: string; alg: string; state: string; ciphertext: string }>(
    `select kid, alg, state, encode(private_ciphertext, 'hex') as ciphertext from signing_keys order by kid`,
  );

it('with a lost KEY_ENCRYPTION_KEY, new keys sign, access tokens of the old ones are refused, and sessions go on', async () => {
  const { clientId: client_id, clientSecret: client_secret } = await newClient(app.context);
  const holder = await newHolder(app.context);
  const client = { client_id, client_secret, profileId: holder.profileId };
  const session = await app.post('/token', { ...exchangeBody(app.idToken({ sub: holder.userGuid })), ...client });
  expect(session.status).toBe(200);
  const old = await stored();

  const refused = await gatehouse(['keys', 'rotate']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('If it is lost: bin/gatehouse keys replace --lost.');

  const { code, stdout, stderr } = await gatehouse(['keys', 'replace', '--lost', '--yes']);
  expect(code).toBe(0);
  for (const { kid } of old) expect(stderr).toContain(kid);
  const keys = await stored();
  expect(keys.map(({ kid }) => kid).filter((kid) => old.some((key) => key.kid === kid))).toEqual([]);
  expect(keys.map(({ alg, state }) => `${alg} ${state}`).sort()).toEqual([
    'ES256 active',
    'ES256 next',
    'HS256 active',
  ]);
  expect(stdout.trim()).toBe(keys.find(({ alg, state }) => alg === 'ES256' && state === 'active')!.kid);
  const audited = await app.context.sql.rows<{ subject_id: string }>(
    `select subject_id from audit_events where action = 'revoke' and subject_type = 'SigningKey' order by subject_id`,
  );
  expect(audited.map((event) => event.subject_id).sort()).toEqual(old.map(({ kid }) => kid).sort());

  const service = await startProcess({
    DATABASE_URL: app.database.url,
    KEY_ENCRYPTION_KEY: newKey,
    ISSUER_URL: app.url,
  });
  const { access_token: token, refresh_token } = session.json;
  expect((await post(`${service.url}/validate-token`, { token })).status).toBe(400);
  const renewed = await post(`${service.url}/token`, { ...renewalBody(refresh_token), ...client });
  expect(renewed.status).toBe(200);
  expect((await post(`${service.url}/validate-token`, { token: renewed.json.access_token })).status).toBe(200);
  await service.kill();
});

it('without the right KEY_ENCRYPTION_KEY, keys are listed and revoked, but none is created until a process with the right one runs', async () => {
  expect((await gatehouse(['keys', 'rotate'], encryptionKey)).code).toBe(0);
  const before = await stored();
  const { stdout, code } = await gatehouse(['keys', 'list']);
  expect(code).toBe(0);
  for (const { kid } of before) expect(stdout).toContain(kid);
  const kidOf = (state: string) => before.find((key) => key.alg === 'ES256' && key.state === state)!.kid;
  for (const state of ['retired', 'active'])
    expect((await gatehouse(['keys', 'revoke', '--', kidOf(state)])).code).toBe(0);
  const left = before.filter(({ kid }) => kid !== kidOf('retired') && kid !== kidOf('active'));
  expect(await stored()).toEqual(left.map((key) => (key.kid === kidOf('next') ? { ...key, state: 'active' } : key)));

  // what now needs a new key is refused: the only key of access tokens, and the one of renewal tokens
  for (const kid of [kidOf('next'), before.find(({ alg, state }) => alg === 'HS256' && state === 'active')!.kid]) {
    const refused = await gatehouse(['keys', 'revoke', '--', kid]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('set KEY_ENCRYPTION_KEY to the one that the keys were made with');
  }
  expect(await stored()).toHaveLength(left.length);

  await maintainKeys(app.context);
  expect((await stored()).map(({ alg, state }) => `${alg} ${state}`)).toContain('ES256 next');
  expect(app.context.keys.ring().signing.kid).toBe(kidOf('next'));
});

it('keys replace changes nothing without --lost, without a confirmation, and when every key opens', async () => {
  const before = await stored();
  expect(await gatehouse(['keys', 'replace', '--yes'])).toMatchObject({ code: 2, stdout: '' });
  const unconfirmed = await gatehouse(['keys', 'replace', '--lost']);
  expect(unconfirmed).toMatchObject({ code: 2, stdout: '' });
  expect(unconfirmed.stderr).toContain('confirm with --yes');
  const opened = await gatehouse(['keys', 'replace', '--lost', '--yes'], encryptionKey);
  expect(opened).toMatchObject({ code: 1, stdout: '' });
  expect(opened.stderr).toContain('opens every signing key: none is lost');
  expect(await stored()).toEqual(before);
});
