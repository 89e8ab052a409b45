/**
 * On random catalogues and random change sets: an effect is what issuing and opening differ in before and after, an undo
 * brings the state before, and explanations agree with what is issued and opened. GATEHOUSE_SCHEDULES plays more,
 * GATEHOUSE_SEED the same again.
 */
import fc from 'fast-check';
import { listOpenedApplications } from '../../src/services/portal/viewer.js';
import { previewToken } from '../../src/services/tokens/previewToken.js';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import { factor, seed } from '../support/schedules.js';
import { type Any, anyChange, appGuid, catalogue, each, plan, size, userGuid } from './randomCatalogue.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
});
afterEach(() => graph?.close());

/** What is issued, opened and held, asked of the services themselves. */
async function readAccess(): Promise<Record<'applications' | 'scopes' | 'holdings', Set<string>>> {
  const { context } = graph.app;
  const access = { applications: new Set<string>(), scopes: new Set<string>(), holdings: new Set<string>() };
  for (const profileId of each(size.profiles, (n) => `p${n}`)) {
    for (const { name } of await listOpenedApplications(context, profileId, null))
      access.applications.add(`${profileId} ${name}`);
    for (const user of each(size.users, userGuid))
      if ((await previewToken(context, user, profileId)).claims) access.holdings.add(`${profileId} ${user}`);
    // whatever its holders, a profile's scopes are its own
    const [held] = await context.sql.rows<{ scopes: string[] }>(
      `select array_agg(distinct t.name || ':' || s.access_scope_key) as scopes from profile_access_scopes join access_scopes s using (access_scope_id)
       join access_scope_types t using (access_scope_type_id) where profile_id = $1 and s.is_active and t.is_active`,
      [profileId],
    );
    for (const scope of held!.scopes ?? []) access.scopes.add(`${profileId} ${scope}`);
  }
  return access;
}

interface Item {
  profile: { profileId: string };
  application: { name: string } | null;
  scope: string | null;
  user: { userGuid: string } | null;
}
const delta =
  'applications scopes profiles users sessions items(first: 1000) { nodes { profile { profileId } application { name } scope user { userGuid } users } }';
const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false) { applyChanges(changes: $changes, dryRun: $dryRun) {
  changeSetGuid effect { gains { ${delta} } loses { ${delta} } } } }`;
const tryOut = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) {
  effect { effectId gains { ${delta} } loses { ${delta} } } } }`;
const groups = 'nodes { key gains { users applications } loses { users applications } }';
const listsOf = `query ($effectId: ID!) { effect(effectId: $effectId) {
  gains { people { nodes { userGuid } totalCount } } loses { people { nodes { userGuid } totalCount } }
  PROFILE: groups(by: PROFILE) { ${groups} } APPLICATION: groups(by: APPLICATION) { ${groups} } USER: groups(by: USER) { ${groups} } } }`;

type Sums = { users: number; applications: number };
type Group = { key: string } & { [side: string]: Sums };
/** The groups that have something on the side, by key. */
const sumsOf = (listed: Group[], side: string): [string, Sums][] =>
  listed
    .map(({ key, [side]: sums }): [string, Sums] => [key, sums!])
    .filter(([, { users, applications }]) => users + applications > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));

/** The same by counting: pairs of profiles and users concerned, and pairs of profiles and applications that differ. */
function countGroups(
  access: Awaited<ReturnType<typeof readAccess>>,
  items: Item[],
  by: 'PROFILE' | 'APPLICATION' | 'USER',
): [string, Sums][] {
  const opened = items.flatMap(({ profile, application }) =>
    application ? [[profile.profileId, application.name]] : [],
  );
  const holding = [...new Set(items.map(({ profile }) => profile.profileId))].flatMap((profileId) =>
    [
      ...usersOf(
        access,
        items.filter(({ profile }) => profile.profileId === profileId),
      ),
    ].map((user) => [profileId, user]),
  );
  const guidsByName = new Map(each(size.applications, (n) => [`A${n}`, appGuid(n)]));
  const keys = {
    PROFILE: items.map(({ profile }) => profile.profileId),
    APPLICATION: opened.map(([, name]) => guidsByName.get(name!)!),
    USER: holding.map(([, user]) => user!),
  }[by];
  return [...new Set(keys)].sort().flatMap((key): [string, Sums][] => {
    const profiles = {
      PROFILE: [key],
      APPLICATION: opened.filter(([, name]) => guidsByName.get(name!) === key).map(([profileId]) => profileId),
      USER: holding.filter(([, user]) => user === key).map(([profileId]) => profileId),
    }[by];
    const users = new Set(holding.filter(([profileId]) => profiles.includes(profileId!)).map(([, user]) => user));
    const applications = new Set(opened.filter(([profileId]) => profiles.includes(profileId!)).map(([, name]) => name));
    const sums = {
      users: by === 'USER' ? 1 : users.size,
      applications: by === 'APPLICATION' ? 1 : applications.size,
    };
    return sums.users + sums.applications > 0 ? [[key, sums]] : [];
  });
}

const itemsOf = (items: Item[]) =>
  items
    .map(
      ({ profile, application, scope, user }) => `${profile.profileId} ${application?.name ?? scope ?? user?.userGuid}`,
    )
    .sort();
const minus = (one: Awaited<ReturnType<typeof readAccess>>, other: Awaited<ReturnType<typeof readAccess>>) =>
  (['applications', 'scopes', 'holdings'] as const).flatMap((kind) => [...one[kind].difference(other[kind])]).sort();
const usersOf = (access: Awaited<ReturnType<typeof readAccess>>, items: Item[]): Set<string> => {
  const concerned = new Set(items.filter(({ user }) => !user).map(({ profile }) => profile.profileId));
  const holders = [...access.holdings]
    .filter((holding) => concerned.has(holding.split(' ')[0]!))
    .map((holding) => holding.split(' ')[1]!);
  return new Set([...holders, ...items.flatMap(({ user }) => user?.userGuid ?? [])]);
};

const state = async (): Promise<string> =>
  JSON.stringify(
    await graph.app.context.sql.rows(
      [
        'applications',
        'access_scopes',
        'access_scope_types',
        'profiles',
        'profile_access_scopes',
        'user_profiles',
        'access_scope_applications_mappers',
        'access_scope_type_applications_mappers',
      ]
        .map(
          (table) =>
            `select '${table}' as name, jsonb_agg(to_jsonb(t) - '{revision,modified_date,modified_by}'::text[] order by (to_jsonb(t) - '{revision,modified_date,modified_by}'::text[])::text collate "C") as rows from ${table} t`,
        )
        .concat("select 'users', jsonb_agg(is_blocked order by user_guid) from users")
        .join(' union all '),
    ),
  );

async function explains(): Promise<void> {
  const ask = `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) { isOpen reasons ways { isOpen links { holds reason } } remedies { changes text othersGaining } } }`;
  const access = await readAccess();
  for (const u of each(size.users, (n) => n))
    for (const a of each(size.applications, (n) => n)) {
      const variables = { user: userGuid(u), app: appGuid(a) };
      const { explainAccess } = await graph.data(ask, variables);
      const opens = each(size.profiles, (n) => `p${n}`).some(
        (p) => access.holdings.has(`${p} ${userGuid(u)}`) && access.applications.has(`${p} A${a}`),
      );
      expect([variables, explainAccess.isOpen]).toEqual([variables, opens]);
      expect(explainAccess.reasons.length).toBeGreaterThan(0);
      const ranks: [othersGaining: number, gainedBeside: number][] = [];
      for (const { changes, othersGaining } of explainAccess.remedies) {
        const { changeSetGuid, effect } = (await graph.data(apply, { changes })).applyChanges;
        const gaining = usersOf(access, effect.gains.items.nodes);
        gaining.delete(userGuid(u));
        expect([changes, othersGaining]).toEqual([changes, gaining.size]);
        expect(effect.gains.users).toBe(othersGaining + 1);
        const gained = reachedBy(u, await readAccess()).difference(reachedBy(u, access));
        ranks.push([othersGaining, gained.size]);
        expect([changes, (await graph.data(ask, variables)).explainAccess.isOpen]).toEqual([changes, true]);
        await graph.data('mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { note } }', {
          guid: changeSetGuid,
        });
      }
      expect(ranks).toEqual(
        [...ranks].sort(([one, oneBeside], [other, otherBeside]) => one - other || oneBeside - otherBeside),
      );
    }
}

/** Applications and entries that the user has by any profile. */
const reachedBy = (
  u: number,
  { holdings, applications, scopes }: Awaited<ReturnType<typeof readAccess>>,
): Set<string> => {
  const held = [...holdings].map((holding) => holding.split(' ')).filter(([, user]) => user === userGuid(u));
  const own = [...applications, ...scopes].map((reached) => reached.split(' '));
  return new Set(own.filter(([profile]) => held.some(([name]) => name === profile)).map(([, reached]) => reached!));
};

async function play(sets: Any[][]): Promise<void> {
  for (const changes of sets) {
    const planned = await plan(graph.app.context, changes);
    const [before, stateBefore] = [await readAccess(), await state()];
    // whoever tried the changes asks for the lists
    const token = graph.token();
    const tried = (await graph.data(tryOut, { changes: planned }, token)).applyChanges;
    expect(await state()).toBe(stateBefore);
    const { effectId, ...triedEffect } = tried.effect;
    // asked when the dry run is rolled back
    const lists = (await graph.data(listsOf, { effectId }, token)).effect;
    const { changeSetGuid, effect } = (await graph.data(apply, { changes: planned })).applyChanges;
    expect(triedEffect).toEqual(effect);
    const after = await readAccess();
    const sides = { gains: [after, effect.gains.items.nodes], loses: [before, effect.loses.items.nodes] } as const;
    for (const [side, [access, items]] of Object.entries(sides)) {
      expect(lists[side].people.nodes.map((user: { userGuid: string }) => user.userGuid).sort()).toEqual(
        [...usersOf(access, items)].sort(),
      );
      for (const by of ['PROFILE', 'APPLICATION', 'USER'] as const)
        expect([by, sumsOf(lists[by].nodes, side)]).toEqual([by, countGroups(access, items, by)]);
    }
    expect(itemsOf(effect.gains.items.nodes)).toEqual(minus(after, before));
    expect(itemsOf(effect.loses.items.nodes)).toEqual(minus(before, after));
    expect(effect.gains.users).toBe(usersOf(after, effect.gains.items.nodes).size);
    expect(effect.loses.users).toBe(usersOf(before, effect.loses.items.nodes).size);
    const stateAfter = await state();
    const undo = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }';
    if (stateAfter === stateBefore) continue;
    const undone = (await graph.data(undo, { guid: changeSetGuid })).undoChangeSet;
    expect(await state()).toBe(stateBefore);
    await graph.data(undo, { guid: undone.changeSetGuid });
    expect(await state()).toBe(stateAfter);
    const later = await graph.data(
      `query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { effect { gains { ${delta} } loses { ${delta} } } } }`,
      { guid: changeSetGuid },
    );
    expect(later.changeSet.effect).toEqual(effect);
  }
}

const options = { numRuns: factor, endOnFailure: true, seed };

it('an effect, a dry run and an undo are what they say', async () => {
  await graph.data(apply, { changes: catalogue });
  const sets = fc.array(fc.array(anyChange, { minLength: 1, maxLength: 8 }), {
    minLength: 12,
    maxLength: 12,
  });
  await fc.assert(fc.asyncProperty(sets, play), options);
});

it('an explanation agrees with what is issued and opened, and every remedy opens it, for as many others as it says', async () => {
  await graph.data(apply, { changes: catalogue });
  const set = fc.array(anyChange, { minLength: 15, maxLength: 25 });
  const property = fc.asyncProperty(set, async (changes) => {
    await graph.data(apply, { changes: await plan(graph.app.context, changes) });
    await explains();
  });
  await fc.assert(property, { ...options, numRuns: 2 * factor });
});
