/** The last use of an assignment: no change, so without history, stamps, audit events and catalogue version. */
import { openGrantUses } from '../../src/services/tokens/grantUses.js';
import { renew } from '../../src/services/tokens/renew.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { linkProfile, newClient, newHolder, newProfile } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { until } from '../support/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const traces = async () =>
  (
    await app.context.sql.rows(
      `select version, (select count(*) from change_sets) as sets, (select count(*) from record_versions) as versions,
         (select count(*) from audit_events) as events, (select max(revision) from user_profiles) as revision
       from catalogue_version`,
    )
  )[0];

it('writing a last use leaves no version, no audit event, no revision and no other catalogue version', async () => {
  const { userId } = await newHolder(app.context);
  const before = await traces();
  await app.context.sql.rows('update user_profiles set last_used_at = now() where user_id = $1', [userId]);
  expect(await traces()).toEqual(before);
  await app.context.sql.rows('update user_profiles set valid_until = now() where user_id = $1', [userId]);
  expect(await traces()).not.toEqual(before);
});

describe('the day of a last use', () => {
  const lastUses = async (userId: number) =>
    (
      await app.context.sql.rows<{ day: string | null }>(
        `select to_char(last_used_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as day from user_profiles where user_id = $1 order by 1`,
        [userId],
      )
    ).map(({ day }) => day);
  const [today, earlier] = [new Date().toISOString().slice(0, 10), '2026-01-31 00:00:00'];
  const midnight = `${today} 00:00:00`;
  const setUsed = (userId: number) =>
    app.context.sql.rows('update user_profiles set last_used_at = $2 where user_id = $1', [userId, `${earlier}Z`]);

  it('is noted at an exchange and at a renewal, for every role of the user in the profile and for no other profile', async () => {
    const { userId, userGuid, profileId } = await newHolder(app.context);
    await linkProfile(app.context, userId, profileId, 'operator');
    await linkProfile(app.context, userId, await newProfile(app.context), 'member');
    const { clientId: client_id, clientSecret: client_secret } = await newClient(app.context);
    const client = { profileId, client_id, client_secret };
    expect(await lastUses(userId)).toEqual([null, null, null]);
    const before = await traces();
    const { json } = await app.post('/token', { ...exchangeBody(app.idToken({ sub: userGuid })), ...client });
    await until(async () => (await lastUses(userId))[0] !== null);
    expect(await lastUses(userId)).toEqual([midnight, midnight, null]);
    expect(await traces()).toEqual(before);
    // another process, or a later hour
    await setUsed(userId);
    const other = openGrantUses({ ...app.context, sql: app.context.sql });
    const renewed = await renew(
      { ...app.context, grantUses: other },
      {
        clientId: client_id,
        clientSecret: client_secret,
        refreshToken: json.refresh_token,
        profileId,
        dialect: 'documented',
      },
    );
    expect(renewed.access_token).toBeDefined();
    await other.close();
    expect(await lastUses(userId)).toEqual([earlier, midnight, midnight]);
  });

  it('is noted once within an hour by a process, and waits for no change that is under way', async () => {
    const { userId, userGuid, profileId } = await newHolder(app.context);
    const statements: unknown[] = [];
    const { sql } = app.context;
    const rows = async (text: string, values?: readonly unknown[]) => {
      const answer = await sql.rows(text, values);
      statements.push(values);
      return answer as never;
    };
    const counted = { ...sql, rows };
    const uses = openGrantUses({ ...app.context, sql: counted });
    await sql.transaction(async (other) => {
      await other.rows('update user_profiles set role_id = role_id where user_id = $1', [userId]);
      for (let count = 0; count < 3; count++) uses.note(userGuid, profileId);
      await until(() => statements.length > 0);
    });
    uses.note(userGuid, profileId);
    await uses.close();
    expect(statements).toEqual([[[userGuid], [profileId]]]);
    expect(await lastUses(userId)).toEqual([null]);
  });
});
