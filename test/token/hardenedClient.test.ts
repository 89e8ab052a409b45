/** One client is hardened while the service and its other clients are as documented. */
import { decodeJwt } from 'jose';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { exportedText } from '../support/exportedText.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

type Client = { clientId: string; clientSecret: string };
let app: TestApp;
let strict: Client;
let other: Client;
beforeAll(async () => {
  app = await startTestApp({ ADMIN_AUTH: 'none' });
});
beforeEach(async () => {
  strict = await newClient(app.context, 'strict secret', { policy: 'hardened' });
  other = await newClient(app.context, 'other secret');
});
afterAll(() => app?.close());

const as = (who: Client) => ({ client_id: who.clientId, client_secret: who.clientSecret });
async function issue(who: Client, holder?: { userGuid: string; profileId: string }) {
  const { userGuid, profileId } = holder ?? (await newHolder(app.context));
  const { json } = await app.post('/token', {
    ...exchangeBody(app.idToken({ sub: userGuid })),
    profileId,
    ...as(who),
  });
  const { access_token, refresh_token } = json as Record<string, string>;
  return { access_token: access_token!, refresh_token: refresh_token!, profileId, userGuid };
}
const renew = (token: string, profileId: string, who: Client): Promise<Answer> =>
  app.post('/token', { ...renewalBody(token), profileId, ...as(who) });
const form = async (path: string, parameters: Record<string, string>): Promise<Answer> =>
  readAnswer(await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(parameters) }));
const statusAndText = ({ status, text }: Answer) => [status, text];
const clientWanted = [401, '{"error":"Invalid client credentials"}'];
const gone = [404, '{"status":"token_not_found_or_already_revoked"}'];
const documentedClaims = ['aud', 'exp', 'iat', 'iss', 'profileId', 'roleId', 'scopes', 'sub'];
const recordOf = async (userGuid: string) =>
  (await app.context.sql.rows<Record<string, unknown>>('select * from tokens where user_id = $1', [userGuid]))[0]!;

it('the other clients have the documented claims, records without a client, and their tokens may be used by anybody', async () => {
  const { access_token, refresh_token, userGuid, profileId } = await issue(other);
  expect(Object.keys(decodeJwt(access_token)).sort()).toEqual(documentedClaims);
  const second = await newClient(app.context, 'second secret');
  const renewed = await renew(refresh_token, 'another profile', second);
  expect(renewed.status).toBe(200);
  expect(await recordOf(userGuid)).toMatchObject({ client_id: null, created_by_ip: null });
  expect((await renew(refresh_token, profileId, other)).status).toBe(401);
  expect((await app.post('/validate-token', { token: renewed.json.access_token })).status).toBe(200);
  expect((await app.post('/revoke', { token: renewed.json.refresh_token })).status).toBe(200);
});

it('names of other clients at /revoke and /validate-token count for nothing, as documented', async () => {
  const { access_token, refresh_token } = await issue(other);
  const wrong = { client_id: other.clientId, client_secret: 'wrong' };
  expect((await app.post('/validate-token', { token: access_token, ...wrong })).status).toBe(200);
  expect((await app.post('/revoke', { token: refresh_token, ...wrong })).status).toBe(200);
});

it('a token of the hardened client is renewed, revoked and told by no other client', async () => {
  const { refresh_token, profileId } = await issue(strict);
  expect(statusAndText(await renew(refresh_token, profileId, other))).toEqual([401, '']);
  expect(statusAndText(await app.post('/revoke', { token: refresh_token, ...as(other) }))).toEqual(gone);
  expect(statusAndText(await form('/revoke', { token: refresh_token, ...as(other) }))).toEqual([200, '']);
  expect((await form('/introspect', { token: refresh_token, ...as(other) })).json).toEqual({ active: false });
  expect((await renew(refresh_token, profileId, strict)).status).toBe(200);
});

it('a record of a client that is hardened no more is still nothing to another hardened client', async () => {
  const { refresh_token, profileId } = await issue(strict);
  await app.context.sql.rows('update clients set policy = null where client_id = $1', [strict.clientId]);
  const second = await newClient(app.context, 'second secret', { policy: 'hardened' });
  expect(statusAndText(await renew(refresh_token, profileId, second))).toEqual([401, '']);
  expect(statusAndText(await app.post('/revoke', { token: refresh_token, ...as(second) }))).toEqual(gone);
  expect((await form('/introspect', { token: refresh_token, ...as(second) })).json).toEqual({ active: false });
  expect((await renew(refresh_token, profileId, other)).status).toBe(200);
});

it('its tokens need credentials at /revoke and /validate-token, whether live, used or ended', async () => {
  const { access_token, refresh_token, profileId } = await issue(strict);
  const { json } = await renew(refresh_token, profileId, strict);
  for (const token of [refresh_token, json.refresh_token])
    for (const who of [{}, { ...as(strict), client_secret: 'wrong' }, { client_id: strict.clientId }])
      expect(statusAndText(await app.post('/revoke', { token, ...who }))).toEqual(clientWanted);
  expect(statusAndText(await app.post('/validate-token', { token: access_token }))).toEqual(clientWanted);
  expect((await app.post('/validate-token', { token: access_token, ...as(other) })).status).toBe(200);
  expect((await app.post('/revoke', { token: json.refresh_token, ...as(strict) })).status).toBe(200);
  expect(statusAndText(await app.post('/revoke', { token: json.refresh_token }))).toEqual(clientWanted);
  expect((await app.post('/validate-token', { token: access_token, ...as(other) })).status).toBe(400);
});

it('a request with a hardened client’s credentials is judged as hardened, whoever has the token', async () => {
  const { access_token, refresh_token, profileId, userGuid } = await issue(other);
  const wrong = { client_id: strict.clientId, client_secret: 'wrong' };
  for (const [path, token] of [
    ['/validate-token', access_token],
    ['/validate-token', 'unknown'],
    ['/revoke', refresh_token],
    ['/revoke', 'unknown'],
  ] as const)
    expect(statusAndText(await app.post(path, { token, ...wrong }))).toEqual(clientWanted);
  expect(statusAndText(await renew(refresh_token, 'another profile', strict))).toEqual([401, '']);
  expect((await renew(refresh_token, profileId, strict)).status).toBe(200);
  expect(await recordOf(userGuid)).toMatchObject({ client_id: strict.clientId });
});

it('a used token of its session ends the session, whoever brings it', async () => {
  const { refresh_token, profileId, userGuid } = await issue(strict);
  const { json } = await renew(refresh_token, profileId, strict);
  expect((await renew(refresh_token, profileId, other)).status).toBe(401);
  expect(await recordOf(userGuid)).toMatchObject({ is_revoked: true, revoked_by: 'reuse' });
  expect((await renew(json.refresh_token, profileId, strict)).status).toBe(401);
});

it('a session that was ended stays as it was ended, whatever used token of it comes again', async () => {
  const { refresh_token, profileId, userGuid } = await issue(strict);
  const { json } = await renew(refresh_token, profileId, strict);
  expect((await app.post('/revoke', { token: json.refresh_token, ...as(strict) })).status).toBe(200);
  const ended = await recordOf(userGuid);
  expect(ended).toMatchObject({ is_revoked: true, revoked_by: `client ${strict.clientId}` });
  expect((await renew(refresh_token, profileId, strict)).status).toBe(401);
  expect(await recordOf(userGuid)).toEqual(ended);
});

it('takes an ID token once for each profile, and the others as often as it comes', async () => {
  const holder = await newHolder(app.context);
  const body = { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId };
  const statuses: number[] = [];
  for (const who of [other, strict, strict, other])
    statuses.push((await app.post('/token', { ...body, ...as(who) })).status);
  expect(statuses).toEqual([200, 200, 401, 200]);
});

it('hardened and hardened no more, a client is judged so from its next request, and its sessions go on', async () => {
  const update = (input: object) =>
    app.post('/graphql', {
      query:
        'mutation ($id: ID!, $input: UpdateClientInput!) { updateClient(clientId: $id, input: $input) { policy } }',
      variables: { id: other.clientId, input },
    });
  const { refresh_token, profileId } = await issue(other);
  expect((await update({ policy: 'hardened' })).json.data.updateClient).toEqual({ policy: 'hardened' });
  expect(statusAndText(await renew(refresh_token, 'another profile', other))).toEqual([401, '']);
  const { json } = await renew(refresh_token, profileId, other);
  expect(decodeJwt(json.access_token)).toMatchObject({ client_id: other.clientId, sid: expect.any(String) });
  expect((await update({ policy: null })).json.data.updateClient).toEqual({ policy: null });
  const { json: after } = await renew(json.refresh_token, 'another profile', other);
  expect(Object.keys(decodeJwt(after.access_token)).sort()).toEqual(documentedClaims);
  expect((await update({ policy: 'strict' })).json.errors[0].extensions.problems).toEqual({
    'input.policy': ['The policy field must be hardened, or null for the policy of the service.'],
  });
});

it('an import sets the policy and an export tells it', async () => {
  const row = { clientId: 'imported', name: 'Imported', clientSecret: 'a secret of an import' };
  const policies: unknown[] = [];
  for (const policy of ['hardened', null]) {
    await importFile(app.context, { clients: [{ ...row, policy }] });
    const { clients } = JSON.parse(await exportedText(app.context, { clients: true })) as {
      clients: Record<string, unknown>[];
    };
    policies.push(clients.find(({ clientId }) => clientId === 'imported')!.policy);
  }
  expect(policies[0]).toBe('hardened');
  expect(policies[1] ?? null).toBeNull();
  await expect(importFile(app.context, { clients: [{ ...row, policy: 'soft' }] })).rejects.toMatchObject({
    more: { problems: { 'clients[0].policy': [expect.stringContaining('must be hardened')] } },
  });
});
