/** swagger-typescript-api makes a class, and takes the first media type of a body: JSON. */
import { Api, ContentType } from '../generated/source/swaggerTypescriptApi';
import { apiVersion, type CallAnswers, exchangeGrant, questionsOf, type World } from './world';

export async function callAll(world: World): Promise<CallAnswers> {
  const { url, adminToken, client, profileId, idToken, accessScopeGuids, application } = world;
  const baseApiParams = { headers: { authorization: `Bearer ${adminToken}`, 'api-version': apiVersion } };
  const { api } = new Api({ baseUrl: url, baseApiParams });
  const open = new Api({ baseUrl: url });
  const [first, second, third] = accessScopeGuids;
  const answers: CallAnswers = [];
  const tell = (operationId: string, { status }: { status: number }, seen?: unknown) =>
    void answers.push([operationId, status, seen]);

  const made = await api.createApplication(application);
  tell('createApplication', made, made.data.name);
  const { applicationGuid } = made.data;
  const listed = await api.listApplications({ $top: 1, $count: true });
  tell('listApplications', listed, [listed.data.length, listed.headers.get('x-total-count')]);
  const one = await api.getApplication(applicationGuid);
  tell('getApplication', one, one.data.name);
  const body = [first, second, third].map((accessScopeGuid) => ({ accessScopeGuid }));
  const mapped = await api.createAccessScopes(applicationGuid, body);
  tell('createAccessScopes', mapped, mapped.data.length);
  const changed = await api.updateAccessScopes(applicationGuid, [{ accessScopeGuid: first, state: 'x' }]);
  tell('updateAccessScopes', changed, changed.data[0]?.state);
  const mappings = await api.listAccessScopes(applicationGuid);
  tell('listAccessScopes', mappings, mappings.data.length);
  tell('deleteAccessScope', await api.deleteAccessScope(applicationGuid, first));
  const others = [{ accessScopeGuid: second }, { accessScopeGuid: third }];
  tell('deleteAccessScopes', await api.deleteAccessScopes(applicationGuid, others));

  const issued = await open.token.issueToken({ grant_type: exchangeGrant, id_token: idToken, profileId, ...client });
  tell('issueToken', issued, issued.data.token_type);
  const held = await open.profiles.listProfiles({ id_token: idToken, ...client });
  tell(
    'listProfiles',
    held,
    held.data.profiles.some((each) => each.profileId === profileId),
  );
  const refresh = { grant_type: 'refresh_token', refresh_token: issued.data.refresh_token, profileId, ...client };
  const renewed = await open.token.issueToken(refresh, { type: ContentType.UrlEncoded });
  tell('issueToken, form', renewed, renewed.data.token_type);
  const token = renewed.data.access_token;
  const valid = await open.validateToken.validateToken({ token });
  tell('validateToken', valid, valid.data.is_valid);
  const introspected = await open.introspect.introspectToken({ token, ...client });
  tell('introspectToken', introspected, introspected.data.active);
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const verified = await open.verify.verifyRequest({ scope: world.scopes }, bearer);
  tell('verifyRequest', verified, verified.headers.get('x-gatehouse-profile') === profileId);
  const basic = { headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` } };
  const { question, questions } = questionsOf(world);
  const decided = await open.access.evaluateAccess(question, basic);
  tell('evaluateAccess', decided, decided.data.decision);
  const several = await open.access.evaluateAccesses(questions, basic);
  tell(
    'evaluateAccesses',
    several,
    several.data.evaluations?.map(({ decision }) => decision),
  );
  const decisionPoint = await open.wellKnown.getDecisionPointMetadata();
  tell('getDecisionPointMetadata', decisionPoint, decisionPoint.data.policy_decision_point === url);
  const revoked = await open.revoke.revokeToken({ token: renewed.data.refresh_token });
  tell('revokeToken', revoked, revoked.data.status);
  const metadata = await open.wellKnown.getMetadata();
  tell('getMetadata', metadata, metadata.data.issuer === url);
  const configuration = await open.wellKnown.getConfiguration();
  tell('getConfiguration', configuration, configuration.data.issuer === url);
  const apiMetadata = await open.wellKnown.getApiMetadata();
  tell('getApiMetadata', apiMetadata, apiMetadata.data.resource === `${url}/api`);
  const graphMetadata = await open.wellKnown.getGraphqlMetadata();
  tell('getGraphqlMetadata', graphMetadata, graphMetadata.data.resource === `${url}/graphql`);
  const verifyMetadata = await open.wellKnown.getVerifyMetadata();
  tell('getVerifyMetadata', verifyMetadata, verifyMetadata.data.resource === `${url}/verify`);
  const keys = await open.wellKnown.getKeys();
  tell('getKeys', keys, keys.data.keys.length > 0);
  return answers;
}
