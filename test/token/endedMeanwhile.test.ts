/** Exchanges beside a change that ends sessions: whichever is first, no session outlives the change. */
import { hash, randomUUID } from 'node:crypto';
import type { Context } from '../../src/context.js';
import { deleteProfile, unassignProfile } from '../../src/services/people/profiles.js';
import { updateUser } from '../../src/services/people/users.js';
import type { Sql } from '../../src/sql.js';
import { patience, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { untilBlocked, untilBlockedOrDone } from '../support/until.js';

let app: TestApp;
let client: { client_id: string; client_secret: string };
type Holder = Awaited<ReturnType<typeof newHolder>>;
beforeAll(async () => {
  app = await startTestApp({ TOKEN_POLICY: 'hardened', ...patience });
  const { clientId, clientSecret } = await newClient(app.context);
  client = { client_id: clientId, client_secret: clientSecret };
  await exchange(await newHolder(app.context));
});
afterAll(() => app.close());

const exchange = ({ userGuid, profileId }: Holder, claims: object = {}) =>
  app.post('/token', { ...exchangeBody(app.idToken({ sub: userGuid, ...claims })), profileId, ...client });

const changes: Record<string, (context: Context, holder: Holder) => Promise<unknown>> = {
  'blocking the user': (context, { userGuid }) => updateUser(context, userGuid, { isBlocked: true }, null),
  'unassigning the profile': (context, holder) => unassignProfile(context, { ...holder, roleId: 'member' }),
  'deleting the profile': (context, { profileId }) => deleteProfile(context, profileId),
};

/** Runs `work` inside a transaction, and returns what it began. */
const beside = <Begun extends object>(work: (holding: Sql) => Promise<Begun>): Promise<Begun> =>
  app.context.sql.transaction(work);

async function expectNoSession({ userGuid, profileId }: Holder, refreshToken?: string): Promise<void> {
  const live = await app.context.sql.rows('select from tokens where user_id = $1 and not is_revoked', [userGuid]);
  expect(live).toEqual([]);
  if (!refreshToken) return;
  await app.context.sql.rows('update users set is_blocked = false where user_guid = $1', [userGuid]);
  expect((await app.post('/token', { ...renewalBody(refreshToken), profileId, ...client })).status).toBe(401);
}

describe.each(Object.entries(changes))('%s', (_name, change) => {
  it('an exchange that arrives while it is under way waits for it and is refused, and nobody else waits', async () => {
    const [holder, other] = [await newHolder(app.context), await newHolder(app.context)];
    expect((await exchange(holder)).status).toBe(200);
    // its sessions are revoked, which is written to the audit, and it is not yet committed
    const { changing, exchanging } = await beside(async (holding) => {
      await holding.rows('lock table audit_events in share mode');
      const changing = change(app.context, holder);
      await untilBlockedOrDone(app.context.sql, changing);
      const exchanging = exchange(holder);
      expect((await exchange(other)).status).toBe(200);
      await untilBlockedOrDone(app.context.sql, exchanging, 2);
      return { changing, exchanging };
    });
    await changing;
    const { status, json } = await exchanging;
    await expectNoSession(holder, json?.refresh_token);
    expect(status).toBe(400);
  });

  it('an exchange that is inserting when it begins is done first, and its session ends', async () => {
    const holder = await newHolder(app.context);
    const jti = randomUUID();
    const { changing, exchanging } = await beside(async (holding) => {
      // its insert waits for another use of the same ID token, which is taken back
      const use = hash('sha256', JSON.stringify([app.provider.issuer, 'jti', jti, holder.profileId]), 'base64url');
      await holding.rows('insert into id_token_uses (use_hash, ends_at) values ($1, now())', [use]);
      await holding.rows('delete from id_token_uses where use_hash = $1', [use]);
      const exchanging = exchange(holder, { jti });
      await untilBlocked(app.context.sql);
      const changing = change(app.context, holder);
      await untilBlockedOrDone(app.context.sql, changing, 2);
      return { changing, exchanging };
    });
    await changing;
    const { status, json } = await exchanging;
    expect(status).toBe(200);
    await expectNoSession(holder, json.refresh_token);
    expect((await app.post('/validate-token', { token: json.access_token, ...client })).status).toBe(400);
  });
});

it('an exchange that waited for a change that is not made gets its session', async () => {
  const holder = await newHolder(app.context);
  const { exchanging } = await beside(async (holding) => {
    await holding.rows('select from users where user_guid = $1 for update', [holder.userGuid]);
    const exchanging = exchange(holder);
    await untilBlocked(app.context.sql);
    return { exchanging };
  });
  expect((await exchanging).status).toBe(200);
});
