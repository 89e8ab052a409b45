/** A record is found by its uuid, and has the token whose hash it bears: no index has what a renewal changes. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type Imported, importFile } from '../../src/modules/transfer/importFile.js';
import { revokeKey } from '../../src/services/keys/rotateKey.js';
import { exchange } from '../../src/services/tokens/exchange.js';
import { renew } from '../../src/services/tokens/renew.js';
import { revoke } from '../../src/services/tokens/revoke.js';
import { introspect } from '../../src/services/tokens/validate.js';
import type { Sql } from '../../src/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';

type Client = { clientId: string; clientSecret: string };
interface Session {
  userGuid: string;
  profileId: string;
  token: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the connection has done to the records so far; it begins anew now and then, but not within a transaction. */
async function counted({ rows }: Sql): Promise<Record<'updates' | 'hot' | 'scans', number>> {
  const [row] = await rows<Record<'updates' | 'hot' | 'scans', number>>(
    `select n_tup_upd::int as updates, n_tup_hot_upd::int as hot, seq_scan::int as scans
     from pg_stat_xact_user_tables where relname = 'tokens'`,
  );
  return row!;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** As another installation of this service makes them, or a forger: of a key that is not ours. */
function foreignToken(jti: string, sub: string = randomUUID()): string {
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:00:00.000Z' };
  const input = `${encode({ alg: 'HS256', typ: 'rt+jwt', kid: 'another' })}.${encode({ iss: 'https://another.example', sub, ...times, jti })}`;
  return `${input}.${createHmac('sha256', 'another key').update(input).digest('base64url')}`;
}

describe.each(['documented', 'hardened'] as const)('%s', (policy) => {
  let app: TestApp;
  let client: Client;
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy });
    client = await newClient(app.context);
  });
  afterAll(() => app.close());

  async function signIn(): Promise<Session> {
    const { userGuid, profileId } = await newHolder(app.context);
    const idToken = app.idToken({ sub: userGuid });
    const issued = await exchange(app.context, { ...client, idToken, profileId, dialect: 'documented' });
    return { userGuid, profileId, token: issued.refresh_token };
  }
  const use = ({ token, profileId }: Session, context = app.context) =>
    renew(context, { ...client, refreshToken: token, profileId, dialect: 'documented' });
  const end = (token: string, context = app.context) =>
    revoke(context, token, { clientId: client.clientId, isAuthenticated: true });
  const isActive = async (token: string, context = app.context) =>
    (await introspect(context, token, client)) !== undefined;
  const isTaken = (session: Session): Promise<boolean> =>
    use(session).then(
      () => true,
      (error: { reason?: string }) => {
        expect(error.reason).toBe('invalidRenewalToken');
        return false;
      },
    );

  /** Imports the token for somebody who holds a profile. */
  async function bring(token: string, more: object = {}, byHash = false): Promise<Session & { imported: Imported }> {
    const { userGuid, profileId } = await newHolder(app.context);
    return { userGuid, profileId, token, imported: await load(rowOf({ userGuid, profileId, token }, byHash, more)) };
  }
  const rowOf = ({ userGuid, profileId, token }: Session, byHash = false, more: object = {}) => ({
    userGuid,
    profileId,
    ...(byHash ? { tokenSha256: sha256(token) } : { token }),
    createdAt: '2026-01-01T00:00:00Z',
    expiresAt: '2099-01-01T00:00:00Z',
    ...more,
  });
  const load = (...tokens: object[]): Promise<Imported> => importFile(app.context, { tokens });
  const countRecords = async ({ userGuid }: Session): Promise<number> =>
    (await app.context.sql.rows('select 1 from tokens where user_id = $1', [userGuid])).length;

  it('a renewal changes no index', async () => {
    const sessions = [await signIn(), await signIn(), await signIn()];
    await app.context.sql.transaction(async (sql) => {
      const before = await counted(sql);
      for (const session of sessions) await use(session, { ...app.context, sql });
      const { updates, hot } = await counted(sql);
      expect([updates - before.updates, hot - before.hot]).toEqual([3, 3]);
    });
  });

  it('no way to a record reads the whole table', async () => {
    await app.context.sql.rows(
      `insert into tokens (user_id, profile_id, token, created_at, expires_at)
       select gen_random_uuid(), 'nobody''s', sha256(n::text::bytea), now(), now() + interval '1 day' from generate_series(1, 5000) n`,
    );
    await app.context.sql.rows('analyze tokens');
    const own = await signIn();
    const others = [await bring(`renewed ${randomUUID()}`), await bring(`revoked ${randomUUID()}`)];
    await app.context.sql.transaction(async (sql) => {
      const context = { ...app.context, sql };
      const before = await counted(sql);
      const { refresh_token } = await use(own, context);
      await expect(use(own, context)).rejects.toMatchObject({ reason: 'invalidRenewalToken' });
      await use(others[0]!, context);
      expect(await isActive(refresh_token, context)).toBe(policy === 'documented');
      expect(await isActive(others[1]!.token, context)).toBe(true);
      await end(others[1]!.token, context);
      await end(refresh_token, context);
      await end('unknown', context);
      expect((await counted(sql)).scans - before.scans).toBe(0);
    });
  });

  it('a forged token that names a record is nothing, and the record lives on', async () => {
    const session = await signIn();
    const { jti } = JSON.parse(Buffer.from(session.token.split('.')[1]!, 'base64url').toString());
    const [guid, generation] = jti.split('.');
    for (const name of [
      jti,
      `${guid}.${Number(generation) + 1}`,
      `${guid}`,
      `${guid}.0.0`,
      "'",
      '.0',
      'x'.repeat(36),
    ]) {
      const token = foreignToken(name, session.userGuid);
      expect(await isTaken({ ...session, token })).toBe(false);
      expect(await end(token)).toBe('notFound');
      expect(await isActive(token)).toBe(false);
    }
    expect(await isActive(session.token)).toBe(true);
    expect(await isTaken(session)).toBe(true);
  });

  it('a token whose key was taken out of use is known by its hash: it is renewed once, revoked, described', async () => {
    const [renewed, revoked] = [await signIn(), await signIn()];
    await revokeKey(app.context, app.context.keys.ring().renewal.kid);
    expect([await isActive(renewed.token), await isActive(revoked.token)]).toEqual([true, true]);
    expect((await Promise.all(Array.from({ length: 8 }, () => isTaken(renewed)))).filter(Boolean)).toHaveLength(1);
    expect(await end(revoked.token)).toBe('revoked');
    expect(await isTaken(revoked)).toBe(false);
  });

  describe.each([
    ['in clear', false],
    ['by its hash', true],
  ] as const)('a token of another system, given %s,', (_how, byHash) => {
    const names = [
      ['of no form', () => `opaque ${randomUUID()}`],
      ['of another installation', () => foreignToken(`${randomUUID()}.3`)],
      ['that names a record of this one', () => foreignToken('')],
    ] as const;

    it.each(names)('%s, works once, however many use it at the same moment', async (_, make) => {
      const session = await bring(make(), {}, byHash);
      expect(session.imported.created).toBe(1);
      const uses = await Promise.all(Array.from({ length: 12 }, () => isTaken(session)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect(await isTaken(session)).toBe(false);
    });

    it.each(names)('%s, has a successor that goes on', async (_, make) => {
      const session = await bring(make(), {}, byHash);
      const next = { ...session, token: (await use(session)).refresh_token };
      // used before, it is nobody's: hardened too, nothing is revoked by it
      expect([await isTaken(session), await end(session.token)]).toEqual([false, 'notFound']);
      expect(await isTaken(next)).toBe(true);
    });

    it('is described and revoked', async () => {
      const session = await bring(`opaque ${randomUUID()}`, {}, byHash);
      expect(await isActive(session.token)).toBe(true);
      expect(await end(session.token)).toBe('revoked');
      expect([await isActive(session.token), await isTaken(session)]).toEqual([false, false]);
    });

    it('has one record, however often and by however many it is imported', async () => {
      const session = await bring(`opaque ${randomUUID()}`, {}, byHash);
      const loads = await Promise.all([load(rowOf(session, byHash)), load(rowOf(session, !byHash))]);
      expect(loads).toMatchObject([{ unchanged: 1 }, { unchanged: 1 }]);
      await expect(load(rowOf(session, byHash), rowOf(session, !byHash))).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      });
      expect(await countRecords(session)).toBe(1);
      expect(await isTaken(session)).toBe(true);
      expect(await load(rowOf(session, byHash))).toMatchObject({ created: 0, unchanged: 1 });
      expect([await countRecords(session), await isTaken(session)]).toEqual([1, false]);
    });

    it('is made by one of two imports at the same moment', async () => {
      const { userGuid, profileId } = await newHolder(app.context);
      const session = { userGuid, profileId, token: `opaque ${randomUUID()}` };
      const loads = await Promise.all([load(rowOf(session, byHash)), load(rowOf(session, byHash))]);
      expect(loads.map(({ created }) => created).toSorted()).toEqual([0, 1]);
      expect(await countRecords(session)).toBe(1);
    });
  });

  it.each([
    false,
    true,
  ])('a live token of our own keeps its record when it is imported (by its hash: %s)', async (byHash) => {
    const session = await signIn();
    const imported = await load(rowOf(session, byHash, { expiresAt: '2098-01-01T00:00:00Z' }));
    expect(imported).toMatchObject({ created: 0, updated: 1 });
    expect(await countRecords(session)).toBe(1);
    expect((await Promise.all([isTaken(session), isTaken(session)])).filter(Boolean)).toHaveLength(1);
  });
});
