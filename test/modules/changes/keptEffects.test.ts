/** Effects that are kept for their lists take no more memory than is set aside for them. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { linkProfile, newProfile, newRole, newScope, newScopeType, newUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

it('an effect is kept with the request that it would be counted again from, and both take up the room', async () => {
  const token = graph.token();
  const kept = async (text: string): Promise<string> => {
    const translations = Array.from({ length: 1_000 }, (_, number) => ({
      translationGroup: `g${number}`,
      fieldName: 'name',
      languageCode: 'de',
      translatedText: text,
    }));
    const plan = 'mutation ($file: JSON!) { planCatalogue(file: $file) { effect { effectId } } }';
    return (await graph.data(plan, { file: { translations } }, token)).planCatalogue.effect.effectId;
  };
  const read = async (effectId: string) => {
    const { json } = await graph.ask(
      'query ($effectId: ID!) { effect(effectId: $effectId) { effectId } }',
      { effectId },
      token,
    );
    return json.data?.effect?.effectId ?? json.errors[0].extensions.code;
  };
  const [small, large] = [await kept('a'), await kept('b'.repeat(4_000))];
  expect([await read(large), await read(small)]).toEqual([large, small]);
  // two bytes for each of four million characters: eight do not fit, and the one that was not read for the longest time leaves
  for (let count = 0; count < 7; count++) await kept('c'.repeat(4_000));
  expect([await read(large), await read(small)]).toEqual(['NOT_FOUND', small]);
});

it('the effect of an applied file is that of its change set, also after further changes', async () => {
  const { context } = graph.app;
  const token = graph.token();
  const [profileId, roleId, user] = [await newProfile(context), await newRole(context), await newUser(context)];
  await linkProfile(context, user.user_id, profileId, roleId);
  const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  const applicationGuid = crypto.randomUUID();
  const file = {
    applications: [{ applicationGuid, name: 'Portal', ...icons }],
    accessScopeApplicationsMappers: [{ applicationGuid, accessScopeGuid: scope.access_scope_guid, state: 'active' }],
  };
  const { hash } = (await graph.data('mutation ($file: JSON!) { planCatalogue(file: $file) { hash } }', { file }))
    .planCatalogue;
  const effect = 'effectId gains { users applications }';
  const apply = `mutation ($file: JSON!, $hash: String!) { applyCatalogue(file: $file, hash: $hash) { effect { ${effect} } } }`;
  const applied = (await graph.data(apply, { file, hash }, token)).applyCatalogue.effect;
  expect(applied.gains).toEqual({ users: 1, applications: 1 });
  await newRole(context);
  const read = `query ($effectId: ID!) { effect(effectId: $effectId) { ${effect} } }`;
  expect((await graph.data(read, { effectId: applied.effectId }, token)).effect).toEqual(applied);
});
