/** The examples of docs/changes.md, as they stand there, one after the other. */
import { readFileSync } from 'node:fs';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { linkProfile, newProfile, newScope, newScopeType, newUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const text = readFileSync(new URL('../../../../docs/changes.md', import.meta.url), 'utf8');
const examples = new Map(
  [...text.matchAll(/^```graphql\n(\w+ (\w+)[\s\S]*?)^```/gm)].map(([, document, name]) => [name!, document!]),
);

it('look before, make, find after, and take back', async () => {
  const { context } = graph.app;
  const user = await newUser(context, { last_name: 'Lovelace' });
  const profile = await newProfile(context, 'harbour');
  await linkProfile(context, user.user_id, profile, 'member');
  const scope = await newScope(context, await newScopeType(context), profile, { access_scope_key: 'k' });
  const { createApplication } = await graph.data(
    'mutation { createApplication(input: {name: "Outage map", iconDefault: "i", iconHover: "i", appType: "web", renderingMode: "tab", linkType: "external"}) { applicationGuid } }',
  );
  const application = createApplication.applicationGuid;
  const guids = { application, scope: scope.access_scope_guid };
  const why = (await graph.data(examples.get('Why')!, { user: user.user_guid, application })).explainAccess;
  expect(why).toMatchObject({ isOpen: false, reasons: ['No mapping leads from Scope to Outage map.'] });
  expect(why.remedies).toEqual([
    {
      text: 'Map the access scope to the application.',
      changes: [
        {
          mapping: { applicationGuid: application, accessScopeGuid: scope.access_scope_guid, from: null, to: 'active' },
        },
      ],
      othersGaining: 0,
    },
  ]);
  const looked = (await graph.data(examples.get('Look')!, guids)).applyChanges;
  expect(looked.effect).toEqual({
    gains: {
      users: 1,
      applications: 1,
      scopes: 0,
      pairs: 1,
      items: {
        nodes: [
          {
            user: { lastName: 'Lovelace' },
            applications: [{ name: 'Outage map' }],
            scopes: [],
            profile: { name: 'harbour' },
          },
        ],
      },
    },
    loses: { users: 0 },
    tokens: { profiles: 1, users: 1, sessions: 0 },
  });
  const make = examples.get('Look')!.replace('dryRun: true', 'note: "the harbour team needs it"');
  const made = (await graph.data(make, guids)).applyChanges;
  expect(made.effect.gains.users).toBe(1);
  const found = await graph.data(examples.get('Find')!, { application });
  expect(found.changeSets.nodes[0]).toMatchObject({
    changeSetGuid: made.changeSetGuid,
    note: 'the harbour team needs it',
  });
  expect(found.history.nodes).toMatchObject([{ action: 'create' }]);
  const [{ now }] = (await context.sql.rows<{ now: string }>('select now() as now')) as [{ now: string }];
  const undone = (await graph.data(examples.get('Undo')!, { changeSet: made.changeSetGuid })).undoChangeSet;
  expect(undone).toMatchObject({ undoes: { note: 'the harbour team needs it' }, effect: { loses: { users: 1 } } });
  expect((await graph.data(examples.get('Then')!, { application, time: now })).accessOf).toEqual([
    { profile: { name: 'harbour' }, userProfiles: { nodes: [{ user: { lastName: 'Lovelace' } }] } },
  ]);
  expect([...examples.keys()]).toEqual(['Look', 'Find', 'Then', 'Why', 'Undo']);
});
