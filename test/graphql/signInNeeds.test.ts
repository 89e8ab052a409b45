/** What an ID token needs to sign a person in, as it is said before the person is made: an exchange decides whether it is true. */
import { randomUUID } from 'node:crypto';
import { listSignInNeeds } from '../../src/services/people/signInNeeds.js';
import { linkProfile, newClient, newProfile, newUser } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const query = `query ($userGuid: UUID, $idpname: String, $idpid: String) {
  signInNeeds(userGuid: $userGuid, idpname: $idpname, idpid: $idpid) { issuer idpname audiences sub text } }`;
interface Need {
  issuer: string;
  audiences: string[];
  sub: string | null;
  text: string;
}

it.each([
  ['of the first issuer', 'guids', null],
  ['of the first issuer, with an id there', 'guids', 'somebody'],
  ['of the second issuer', 'names', 'ada'],
  ['of the second issuer, without an id there', 'names', null],
  ['of no issuer', null, 'nobody'],
  ['of an issuer that is not configured', 'elsewhere', 'else'],
])('a person %s signs in by the ID token that was said, and by no other', async (_case, idpname, idpid) => {
  const { app } = graph;
  const { context } = app;
  const userGuid = randomUUID();
  const needs: Need[] = (await graph.data(query, { userGuid, idpname, idpid })).signInNeeds;
  expect(needs.map(({ issuer }) => issuer)).toEqual([app.provider.issuer, app.otherProvider.issuer]);

  const { user_id } = await newUser(context, { user_guid: userGuid, idpname, idpid });
  const profileId = await newProfile(context);
  await linkProfile(context, user_id, profileId, 'member');
  const { clientId: client_id, clientSecret: client_secret } = await newClient(context);
  const exchange = async (iss: string, aud: string, sub: string) => {
    const body = { ...exchangeBody(app.idToken({ iss, aud, sub })), profileId, client_id, client_secret };
    return (await app.post('/token', body)).status === 200;
  };
  for (const { issuer, audiences, sub } of needs)
    for (const named of [userGuid, idpid ?? 'nothing'])
      for (const aud of audiences)
        expect([issuer, named, await exchange(issuer, aud, named)]).toEqual([issuer, named, named === sub]);
});

it('with a single issuer that names people by their guid, a person needs no identity provider', () => {
  const { context } = graph.app;
  const userGuid = randomUUID();
  const only = { ...context, issuers: context.issuers.slice(0, 1) };
  expect(listSignInNeeds(only, { userGuid }).map(({ sub }) => sub)).toEqual([userGuid]);
  expect(listSignInNeeds(only, { userGuid, idpname: 'names' }).map(({ sub }) => sub)).toEqual([null]);
  expect(listSignInNeeds(context, { userGuid }).map(({ sub }) => sub)).toEqual([null, null]);
});

it('only those who may create people read the configured issuers', async () => {
  const refused = await graph.ask(query, {}, graph.token(['admin:read', 'admin:security']));
  expect(refused.json.errors[0].extensions.code).toBe('FORBIDDEN');
});
