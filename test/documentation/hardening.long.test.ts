/** docs/hardening.md: its commands in their order, as they stand there, from the rehearsal to clients that are hardened. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { policyReasons } from '../../src/modules/insight/findPolicyReadiness.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(root, 'docs/hardening.md'), 'utf8');
const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands!);

let app: TestApp;
let environment: Record<string, string>;
const portal = { client_id: 'portal', client_secret: 'portal-secret' };
beforeAll(async () => {
  app = await startTestApp({ TOKEN_POLICY: 'rehearsal', USAGE_RETENTION_DAYS: '30' });
  const { context, database, provider, url } = app;
  await context.sql.rows('update clients set is_active = false');
  const { clientId } = await newClient(context, portal.client_secret);
  await context.sql.rows('update clients set client_id = $2 where client_id = $1', [clientId, portal.client_id]);
  environment = {
    PATH: process.env.PATH!,
    DATABASE_URL: database.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ISSUER_URL: url,
    PORT: new URL(url).port,
    TOKEN_POLICY: 'rehearsal',
    ID_TOKEN_ISSUERS: JSON.stringify([{ issuer: provider.issuer, audience: 'a', idpname: 'names', subject: 'idpid' }]),
    GATEHOUSE: url,
  };
});
afterAll(() => app?.close());

async function run(commands: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', commands], { cwd: root, env: environment });
  return stdout + stderr;
}

/** Counts are written some seconds after the answers. */
function untilPrinted(commands: string, wanted: RegExp): Promise<string> {
  return until(async () => {
    const output = await run(commands);
    return wanted.test(output) && output;
  });
}

it('every command of the walk does what it says, in the order of the document', async () => {
  const [doctor, usage, owners, harden, undo] = blocks;
  const { userGuid, profileId } = await newHolder(app.context);
  const issue = async () =>
    (await app.post('/token', { ...exchangeBody(app.idToken({ sub: userGuid })), profileId, ...portal })).json;
  const { refresh_token: renewal, access_token: access } = await issue();
  expect((await app.post('/revoke', { token: renewal })).json).toEqual({ status: 'success' });
  expect((await app.post('/validate-token', { token: access })).status).toBe(200);
  const output = await untilPrinted(doctor!, /validate-token/);
  expect(output).toMatch(/ok {6}rehearsal {12}0 of 1 clients are ready for TOKEN_POLICY=hardened\n/);
  expect(output).toContain('"portal" sends no client credentials at /revoke: 1 times');
  expect(output).toContain('a caller without a client sends no client credentials at /validate-token: 1 times');
  await untilPrinted(usage!, /POST \/validate-token/);
  const { data } = JSON.parse((await run(owners!)).split('\n')[0]!);
  expect(data.policyReadiness.unready).toMatchObject([
    { client: { clientId: 'portal' }, findings: [{ operation: '/revoke', advice: expect.stringContaining('Send') }] },
  ]);
  expect(await run(harden!)).toContain('The client portal is hardened.');
  expect(await run(doctor!)).toContain('1 of 1 clients are ready');
  const hardened = (await issue()).refresh_token;
  expect((await app.post('/revoke', { token: hardened })).status).toBe(401);
  expect(await run(undo!)).toContain('The client portal has the policy of the service.');
  expect((await app.post('/revoke', { token: hardened })).status).toBe(200);
  expect(blocks).toHaveLength(5);
});

it('the table has every reason, as the graph names it', () => {
  const named = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!.replaceAll('_', '').toLowerCase());
  expect(named.sort()).toEqual(policyReasons.map((reason) => reason.toLowerCase()).sort());
});
