/** A second import undoes nothing of what decides who gets in: what was changed here since the first stays, and is told. */
import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import { type ImportOptions, importFile } from '../../../src/modules/transfer/importFile.js';
import { rotateClientSecret, setClientActive } from '../../../src/services/people/clients.js';
import { updateUser } from '../../../src/services/people/users.js';
import { requireClient } from '../../../src/services/tokens/client.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { renewalBody } from '../../support/tokens.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ BCRYPT_COST: '5' });
});
afterAll(() => app?.close());

const load = (file: unknown, options?: ImportOptions) => importFile(app.context, file, options);
const isAccepted = (clientId: string, clientSecret: string): Promise<boolean> =>
  requireClient(app.context, { clientId, clientSecret }).then(
    () => true,
    () => false,
  );
const newId = (): string => randomUUID().slice(0, 8);
const client = (clientId: string, more: object) => ({ clients: [{ clientId, name: 'Client', ...more }] });

async function storedClient(clientId: string): Promise<Record<string, unknown>> {
  const [row] = await app.context.sql.rows<Record<string, unknown>>('select * from clients where client_id = $1', [
    clientId,
  ]);
  return row!;
}
const auditedFor = async (subject: string) =>
  (
    await app.context.sql.rows<{ detail: object }>(
      'select detail from audit_events where subject_id = $1 order by audit_event_id',
      [subject],
    )
  ).map(({ detail }) => detail);

describe.each([
  ['in clear', (secret: string) => ({ clientSecret: secret })],
  ['as a hash', (secret: string) => ({ clientSecretHash: bcrypt.hashSync(secret, 4) })],
])('a secret that the file has %s', (_how, given) => {
  it('does not come back after a rotation, and that is told', async () => {
    const clientId = newId();
    const file = client(clientId, given('of the file'));
    await load(file);
    const { clientSecret } = await rotateClientSecret(app.context, clientId);
    expect(await load(file)).toEqual({
      created: 0,
      updated: 0,
      removed: 0,
      unchanged: 1,
      kept: { 'clients[0].clientSecret': ['is not the secret that was made here, which stays'] },
      reset: {},
    });
    expect([await isAccepted(clientId, clientSecret), await isAccepted(clientId, 'of the file')]).toEqual([
      true,
      false,
    ]);
    expect((await load({ ...file, clients: [{ ...file.clients[0], name: 'Renamed' }] })).updated).toBe(1);
    expect([await isAccepted(clientId, clientSecret), await isAccepted(clientId, 'of the file')]).toEqual([
      true,
      false,
    ]);
  });

  it('comes back when clients are reset, which is audited', async () => {
    const clientId = newId();
    const file = client(clientId, given('of the file'));
    await load(file);
    await rotateClientSecret(app.context, clientId);
    expect(await load(file, { resetClients: true })).toMatchObject({
      updated: 1,
      kept: {},
      reset: { 'clients[0].clientSecret': ['was another one, made here'] },
    });
    expect(await isAccepted(clientId, 'of the file')).toBe(true);
    expect((await auditedFor(clientId)).at(-1)).toEqual({ fields: ['clientSecret'], resets: ['clientSecret'] });
    expect(await load(file, { resetClients: true })).toMatchObject({ updated: 0, unchanged: 1, reset: {} });
  });

  it('is changed by a file with another one, as long as nobody changed it here', async () => {
    const clientId = newId();
    await load(client(clientId, given('first')));
    expect(await load(client(clientId, given('second')))).toMatchObject({ updated: 1, kept: {} });
    expect(await load(client(clientId, given('third')))).toMatchObject({ updated: 1, kept: {} });
    expect([await isAccepted(clientId, 'second'), await isAccepted(clientId, 'third')]).toEqual([false, true]);
  });

  it('of a client that was made here stays as it is here', async () => {
    const clientId = newId();
    await app.context.sql.rows('insert into clients (client_id, client_secret, name) values ($1, $2, $3)', [
      clientId,
      bcrypt.hashSync('made here', 5),
      'Client',
    ]);
    expect(await load(client(clientId, given('of the file')))).toMatchObject({
      kept: { 'clients[0].clientSecret': [expect.any(String)] },
    });
    expect(await isAccepted(clientId, 'made here')).toBe(true);
    expect(await load(client(clientId, given('made here')))).toMatchObject({ updated: 0 });
  });
});

it('a hash that was made anew of the same secret stays: the file does not weaken it, even when clients are reset', async () => {
  const clientId = newId();
  const file = client(clientId, { clientSecretHash: bcrypt.hashSync('secret', 4) });
  await load(file);
  expect(await isAccepted(clientId, 'secret')).toBe(true);
  const { client_secret: stored } = await storedClient(clientId);
  expect(bcrypt.getRounds(String(stored))).toBe(5);
  expect(await load(file)).toMatchObject({ updated: 0, unchanged: 1, kept: {} });
  expect(await load(file, { resetClients: true })).toMatchObject({ updated: 0, unchanged: 1, reset: {} });
  expect((await storedClient(clientId)).client_secret).toBe(stored);
});

it('a client that was deactivated here stays off, whatever else the file changes, until clients are reset', async () => {
  const clientId = newId();
  const file = client(clientId, { clientSecret: 'secret', isActive: true });
  await load(file);
  await setClientActive(app.context, clientId, false);
  expect(await load(file)).toMatchObject({
    updated: 0,
    unchanged: 1,
    kept: { 'clients[0].isActive': ['was set to false here, and stays so'] },
  });
  await load({ clients: [{ ...file.clients[0], name: 'Renamed' }] });
  expect(await storedClient(clientId)).toMatchObject({ is_active: false, name: 'Renamed' });
  expect(await load(file, { resetClients: true })).toMatchObject({
    updated: 1,
    reset: { 'clients[0].isActive': ['was false, set here'] },
  });
  expect(await isAccepted(clientId, 'secret')).toBe(true);
  expect((await auditedFor(clientId)).at(-1)).toEqual({ fields: ['name', 'isActive'], resets: ['isActive'] });
});

it('what the file itself changed is no change of here: it switches a client off and on', async () => {
  const clientId = newId();
  const load2 = (isActive: boolean) => load(client(clientId, { clientSecret: 'secret', isActive }));
  for (const isActive of [true, false, true, false]) {
    expect(await load2(isActive)).toMatchObject({ kept: {} });
    expect((await storedClient(clientId)).is_active).toBe(isActive);
  }
  // switched on here, off by the file again, and on here again: the last word was said here
  await load2(true);
  await setClientActive(app.context, clientId, false);
  expect(await load2(false)).toMatchObject({ updated: 0, unchanged: 1, kept: {} });
  await setClientActive(app.context, clientId, true);
  expect(await load2(false)).toMatchObject({ kept: { 'clients[0].isActive': ['was set to true here, and stays so'] } });
});

describe('a user', () => {
  const blocked = async (userGuid: string) =>
    (
      await app.context.sql.rows<{ is_blocked: boolean }>('select is_blocked from users where user_guid = $1', [
        userGuid,
      ])
    )[0]!.is_blocked;

  it.each([true, false])('whose isBlocked was set to %s here stays so, and that is told', async (isBlocked) => {
    const userGuid = randomUUID();
    const file = { users: [{ userGuid, firstName: 'Ada', isBlocked: !isBlocked }] };
    await load(file);
    await updateUser(app.context, userGuid, { isBlocked });
    const kept = { 'users[0].isBlocked': [`was set to ${isBlocked} here, and stays so`] };
    expect(await load(file)).toMatchObject({ updated: 0, unchanged: 1, kept });
    expect(await load({ users: [{ ...file.users[0], firstName: 'Augusta' }] })).toMatchObject({ updated: 1, kept });
    expect(await load(file, { resetClients: true })).toMatchObject({ kept });
    expect(await blocked(userGuid)).toBe(isBlocked);
  });

  it('is blocked by the file, and let in again by it', async () => {
    const userGuid = randomUUID();
    for (const isBlocked of [false, true, false]) {
      expect(await load({ users: [{ userGuid, isBlocked }] })).toMatchObject({ kept: {} });
      expect(await blocked(userGuid)).toBe(isBlocked);
    }
    await load({ users: [{ userGuid }] });
    expect(await blocked(userGuid)).toBe(false);
  });

  it('of whom no import knows anything is blocked when either says so', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await app.context.sql.rows(
      'insert into users (user_guid, is_blocked, created_by) values ($1, false, $1), ($2, true, $2)',
      [first, second],
    );
    const file = { users: [first, second].map((userGuid, index) => ({ userGuid, isBlocked: index === 0 })) };
    expect(await load(file)).toMatchObject({ updated: 1, kept: { 'users[1].isBlocked': [expect.any(String)] } });
    expect([await blocked(first), await blocked(second)]).toEqual([true, true]);
  });
});

it('a token that was renewed or revoked here stays so, and both are told', async () => {
  const id = newId();
  const userGuid = randomUUID();
  const token = (name: string) => ({
    userGuid,
    profileId: id,
    token: `${name}-${id}`,
    createdAt: '2026-01-01T00:00:00Z',
    expiresAt: '2099-01-01T00:00:00Z',
  });
  const file = {
    roles: [{ roleId: id, name: 'Role' }],
    users: [{ userGuid }],
    profiles: [{ profileId: id, name: 'Profile' }],
    userProfiles: [{ userGuid, profileId: id, roleId: id }],
    clients: [{ clientId: id, clientSecret: 'secret', name: 'Client' }],
    tokens: [token('renewed'), token('revoked'), token('left')],
  };
  await load(file);
  const renew = (refresh_token: string) =>
    app.post('/token', {
      ...renewalBody(refresh_token),
      profileId: id,
      client_id: id,
      client_secret: 'secret',
    });
  expect((await renew(`renewed-${id}`)).status).toBe(200);
  expect((await app.post('/revoke', { token: `revoked-${id}` })).status).toBe(200);
  expect(await load(file)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 8,
    kept: { 'tokens[0]': ['was renewed here, and no longer works'], 'tokens[1]': ['was revoked here, and stays so'] },
  });
  const longer = file.tokens.map((each) => ({ ...each, expiresAt: '2100-01-01T00:00:00Z' }));
  expect(await load({ tokens: longer }, { resetClients: true })).toMatchObject({ updated: 1, unchanged: 2 });
  const statuses = await Promise.all(
    ['renewed', 'revoked', 'left'].map(async (name) => (await renew(`${name}-${id}`)).status),
  );
  expect(statuses).toEqual([401, 401, 200]);
});
