/** Connectors in the graph: whether they work, and what they manage. */
import { revokeConnector, rotateConnectorToken } from '../../../src/modules/scim/connectors.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { newConnector, newGroup } from '../../support/connectors.js';
import { newUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const query = `{ connectors(orderBy: [{ connectorId: ASC }]) { nodes {
  connectorId idpname isRevoked lastUsedAt previousTokenEndsAt manages { people assignments profiles } } } }`;

it('a connector says its state, its last contact, the end of the old token, and how many people and assignments it manages', async () => {
  const { context, url } = graph.app;
  const one = await newConnector(context, url, 'entra');
  await newConnector(context, url, 'okta');
  await newConnector(context, url, 'entra-old', { idpname: 'entra' });
  await newGroup(context, 'engineers');
  await newGroup(context, 'clerks');
  const people: string[] = [];
  for (const userName of ['ada', 'bruno', 'clara']) {
    const { json } = await one.scim('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      externalId: userName,
      active: userName !== 'clara',
    });
    people.push(json.id);
  }
  for (const group of ['profile-engineers', 'profile-clerks'])
    await one.scim('PATCH', `/Groups/${group}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', path: 'members', value: people.slice(0, 2).map((value) => ({ value })) }],
    });
  // of the identity provider, made by hand; and deleted by the connector, which sees it no more
  await newUser(context, { idpname: 'entra', idpid: 'by hand' });
  await one.scim('DELETE', `/Users/${people[2]}`);
  await rotateConnectorToken(context, 'entra', 24);
  await revokeConnector(context, 'entra-old');
  const { nodes } = (await graph.data(query)).connectors;
  const idle = { lastUsedAt: null, previousTokenEndsAt: null };
  expect(nodes).toEqual([
    {
      connectorId: 'entra',
      idpname: 'entra',
      isRevoked: false,
      lastUsedAt: expect.any(String),
      previousTokenEndsAt: expect.any(String),
      manages: { people: 3, assignments: 4, profiles: 2 },
    },
    {
      ...idle,
      connectorId: 'entra-old',
      idpname: 'entra',
      isRevoked: true,
      manages: { people: 3, assignments: 0, profiles: 0 },
    },
    {
      ...idle,
      connectorId: 'okta',
      idpname: 'okta',
      isRevoked: false,
      manages: { people: 0, assignments: 0, profiles: 0 },
    },
  ]);
});

it('connectors are for admin:security, and what they manage for those who also read people', async () => {
  expect((await graph.ask(query, {}, graph.token(['admin:read']))).json.errors[0].extensions.code).toBe('FORBIDDEN');
  const { data, errors } = (await graph.ask(query, {}, graph.token(['admin:security']))).json;
  expect(data.connectors.nodes.map(({ manages }: { manages: unknown }) => manages)).toEqual([null, null, null]);
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions.code).toBe('FORBIDDEN');
});
