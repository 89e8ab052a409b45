/** The refresh grant of POST /token, sentence by sentence of the specification, then of the design. */
import { decodeJwt } from 'jose';
import {
  importedToken,
  insert,
  linkProfile,
  newClient,
  newHolder,
  newScope,
  newScopeType,
} from '../support/records.js';
import { app, issued, recordOf, renew, startTokenApp } from '../support/tokenApp.js';

beforeAll(startTokenApp);
afterAll(() => app.close());

describe('the refresh grant', () => {
  it('rewrites the same record: new token, new times, and the old value stops working', async () => {
    const { answer, userGuid, profileId } = await issued();
    const before = await recordOf(answer.json.refresh_token);
    const renewed = await renew(answer.json.refresh_token);
    expect(renewed.status).toBe(200);
    expect(renewed.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const after = await recordOf(renewed.json.refresh_token);
    const claims = decodeJwt(renewed.json.refresh_token) as Record<string, string>;
    expect(after).toMatchObject({
      id: before!.id,
      user_id: userGuid,
      profile_id: profileId,
      created_at: claims.created_at,
      expires_at: claims.expires_at,
      is_revoked: false,
    });
    expect(decodeJwt(renewed.json.access_token)).toMatchObject({
      sub: userGuid,
      profileId,
      roleId: 'member',
      aud: ['GRID', 'IOT'],
    });
    const again = await renew(answer.json.refresh_token);
    expect([again.status, again.text]).toEqual([401, '']);
    expect((await renew(renewed.json.refresh_token)).status).toBe(200);
  });

  it('takes one statement', async () => {
    const { answer } = await issued();
    app.takeStatements();
    await renew(answer.json.refresh_token);
    expect(app.takeStatements()).toHaveLength(1);
  });

  it('succeeds once, however many use the token at the same moment', async () => {
    const { answer } = await issued();
    const answers = await Promise.all(Array.from({ length: 100 }, () => renew(answer.json.refresh_token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(99);
    expect(answers.filter(({ status }) => status === 401).every(({ text }) => text === '')).toBe(true);
  });

  it('racing a revocation never leaves a live token after the revocation answered 200', async () => {
    for (let round = 0; round < 20; round++) {
      const { answer } = await issued();
      const [renewed, revoked] = await Promise.all([
        renew(answer.json.refresh_token),
        app.post('/revoke', { token: answer.json.refresh_token }),
      ]);
      expect([renewed.status, revoked.status]).toEqual(revoked.status === 200 ? [401, 200] : [200, 404]);
    }
  });

  it('gives role and scopes as they are now', async () => {
    const { answer, userId, profileId } = await issued();
    await app.context.sql.rows('delete from user_profiles where user_id = $1', [userId]);
    await linkProfile(app.context, userId, profileId, 'promoted');
    const type = await newScopeType(app.context);
    await newScope(app.context, type, profileId, { access_scope_key: 'new' });
    const { json } = await renew(answer.json.refresh_token);
    expect(decodeJwt(json.access_token)).toMatchObject({
      roleId: 'promoted',
      scopes: [expect.stringMatching(/:new$/)],
    });
  });

  it.each([
    ['the user is blocked', 'update users set is_blocked = true where user_guid = $1'],
    ['the link is gone', 'delete from user_profiles where user_id = (select user_id from users where user_guid = $1)'],
    ['it is revoked', 'update tokens set is_revoked = true where user_id = $1'],
    ['it is expired', 'update tokens set expires_at = now() where user_id = $1'],
    ['its record is gone', 'delete from tokens where user_id = $1'],
  ])('answers 401 with zero bytes when %s', async (_name, statement) => {
    const { answer, userGuid } = await issued();
    await app.context.sql.rows(statement, [userGuid]);
    const refused = await renew(answer.json.refresh_token);
    expect([refused.status, refused.text]).toEqual([401, '']);
  });

  it.each([
    undefined,
    null,
    '',
    'x',
    'x\0',
    '\ud800',
    'x'.repeat(5_000),
  ])('answers 401 with zero bytes to the token %j', async (token) => {
    const refused = await renew(token);
    expect([refused.status, refused.text]).toEqual([401, '']);
  });

  it('never renews for a wrong secret, also when the right one was seen just before', async () => {
    const { answer } = await issued();
    expect((await renew(answer.json.refresh_token, { client_secret: 'wrong' })).json).toEqual({
      error: 'Invalid client credentials',
    });
    expect((await renew(answer.json.refresh_token)).status).toBe(200);
  });

  it('issues the profile of the record, whatever profileId is sent', async () => {
    const { answer, profileId } = await issued();
    const { json } = await renew(answer.json.refresh_token, { profileId: 'another' });
    expect(decodeJwt(json.access_token).profileId).toBe(profileId);
  });

  it("renews an old service's opaque token, stored as its hash, into one of ours", async () => {
    const holder = await newHolder(app.context);
    const token = 'an opaque token of the old service';
    await insert(app.context.sql, 'tokens', {
      user_id: holder.userGuid,
      profile_id: holder.profileId,
      ...importedToken(token),
      created_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
    });
    const { status, json } = await renew(token);
    expect(status).toBe(200);
    expect((await renew(token)).status).toBe(401);
    expect((await renew(json.refresh_token)).status).toBe(200);
  });

  it('accepts the previous secret of a client until its end, and its new one at once', async () => {
    const hash = (secret: string) => app.context.secrets.hash(secret);
    const rotated = await newClient(app.context, 'new', {
      previous_secret: await hash('old'),
      previous_secret_ends_at: new Date(Date.now() + 60_000),
    });
    const as = (client_secret: string) => ({ client_id: rotated.clientId, client_secret });
    const { answer } = await issued();
    const first = await renew(answer.json.refresh_token, as('old'));
    const second = await renew(first.json.refresh_token, as('new'));
    expect([first.status, second.status]).toEqual([200, 200]);
    await app.context.sql.rows('update clients set previous_secret_ends_at = now() where client_id = $1', [
      rotated.clientId,
    ]);
    expect((await renew(second.json.refresh_token, as('old'))).json).toEqual({ error: 'Invalid client credentials' });
    expect((await renew(second.json.refresh_token, as('new'))).status).toBe(200);
  });

  it('rehashes a secret of another cost at its first success', async () => {
    const bcrypt = await import('bcrypt');
    const { clientId, clientSecret } = await newClient(app.context, 'costly', {
      client_secret: await bcrypt.default.hash('costly', 5),
    });
    const { answer } = await issued();
    const renewed = await renew(answer.json.refresh_token, { client_id: clientId, client_secret: clientSecret });
    expect(renewed.status).toBe(200);
    const [row] = await app.context.sql.rows<{ client_secret: string }>(
      'select client_secret from clients where client_id = $1',
      [clientId],
    );
    expect(row!.client_secret).toMatch(/^\$2b\$04\$/);
    expect((await renew(renewed.json.refresh_token, { client_id: clientId, client_secret: clientSecret })).status).toBe(
      200,
    );
  });
});
