/**
 * On random catalogues and random change sets: a dry run says what the change does, an undo brings the state before, and
 * explanations agree with what is issued and opened. GATEHOUSE_SCHEDULES plays more,
 * GATEHOUSE_SEED the same again.
 */
import fc from 'fast-check';
import { listOpenedApplications } from '../../../src/services/portal/openedApplications.js';
import { previewToken } from '../../../src/services/tokens/previewToken.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { factor, seed } from '../../support/schedules.js';
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

const delta = `users applications scopes pairs profiles people(first: 50) { nodes { userGuid } }
  items(first: 50) { nodes { user { userGuid } profile { profileId } applications(first: 10) { name } scopes } }`;
const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false) { applyChanges(changes: $changes, dryRun: $dryRun) {
  changeSetGuid effect { gains { ${delta} } loses { ${delta} } } } }`;
const tryOut = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) {
  effect { effectId gains { ${delta} } loses { ${delta} } } } }`;
const listsOf = `query ($effectId: ID!) { effect(effectId: $effectId) { gains { ${delta} } loses { ${delta} } } }`;

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
      const ranks: [othersGaining: number, gained: number][] = [];
      for (const { changes, othersGaining } of explainAccess.remedies) {
        const { changeSetGuid, effect } = (await graph.data(apply, { changes })).applyChanges;
        const after = await readAccess();
        const gainedBy = each(size.users, (n) => reachedBy(n, after).difference(reachedBy(n, access)).size);
        const others = gainedBy.filter((gained, n) => n !== u && gained > 0).length;
        expect([changes, othersGaining]).toEqual([changes, others]);
        expect(effect.gains.users).toBe(others + 1);
        ranks.push([othersGaining, gainedBy[u]!]);
        expect([changes, (await graph.data(ask, variables)).explainAccess.isOpen]).toEqual([changes, true]);
        await graph.data('mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { note } }', {
          guid: changeSetGuid,
        });
      }
      expect(ranks).toEqual(
        [...ranks].sort(([one, oneGained], [other, otherGained]) => one - other || oneGained - otherGained),
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
    const stateBefore = await state();
    // whoever tried the changes asks for the lists
    const token = graph.token();
    const tried = (await graph.data(tryOut, { changes: planned }, token)).applyChanges;
    expect(await state()).toBe(stateBefore);
    const { effectId, ...triedEffect } = tried.effect;
    // asked when the dry run is rolled back
    expect((await graph.data(listsOf, { effectId }, token)).effect).toEqual(triedEffect);
    const { changeSetGuid, effect } = (await graph.data(apply, { changes: planned })).applyChanges;
    expect(triedEffect).toEqual(effect);
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
