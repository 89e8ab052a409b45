/** What a profile would give a person is exactly what giving it does, as the effect of the change counts it. */
import { demonstrationFile } from '../../../dev/demoData.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { newProfile, newScope, newScopeType, newUser, systemUser } from '../../support/records.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
  await importFile(graph.app.context, demonstrationFile);
});
afterEach(() => graph?.close());
const rows = <Row extends object>(statement: string, values: unknown[] = []) =>
  graph.app.context.sql.rows<Row>(statement, values);

const preview = `query ($userGuid: UUID!) { profiles(first: 100) { nodes { profileId wouldGive(userGuid: $userGuid) {
  isHeld opens applications scopes newApplications { name } entries } } } }`;
const give = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) { effect {
  gains { users applications scopes items { nodes { applications(first: 100) { name } scopes } } } } } }`;

it('for every person and every profile, the preview is what the change gives: ended grants, blocks and records out of use too', async () => {
  await rows("update user_profiles set valid_until = now() - interval '1 day' where user_profile_id in (2, 3)");
  await rows("update applications set is_active = false where name = 'Outage map'");
  await rows(
    "update access_scopes set is_active = false where access_scope_guid = 'de320000-0000-4000-8000-000000000007'",
  );
  const people = await rows<{ guid: string; isBlocked: boolean }>(
    'select user_guid::text as guid, is_blocked as "isBlocked" from users',
  );
  const held = new Set(
    (
      await rows<{ pair: string }>(
        `select user_guid || ' ' || profile_id as pair from user_profiles join users using (user_id)
         where valid_until is null or valid_until > now()`,
      )
    ).map(({ pair }) => pair),
  );
  let gaining = 0;
  for (const { guid: userGuid, isBlocked } of people) {
    const { profiles } = await graph.data(preview, { userGuid });
    for (const { profileId, wouldGive } of profiles.nodes) {
      expect([userGuid, profileId, wouldGive.isHeld]).toEqual([
        userGuid,
        profileId,
        held.has(`${userGuid} ${profileId}`),
      ]);
      // a role in which nobody holds it
      const { roleId } = (
        await rows<{ roleId: string }>(
          `select role_id as "roleId" from roles where role_id not in (select role_id from user_profiles where profile_id = $1) limit 1`,
          [profileId],
        )
      )[0]!;
      const changes = [{ assignProfile: { userGuid, profileId, roleId } }];
      const { gains } = (await graph.data(give, { changes })).applyChanges.effect;
      const names = gains.items.nodes.flatMap((item: { applications: { name: string }[] }) =>
        item.applications.map(({ name }) => name),
      );
      const entries = gains.items.nodes.flatMap((item: { scopes: string[] }) => item.scopes);
      expect([profileId, wouldGive.applications, wouldGive.scopes]).toEqual([
        profileId,
        gains.applications,
        gains.scopes,
      ]);
      expect(wouldGive.newApplications.map(({ name }: { name: string }) => name).sort()).toEqual(names.sort());
      expect(wouldGive.entries).toEqual(entries.sort());
      if (isBlocked) expect(gains.users).toBe(0);
      gaining += gains.users;
    }
  }
  expect(gaining).toBeGreaterThan(3);
});

it('of many entries the first twelve are listed, and all are counted', async () => {
  const { context } = graph.app;
  const profileId = await newProfile(context);
  const type = await newScopeType(context, 'many');
  const { user_guid: userGuid } = await newUser(context);
  for (let n = 10; n < 30; n++) {
    const { access_scope_id } = await newScope(context, type, undefined, { access_scope_key: `key${n}` });
    await rows('insert into profile_access_scopes (profile_id, access_scope_id, created_by) values ($1, $2, $3)', [
      profileId,
      access_scope_id,
      systemUser,
    ]);
  }
  const query = `query ($userGuid: UUID!, $profileId: ID!) { profile(profileId: $profileId) { wouldGive(userGuid: $userGuid) {
    opens applications scopes entries } } }`;
  expect((await graph.data(query, { userGuid, profileId })).profile.wouldGive).toEqual({
    opens: 0,
    applications: 0,
    scopes: 20,
    entries: Array.from({ length: 12 }, (_, n) => `many:key${n + 10}`),
  });
});

it('a person who is not there is NOT_FOUND, and without admin:read nothing is said', async () => {
  const [{ guid: userGuid }] = (await rows<{ guid: string }>('select user_guid::text as guid from users limit 1')) as [
    { guid: string },
  ];
  const nobody = '00000000-0000-4000-8000-00000000dead';
  const unknown = await graph.ask(preview, { userGuid: nobody });
  expect(unknown.json.errors[0].extensions.code).toBe('NOT_FOUND');
  const refused = await graph.ask(preview, { userGuid }, graph.token(['admin:security']));
  expect(refused.json.errors[0].extensions.code).toBe('FORBIDDEN');
});
