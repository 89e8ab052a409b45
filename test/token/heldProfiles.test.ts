/** POST /profiles and viewer { profiles }: which profiles a person may act in, before the first exchange and after it. */
import { startTestApp, type TestApp } from '../support/app.js';
import { linkProfile, newClient, newHolder, newProfile, newUser } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

let app: TestApp;
let client: { client_id: string; client_secret: string };

const credentialsOf = async (secret?: string) => {
  const { clientId, clientSecret } = await newClient(app.context, secret);
  return { client_id: clientId, client_secret: clientSecret };
};
const profilesOf = (sub: string, more: object = {}) =>
  app.post('/profiles', { id_token: app.idToken({ sub }), ...client, ...more });
const inForm = async (parameters: Record<string, string>, path = '/profiles') => {
  const response = await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(parameters) });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};
const countRows = async () =>
  (
    await app.context.sql.rows(
      'select (select count(*) from tokens) as tokens, (select count(*) from id_token_uses) as uses',
    )
  )[0];

beforeAll(async () => {
  app = await startTestApp();
  client = await credentialsOf();
});
afterAll(() => app.close());

/** A user with profiles of these names, linked in this order, each with its role. */
async function personWith(...roles: string[]) {
  const { user_guid: userGuid, user_id: userId } = await newUser(app.context);
  const profileIds: string[] = [];
  for (const role of roles) {
    const profileId = await newProfile(app.context);
    await linkProfile(app.context, userId, profileId, role);
    profileIds.push(profileId);
  }
  return { userGuid, userId, profileIds };
}

describe('POST /profiles', () => {
  it('lists every profile of the person with name and role, in order of profile id, and no other person’s', async () => {
    await newHolder(app.context);
    const { userGuid, profileIds } = await personWith('member', 'operator', 'member');
    const roles = new Map(profileIds.map((id, index) => [id, ['member', 'operator', 'member'][index]]));
    const answer = await profilesOf(userGuid);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(answer.json)).toEqual(['profiles']);
    const names = await app.context.sql.rows<{ profile_id: string; name: string }>(
      'select profile_id, name from profiles where profile_id = any($1)',
      [profileIds],
    );
    const nameOf = new Map(names.map(({ profile_id, name }) => [profile_id, name]));
    expect(answer.json.profiles).toEqual(
      [...profileIds].sort().map((profileId) => ({
        profileId,
        name: nameOf.get(profileId),
        roleId: roles.get(profileId),
        validUntil: null,
      })),
    );
  });

  it('tells the role that a token would have where several links give several', async () => {
    const { userGuid, userId, profileIds } = await personWith('member');
    await linkProfile(app.context, userId, profileIds[0]!, 'operator');
    const { json } = await profilesOf(userGuid);
    const exchanged = await app.post('/token', {
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId: profileIds[0],
      ...client,
    });
    const { roleId } = JSON.parse(Buffer.from(exchanged.json.access_token.split('.')[1]!, 'base64url').toString());
    expect(json.profiles).toEqual([expect.objectContaining({ profileId: profileIds[0], roleId })]);
  });

  it('answers a person without profiles with an empty list', async () => {
    const { user_guid: userGuid } = await newUser(app.context);
    expect(await profilesOf(userGuid)).toMatchObject({ status: 200, json: { profiles: [] } });
  });

  it('answers a form like JSON, with Basic or the client in the body', async () => {
    const { userGuid } = await personWith('member');
    const { json } = await profilesOf(userGuid);
    expect(await inForm({ id_token: app.idToken({ sub: userGuid }), ...client })).toEqual({ status: 200, json });
  });

  it('issues nothing and writes nothing, and the ID token can be exchanged afterwards, in hardened too', async () => {
    const hardened = await startTestApp({ TOKEN_POLICY: 'hardened' });
    try {
      const { clientId, clientSecret } = await newClient(hardened.context);
      const own = { client_id: clientId, client_secret: clientSecret };
      const { userGuid, profileId } = await newHolder(hardened.context);
      const id_token = hardened.idToken({ sub: userGuid });
      for (let time = 0; time < 2; time++)
        expect(await hardened.post('/profiles', { id_token, ...own })).toMatchObject({ status: 200 });
      const [rows] = await hardened.context.sql.rows(
        'select (select count(*) from tokens) as tokens, (select count(*) from id_token_uses) as uses',
      );
      expect(rows).toEqual({ tokens: '0', uses: '0' });
      const exchanged = await hardened.post('/token', { ...exchangeBody(id_token), profileId, ...own });
      expect(exchanged.status).toBe(200);
    } finally {
      await hardened.close();
    }
  });

  it.each([
    ['an unknown client', 401, { client_id: 'nobody' }, { error: 'Invalid client credentials' }],
    ['a wrong secret', 401, { client_secret: 'wrong' }, { error: 'Invalid client credentials' }],
    ['no ID token', 401, { id_token: null }, undefined],
    ['a bad ID token', 401, { id_token: 'bad' }, undefined],
  ])('refuses %s as the exchange does', async (_name, status, more, json) => {
    const { userGuid, profileIds } = await personWith('member');
    const before = await countRows();
    const answer = await profilesOf(userGuid, more);
    const exchanged = await app.post('/token', {
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId: profileIds[0],
      ...client,
      ...more,
    });
    expect(answer.status).toBe(status);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: exchanged.status, text: exchanged.text });
    if (json) expect(answer.json).toEqual(json);
    expect(await countRows()).toEqual(before);
  });

  it('judges the client before the ID token', async () => {
    const answer = await app.post('/profiles', {
      id_token: 'bad',
      client_id: client.client_id,
      client_secret: 'wrong',
    });
    expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid client credentials' }]);
  });

  it('refuses unknown and blocked people with 400 Invalid profile, in a form invalid_target', async () => {
    const { userGuid, userId } = await personWith('member');
    await app.context.sql.rows('update users set is_blocked = true where user_id = $1', [userId]);
    for (const sub of [userGuid, '7c1e0f52-3a5b-4d7e-9a2f-0d6f1b8e4c33']) {
      const answer = await profilesOf(sub);
      expect([answer.status, answer.text]).toEqual([400, 'Invalid profile']);
      const form = await inForm({ id_token: app.idToken({ sub }), ...client });
      expect([form.status, form.json.error]).toEqual([400, 'invalid_target']);
    }
  });

  it('names missing fields as /token does', async () => {
    const answer = await app.post('/profiles', { id_token: 'x' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json.errors)).toEqual(['client_id', 'client_secret']);
    expect(await inForm(client)).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  it('refuses an ID token that was issued before its person signed out at the provider', async () => {
    const { userGuid } = await personWith('member');
    const id_token = app.idToken({ sub: userGuid, sid: 'session-of-the-provider' });
    expect(await app.post('/profiles', { id_token, ...client })).toMatchObject({ status: 200 });
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const signedOut = await fetch(`${app.url}/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({
        logout_token: app.idToken({ sub: userGuid, sid: 'session-of-the-provider', events, jti: 'logout-of-profiles' }),
      }),
    });
    expect(signedOut.status).toBe(200);
    expect(await app.post('/profiles', { id_token, ...client })).toMatchObject({ status: 401, text: '' });
  });

  it('asks a client that must send a proof for one', async () => {
    const { client_id, client_secret } = await credentialsOf();
    await app.context.sql.rows('update clients set dpop_required = true where client_id = $1', [client_id]);
    const { userGuid } = await personWith('member');
    const answer = await profilesOf(userGuid, { client_id, client_secret });
    expect([answer.status, answer.json]).toEqual([400, { error: 'invalid_dpop_proof' }]);
  });

  it('is limited like the token endpoint: wrong secrets are counted together', async () => {
    const limited = await startTestApp({ CLIENT_FAILURE_LIMIT: '2' });
    try {
      const { clientId } = await newClient(limited.context);
      const wrong = { id_token: 'x', client_id: clientId, client_secret: 'wrong' };
      const statuses = [];
      for (let time = 0; time < 3; time++) statuses.push((await limited.post('/profiles', wrong)).status);
      expect(statuses).toEqual([401, 401, 429]);
      const exchanged = await limited.post('/token', { ...exchangeBody('x'), profileId: 'p', ...wrong });
      expect(exchanged.status).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('viewer { profiles }', () => {
  it('lists the same for every valid access token, without any permission', async () => {
    const { userGuid, profileIds } = await personWith('member', 'operator');
    const { json } = await profilesOf(userGuid);
    const exchanged = await app.post('/token', {
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId: profileIds[1],
      ...client,
    });
    const asked = await app.post(
      '/graphql',
      { query: '{ viewer { profileId profiles { profileId name roleId validUntil } } }' },
      { authorization: `Bearer ${exchanged.json.access_token}` },
    );
    expect(asked.json).toEqual({ data: { viewer: { profileId: profileIds[1], profiles: json.profiles } } });
  });
});
