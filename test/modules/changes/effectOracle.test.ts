/**
 * An effect is of people: on random catalogues, every number, list, group and outcome is what the rows of the tables say before
 * and after. GATEHOUSE_SCHEDULES plays more, GATEHOUSE_SEED the same again.
 */
import fc from 'fast-check';
import { removeEndedGrants } from '../../../src/modules/governance/endedGrants.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { factor, seed } from '../../support/schedules.js';
import {
  differingWays,
  groupsOf,
  itemsOf,
  partsThatDiffer,
  readWorld,
  type Sums,
  sumsOf,
  type Way,
  type World,
  waysOf,
} from './accessOracle.js';
import {
  type Any,
  anyChange,
  appGuid,
  below,
  catalogue,
  each,
  plan,
  scopeGuid,
  size,
  typeGuid,
  userGuid,
} from './randomCatalogue.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
  await graph.data(apply, { changes: catalogue });
  await graph.data(apply, { changes: [{ createRole: { input: { roleId: 'deputy', name: 'Deputy' } } }] });
});
afterEach(() => graph?.close());

/** Everybody holds two profiles, which share an access scope, and everything opens something. */
const links = [
  ...each(size.users, (u) =>
    [u, u + 1].map((p) => ({
      assignProfile: { userGuid: userGuid(u), profileId: `p${p % size.profiles}`, roleId: 'member' },
    })),
  ).flat(),
  ...each(size.profiles, (p) => ({
    setProfileAccessScopes: { profileId: `p${p}`, accessScopeGuids: [p, p + 1].map(scopeGuid) },
  })),
  ...each(size.applications, (a) => ({
    mapping: { applicationGuid: appGuid(a), accessScopeGuid: scopeGuid(a), to: 'active' },
  })),
  { mapping: { applicationGuid: appGuid(0), accessScopeTypeGuid: typeGuid(1), to: 'active' } },
];

const sums = 'users applications scopes pairs';
const group = `nodes { key gains { ${sums} } loses { ${sums} } }`;
const side = `${sums} profiles people(first: 50) { totalCount nodes { userGuid } }
  items(first: 50) { totalCount nodes { user { userGuid } profile { profileId } applicationCount applications(first: 20) { applicationGuid } scopes } }
  PROFILE: groups(by: PROFILE) { nodes { key ${sums} } }`;
const effect = `effect { gains { ${side} } loses { ${side} } tokens { profiles users items { nodes { profile { profileId } } } }
  PROFILE: groups(by: PROFILE) { ${group} } APPLICATION: groups(by: APPLICATION) { ${group} } USER: groups(by: USER) { ${group} } CHANGE: groups(by: CHANGE) { ${group} }
  outcomes(first: 50) { nodes { path outcome reason users openBy { profileId } } } }`;
const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
const tryOut = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) { ${effect} } }`;
const newest = `{ changeSets(first: 1, orderBy: [{ occurredAt: DESC }]) { nodes { changeSetGuid ${effect} } } }`;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Answer = any;
type SideName = 'gains' | 'loses';
const sides: readonly SideName[] = ['gains', 'loses'];

const sorted = <Value>(map: Map<string, Value>): [string, Value][] =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1));
const isSomething = (all: Sums): boolean => all.users > 0;

/** Compares all but the outcomes. */
function compare(answer: Answer, before: World, after: World): Record<SideName, Way[]> {
  const ways = { gains: differingWays(after, before), loses: differingWays(before, after) };
  for (const name of sides) {
    const own = ways[name];
    const { people, items, PROFILE, profiles, ...counts } = answer[name];
    expect([name, counts]).toEqual([name, sumsOf(own)]);
    expect(profiles).toBe(new Set(own.map(({ profileId }) => profileId)).size);
    const users = [...new Set(own.map(({ user }) => user))].sort();
    expect(people.nodes.map((user: Answer) => user.userGuid).sort()).toEqual(users);
    expect(people.totalCount).toBe(users.length);
    const listed = items.nodes.map(({ user, profile, applications, applicationCount, scopes }: Answer) => {
      expect(applicationCount).toBe(applications.length);
      const what = [...applications.map((each: Answer) => each.applicationGuid), ...scopes].sort();
      return JSON.stringify([`${user.userGuid} ${profile.profileId}`, what]);
    });
    expect(listed.sort()).toEqual(itemsOf(own));
    expect(items.totalCount).toBe(listed.length);
    const keys: Record<string, (way: Way) => string | undefined> = {
      PROFILE: ({ profileId }) => profileId,
      USER: ({ user }) => user,
      APPLICATION: ({ what, isApplication }) => (isApplication ? what : undefined),
    };
    for (const [by, keyOf] of Object.entries(keys)) {
      const expected = groupsOf(own, keyOf);
      const found = answer[by].nodes.map(({ key, [name]: all }: Answer): [string, Sums] => [key, all]);
      expect([by, sorted(new Map(found.filter(([, all]: [string, Sums]) => isSomething(all))))]).toEqual([
        by,
        sorted(expected),
      ]);
    }
    const ofSide = PROFILE.nodes.map(({ key, ...all }: Answer): [string, Sums] => [key, all]);
    expect(sorted(new Map(ofSide))).toEqual(sorted(groupsOf(own, keys.PROFILE!)));
  }
  compareTokens(answer.tokens, before, after);
  return ways;
}

/** What each person's tokens for each profile open and carry. */
const tokensOf = (world: World): Map<string, string> => {
  const held = [...world.user_profiles.values()].filter(
    ({ ended, user_id }) => !ended && !world.users.get(String(user_id))!.is_blocked,
  );
  const ways = waysOf(world);
  return new Map(
    held.map(({ user_id, profile_id }) => {
      const user = world.users.get(String(user_id))!.user_guid;
      const own = ways.filter((way) => way.user === user && way.profileId === profile_id).map(({ what }) => what);
      return [`${user} ${profile_id}`, [...new Set(own)].sort().join()];
    }),
  );
};

function compareTokens({ users, items }: Answer, before: World, after: World): void {
  const [was, is] = [tokensOf(before), tokensOf(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key));
  expect(users).toBe(new Set(keys.map((key) => key.split(' ')[0])).size);
  const profiles = new Set(keys.map((key) => key.split(' ')[1]!));
  const listed = new Set(items.nodes.map(({ profile }: Answer) => profile.profileId));
  // others are held by nobody
  expect([...profiles].filter((profileId) => !listed.has(profileId))).toEqual([]);
}

/** The outcome of each change: the pairs with a way through a record that the change wrote. */
function compareOutcomes(answer: Answer, ways: Record<SideName, Way[]>, worlds: readonly World[]): void {
  answer.outcomes.nodes.forEach(({ path, outcome, users, reason }: Answer, index: number) => {
    const through = (name: SideName) => {
      const touched = partsThatDiffer([worlds[index]!, worlds[index + 1]!], [worlds[0]!, worlds.at(-1)!], name);
      return ways[name].filter(({ parts }) => parts.some((part) => touched.has(part)));
    };
    const [gained, lost] = [through('gains'), through('loses')];
    const kind = gained.length > 0 ? (lost.length > 0 ? 'BOTH' : 'GAINS') : lost.length > 0 ? 'LOSES' : outcome;
    expect([path, outcome, users]).toEqual([path, kind, new Set([...gained, ...lost].map(({ user }) => user)).size]);
    if (gained.length + lost.length === 0) expect(['NOBODY', 'UNCHANGED']).toContain(outcome);
    if (outcome !== 'NOBODY') expect(reason).toBeNull();
  });
  // together the changes explain everything
  for (const name of sides) {
    const most = answer.CHANGE.nodes.reduce((sum: number, each: Answer) => sum + each[name].users, 0);
    expect(most).toBeGreaterThanOrEqual(sumsOf(ways[name]).users);
    if (answer.CHANGE.nodes.length === 1) {
      expect([name, answer.CHANGE.nodes[0][name]]).toEqual([name, sumsOf(ways[name])]);
    }
  }
}

/** Changes beside those of the random catalogue. */
const more = fc.oneof(
  fc
    .record({ n: below(size.scopes), isWildcard: fc.boolean(), key: fc.constantFrom('k0', 'k1', 'k9') })
    .map(({ n, isWildcard, key }) => ({
      updateAccessScope: { accessScopeGuid: scopeGuid(n), input: { isWildcard, accessScopeKey: key, name: `S${key}` } },
    })),
  fc.record({ n: below(size.types), name: fc.constantFrom('x', 'y') }).map(({ n, name }) => ({
    updateAccessScopeType: { accessScopeTypeGuid: typeGuid(n), input: { name: `t${n}${name}` } },
  })),
  fc.record({ n: below(size.applications) }).map(({ n }) => ({
    updateApplication: { applicationGuid: appGuid(n), input: { description: `d${n}` } },
  })),
  fc
    .record({
      users: fc.uniqueArray(below(size.users), { minLength: 1 }),
      p: below(size.profiles),
      roleId: fc.constantFrom('member', 'deputy'),
    })
    .map(({ users, p, roleId }) => ({
      assignProfiles: { userGuids: users.map(userGuid), profileId: `p${p}`, roleId },
    })),
  fc.record({ p: below(size.profiles), s: below(size.scopes) }).map(({ p, s }) => ({
    assignAccessScope: { profileId: `p${p}`, accessScopeGuid: scopeGuid(s), validUntil: '2090-01-01T00:00:00Z' },
  })),
  fc.record({ n: below(size.scopes) }).map(({ n }) => ({ deactivateAccessScope: { accessScopeGuid: scopeGuid(n) } })),
  fc.record({ n: below(size.users) }).map(({ n }) => ({ deactivateUser: { userGuid: userGuid(n) } })),
) as never as fc.Arbitrary<Any>;

const anySet = fc.array(fc.oneof(anyChange, anyChange, more), { minLength: 1, maxLength: 7 });

/** Ends some grants, or sets their ends, past the service. */
const endSome = (n: number) =>
  graph.app.context.sql.rows(
    `update ${n % 2 === 0 ? 'user_profiles set' : 'profile_access_scopes set'} valid_until = case when $1::int % 3 = 0 then now() + interval '1 year' else now() - interval '1 hour' end
     where abs(hashtext(profile_id || $1)) % 3 = 0`,
    [n],
  );

async function play(sets: readonly (readonly [Any[], number])[]): Promise<void> {
  const { sql } = graph.app.context;
  for (const [changes, end] of sets) {
    if (end % 4 === 0) await endSome(end);
    const planned = await plan(graph.app.context, changes);
    if (planned.length === 0) continue;
    const before = await readWorld(sql);
    const tried = (await graph.data(tryOut, { changes: planned })).applyChanges.effect;
    expect(await readWorld(sql)).toEqual(before);
    const worlds = [before];
    for (const change of planned) {
      await graph.data(apply, { changes: [change] });
      worlds.push(await readWorld(sql));
    }
    compareOutcomes(tried, compare(tried, before, worlds.at(-1)!), worlds);
    await explains(tried);
  }
}

/** What the service explains agrees with the pairs that the effect names. */
async function explains({ gains, loses }: Answer): Promise<void> {
  const ask =
    'query ($userGuid: UUID!, $applicationGuid: UUID!) { explainAccess(userGuid: $userGuid, applicationGuid: $applicationGuid) { isOpen } }';
  for (const [name, { items }] of Object.entries({ gains, loses }))
    for (const { user, applications } of items.nodes.slice(0, 2))
      for (const { applicationGuid } of applications.slice(0, 1)) {
        const variables = { userGuid: user.userGuid, applicationGuid };
        const { explainAccess } = await graph.data(ask, variables);
        expect([variables, explainAccess.isOpen]).toEqual([variables, name === 'gains']);
      }
}

const options = { numRuns: factor, endOnFailure: true, seed };

it(`every number, list, group and outcome of an effect is of people, before and after the change (${seed})`, async () => {
  const sets = fc.array(fc.tuple(anySet, below(1_000)), { minLength: 14, maxLength: 14 });
  await graph.data(apply, { changes: links });
  await fc.assert(fc.asyncProperty(sets, play), options);
});

it(`a change set that was made, undone, imported or planned by a file has the same effect (${seed})`, async () => {
  const { context } = graph.app;
  const { sql } = context;
  await graph.data(apply, { changes: links });
  const set = fc.tuple(fc.array(fc.oneof(anyChange, more), { minLength: 12, maxLength: 20 }), below(1_000));
  await fc.assert(
    fc.asyncProperty(set, async ([changes, end]) => {
      await graph.data(apply, { changes: await plan(context, changes) });
      const undoing =
        'mutation ($guid: UUID!, $dryRun: Boolean!) { undoChangeSet(changeSetGuid: $guid, dryRun: $dryRun) { changeSetGuid EFFECT } }'.replace(
          'EFFECT',
          effect,
        );
      const before = await readWorld(sql);
      const planned = await plan(context, changes.toReversed());
      await graph.data(apply, { changes: planned });
      const after = await readWorld(sql);
      const made = (await graph.data(newest)).changeSets.nodes[0];
      if (
        JSON.stringify(Object.values(before).map((table) => [...table])) !==
        JSON.stringify(Object.values(after).map((table) => [...table]))
      ) {
        compare(made.effect, before, after);
        const guid = made.changeSetGuid;
        const asChange = await graph.data(tryOut, { changes: [{ undoChangeSet: { changeSetGuid: guid } }] });
        compareOutcomes(asChange.applyChanges.effect, compare(asChange.applyChanges.effect, after, before), [
          after,
          before,
        ]);
        compare((await graph.data(undoing, { guid, dryRun: true })).undoChangeSet.effect, after, before);
        compare((await graph.data(undoing, { guid, dryRun: false })).undoChangeSet.effect, after, before);
      }
      await readFiles(end);
    }),
    { ...options, numRuns: 3 * factor },
  );
});

const isOther = (one: World, other: World): boolean => {
  const [rows, others] = [one, other].map((world) => JSON.stringify(Object.values(world).map((table) => [...table])));
  return rows !== others;
};

/** A file of links, and a catalogue file of mappings. */
async function readFiles(n: number): Promise<void> {
  const { context } = graph.app;
  const bit = (at: number) => (n >> at) % 2 === 1;
  const before = await readWorld(context.sql);
  const userProfiles = each(size.users, (user) => ({
    userGuid: userGuid(user),
    profileId: `p${(n + user) % size.profiles}`,
    roleId: 'deputy',
  }));
  await importFile(context, { userProfiles, users: [{ userGuid: userGuid(0), isBlocked: bit(1) }] });
  const after = await readWorld(context.sql);
  if (isOther(before, after)) compare((await graph.data(newest)).changeSets.nodes[0].effect, before, after);
  const file = {
    accessScopeApplicationsMappers: each(size.applications, (app) => ({
      applicationGuid: appGuid(app),
      accessScopeGuid: scopeGuid((n + app) % size.scopes),
      state: bit(app) ? 'active' : 'planned',
    })),
  };
  const planning = `mutation ($file: JSON!) { planCatalogue(file: $file) { hash ${effect} } }`;
  const { planCatalogue } = await graph.data(planning, { file });
  const applying = `mutation ($file: JSON!, $hash: String!) { applyCatalogue(file: $file, hash: $hash) { ${effect} } }`;
  const { applyCatalogue } = await graph.data(applying, { file, hash: planCatalogue.hash });
  if (!planCatalogue.effect) return;
  const last = await readWorld(context.sql);
  for (const answer of [planCatalogue, applyCatalogue]) compare(answer.effect, after, last);
}

it('the change set of a grant’s end has what it closed', async () => {
  const { context } = graph.app;
  const given = each(2, (n) => ({ assignProfile: { userGuid: userGuid(n), profileId: 'p0', roleId: 'member' } }));
  await graph.data(apply, {
    changes: [
      ...given,
      { assignProfile: { userGuid: userGuid(1), profileId: 'p1', roleId: 'member' } },
      { setProfileAccessScopes: { profileId: 'p0', accessScopeGuids: [scopeGuid(0), scopeGuid(1)] } },
      { setProfileAccessScopes: { profileId: 'p1', accessScopeGuids: [scopeGuid(0)] } },
      { mapping: { applicationGuid: appGuid(0), accessScopeGuid: scopeGuid(0), to: 'active' } },
    ],
  });
  const before = await readWorld(context.sql);
  await context.sql.rows(`update user_profiles set valid_until = now() - interval '1 minute' where profile_id = 'p0'`);
  await removeEndedGrants(context, new AbortController().signal);
  const { effect: ended } = (await graph.data(newest)).changeSets.nodes[0];
  expect(ended.loses).toMatchObject({ users: 2, applications: 1, pairs: 1 });
  compare(ended, before, await readWorld(context.sql));
  await graph.data(apply, { changes: given });
  const whole = await readWorld(context.sql);
  await context.sql.rows(
    `update profile_access_scopes set valid_until = now() - interval '1 minute' where profile_id = 'p0' and access_scope_id = (select min(access_scope_id) from access_scopes where access_scope_guid = $1)`,
    [scopeGuid(0)],
  );
  await removeEndedGrants(context, new AbortController().signal);
  compare((await graph.data(newest)).changeSets.nodes[0].effect, whole, await readWorld(context.sql));
});
