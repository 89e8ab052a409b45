/** Renewal tokens of the services before, imported: they go on working, once, and end for good. */
import { createHash } from 'node:crypto';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { completeFile } from '../../support/completeFile.js';
import { renewalBody } from '../../support/tokens.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const load = (file: unknown) => importFile(app.context, file);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const renew = async (refresh_token: string, file: ReturnType<typeof completeFile>) =>
  app.post('/token', {
    ...renewalBody(refresh_token),
    profileId: file.profiles[0]!.profileId,
    client_id: file.clients[0]!.clientId,
    client_secret: file.clients[0]!.clientSecret,
  });

it('a renewal token of an old service goes on working, and not once more when it is imported again after its renewal', async () => {
  const file = completeFile();
  await load(file);
  const { token } = file.tokens[0]!;
  const first = await renew(token, file);
  expect(first.status).toBe(200);
  expect(await load(file)).toMatchObject({ created: 0, updated: 0, unchanged: 13 });
  expect((await renew(token, file)).status).toBe(401);
  expect((await renew(first.json.refresh_token, file)).status).toBe(200);
});

it('a renewal token of an old service may be given by its hash', async () => {
  const file = completeFile();
  const { token, ...others } = file.tokens[0]!;
  await load({ ...file, tokens: [{ ...others, tokenSha256: sha256(token).toUpperCase() }] });
  expect((await renew(token, file)).status).toBe(200);
  await load(file);
  expect((await renew(token, file)).status).toBe(401);
});

it('a renewal token of an old service stays revoked, whatever is imported', async () => {
  const file = completeFile();
  await load(file);
  const { token } = file.tokens[0]!;
  expect((await app.post('/revoke', { token })).status).toBe(200);
  await load(file);
  expect((await renew(token, file)).status).toBe(401);
});

it('a renewal token of an old service is revoked by a file that says so', async () => {
  const file = completeFile();
  await load(file);
  await load({ tokens: [{ ...file.tokens[0], isRevoked: true, revokedAt: '2026-01-01T00:00:00Z' }] });
  expect((await renew(file.tokens[0]!.token, file)).status).toBe(401);
});

it('a renewal token of this service itself keeps its record', async () => {
  const file = completeFile();
  await load(file);
  const { json } = await renew(file.tokens[0]!.token, file);
  const second = await renew(json.refresh_token, file);
  const spent = { ...file.tokens[0], token: json.refresh_token } as Record<string, unknown>;
  delete spent.id;
  expect(await load({ tokens: [spent] })).toMatchObject({ created: 0, unchanged: 1 });
  expect((await renew(json.refresh_token, file)).status).toBe(401);
  expect((await renew(second.json.refresh_token, file)).status).toBe(200);
});
