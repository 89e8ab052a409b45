/** The last use of an assignment: no change, so without history, stamps, audit events and catalogue version. */
import { startTestApp, type TestApp } from '../support/app.js';
import { newHolder } from '../support/records.js';

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
