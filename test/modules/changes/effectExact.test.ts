/** What a change set says of itself is exact: which sessions it concerns, whom an item counts, which field is at fault, and that nothing was done. */
import type { Context } from '../../../src/context.js';
import { exchange } from '../../../src/services/tokens/exchange.js';
import { applied, count, errorOf, graph, startChangeSets } from '../../support/changeSets.js';
import { newClient, newHolder, newScope, newScopeType } from '../../support/records.js';

beforeAll(startChangeSets);
afterAll(() => graph?.close());

/** The process's estimate of the database's clock, so many milliseconds off. */
const withClock = (aheadMs: number): Context => ({
  ...graph.app.context,
  clock: { ...graph.app.context.clock, now: () => new Date(Date.now() + aheadMs) },
});

async function signIn(holder: { userGuid: string; profileId: string }, context: Context): Promise<void> {
  await exchange(context, {
    ...(await newClient(graph.app.context)),
    idToken: graph.app.idToken({ sub: holder.userGuid }),
    profileId: holder.profileId,
    dialect: 'documented',
  });
}

it.each([
  2_000, 0, -2_000,
])('sessions that began just before a change are counted, with an estimate of the clock that is %i ms ahead', async (aheadMs) => {
  const holder = await newHolder(graph.app.context);
  await signIn(holder, withClock(aheadMs));
  await signIn(holder, withClock(aheadMs));
  const changes = [{ deactivateUser: { userGuid: holder.userGuid } }];
  const tried = await applied(changes, { dryRun: true });
  const made = await applied(changes);
  const guid = made.changeSetGuid;
  const read = await graph.data(
    'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { effect { tokens { sessions } } } }',
    { guid },
  );
  const sessions = [tried, made, read.changeSet].map(({ effect }) => effect.tokens.sessions);
  expect(sessions).toEqual([2, 2, 2]);
});

it('a session that begins after a change is none of those that it concerned', async () => {
  const holder = await newHolder(graph.app.context);
  const type = await newScopeType(graph.app.context);
  const { access_scope_guid: guid } = await newScope(graph.app.context, type, holder.profileId, {
    access_scope_key: 'k',
  });
  await signIn(holder, graph.app.context);
  const made = await applied([{ deactivateAccessScope: { accessScopeGuid: guid } }]);
  // a clock that is ahead, so that the session begins by the database's clock
  await signIn(holder, withClock(60_000));
  const read = await graph.data(
    'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { effect { loses { users sessions } } } }',
    {
      guid: made.changeSetGuid,
    },
  );
  expect([made.effect.loses.sessions, read.changeSet.effect.loses]).toEqual([1, { users: 1, sessions: 1 }]);
});

it('the fault of a cell of a grid names its field', async () => {
  const accessScopeGuid = '11111111-1111-4111-8111-111111111111';
  const mapping = { applicationGuid: accessScopeGuid, accessScopeGuid, to: '' };
  const translation = { translationGroup: 'g', fieldName: '', languageCode: 'de', to: '' };
  const { extensions } = await errorOf([{ mapping }, { translation }]);
  expect(extensions.problems).toEqual({
    'changes[0].mapping.to': ['The to field must not be empty.'],
    'changes[1].translation.fieldName': ['The fieldName field must not be empty.'],
    'changes[1].translation.to': ['The to field must not be empty.'],
  });
});

it('changes that change nothing leave no change set and no new version, and are answered as a dry run', async () => {
  const type = await newScopeType(graph.app.context);
  const { access_scope_guid: accessScopeGuid } = await newScope(graph.app.context, type, undefined, {
    access_scope_key: 'k',
  });
  const name = 'As it is';
  await applied([{ updateAccessScope: { accessScopeGuid, input: { name } } }]);
  const sets = await count('change_sets');
  for (const changes of [[], [{ updateAccessScope: { accessScopeGuid, input: { name } } }]]) {
    const before = await applied([], { dryRun: true });
    const made = await applied(changes, { note: 'nothing' });
    expect(made).toMatchObject({
      isDryRun: true,
      catalogueVersion: before.catalogueVersion,
      effect: { gains: { users: 0 }, loses: { users: 0 } },
    });
    const { changeSet } = await graph.data('query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { note } }', {
      guid: made.changeSetGuid,
    });
    expect([changeSet, await count('change_sets')]).toEqual([null, sets]);
  }
  const other = await applied([{ updateAccessScope: { accessScopeGuid, input: { name: 'Another' } } }]);
  expect([other.isDryRun, await count('change_sets')]).toEqual([false, sets + 1]);
});
