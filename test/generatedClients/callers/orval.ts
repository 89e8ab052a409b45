/** orval makes functions that call fetch at the address it was given; where several media types are taken, the caller names one. */
import * as api from '../generated/source/orval';
import { apiVersion, type CallAnswers, exchangeGrant, questionsOf, type World } from './world';

export async function callAll(world: World): Promise<CallAnswers> {
  const { url, adminToken, client, profileId, idToken, accessScopeGuids, application } = world;
  const json = { 'content-type': 'application/json' };
  const admin = { headers: { authorization: `Bearer ${adminToken}`, 'api-version': apiVersion } };
  const [first, second, third] = accessScopeGuids;
  const answers: CallAnswers = [];
  const tell = (operationId: string, { status }: { status: number }, seen?: unknown) =>
    void answers.push([operationId, status, seen]);

  const made = await api.createApplication(application, admin);
  if (made.status !== 200) throw new Error(`an application was answered ${made.status}`);
  tell('createApplication', made, made.data.name);
  const { applicationGuid } = made.data;
  const listed = await api.listApplications({ $top: 1, $count: true }, admin);
  tell('listApplications', listed, [(listed.data as unknown[]).length, listed.headers.get('x-total-count')]);
  const one = await api.getApplication(applicationGuid, admin);
  tell('getApplication', one, one.status === 200 && one.data.name);
  const body = [first, second, third].map((accessScopeGuid) => ({ accessScopeGuid }));
  const mapped = await api.createAccessScopes(applicationGuid, body, admin);
  tell('createAccessScopes', mapped, mapped.status === 200 && mapped.data.length);
  const changed = await api.updateAccessScopes(applicationGuid, [{ accessScopeGuid: first, state: 'x' }], admin);
  tell('updateAccessScopes', changed, changed.status === 200 && changed.data[0]?.state);
  const mappings = await api.listAccessScopes(applicationGuid, undefined, admin);
  tell('listAccessScopes', mappings, mappings.status === 200 && mappings.data.length);
  tell('deleteAccessScope', await api.deleteAccessScope(applicationGuid, first, admin));
  const others = [{ accessScopeGuid: second }, { accessScopeGuid: third }];
  tell('deleteAccessScopes', await api.deleteAccessScopes(applicationGuid, others, admin));

  const exchange = { grant_type: exchangeGrant, id_token: idToken, profileId, ...client };
  const issued = await api.issueToken(exchange, { headers: json });
  if (issued.status !== 200) throw new Error(`an exchange was answered ${issued.status}`);
  tell('issueToken', issued, issued.data.token_type);
  const held = await api.listProfiles({ id_token: idToken, ...client }, { headers: json });
  tell('listProfiles', held, held.status === 200 && held.data.profiles.some((each) => each.profileId === profileId));
  const refresh = { grant_type: 'refresh_token', refresh_token: issued.data.refresh_token, profileId, ...client };
  const renewed = await api.issueToken(refresh, { headers: json });
  if (renewed.status !== 200) throw new Error(`a renewal was answered ${renewed.status}`);
  tell('issueToken, form', renewed, renewed.data.token_type);
  const token = renewed.data.access_token;
  const valid = await api.validateToken({ token });
  tell('validateToken', valid, valid.status === 200 && valid.data.is_valid);
  const introspected = await api.introspectToken({ token, ...client });
  tell('introspectToken', introspected, introspected.status === 200 && introspected.data.active);
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const verified = await api.verifyRequest({ scope: world.scopes }, bearer);
  tell('verifyRequest', verified, verified.headers.get('x-gatehouse-profile') === profileId);
  const basic = { headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` } };
  const { question, questions } = questionsOf(world);
  const decided = await api.evaluateAccess(question, basic);
  tell('evaluateAccess', decided, decided.status === 200 && decided.data.decision);
  const several = await api.evaluateAccesses(questions, basic);
  tell(
    'evaluateAccesses',
    several,
    several.status === 200 && several.data.evaluations?.map(({ decision }) => decision),
  );
  const decisionPoint = await api.getDecisionPointMetadata();
  tell(
    'getDecisionPointMetadata',
    decisionPoint,
    decisionPoint.status === 200 && decisionPoint.data.policy_decision_point === url,
  );
  const revoked = await api.revokeToken({ token: renewed.data.refresh_token }, { headers: json });
  tell('revokeToken', revoked, revoked.status === 200 && revoked.data.status);
  const metadata = await api.getMetadata();
  tell('getMetadata', metadata, metadata.status === 200 && metadata.data.issuer === url);
  const configuration = await api.getConfiguration();
  tell('getConfiguration', configuration, configuration.status === 200 && configuration.data.issuer === url);
  const apiMetadata = await api.getApiMetadata();
  tell('getApiMetadata', apiMetadata, apiMetadata.status === 200 && apiMetadata.data.resource === `${url}/api`);
  const graphMetadata = await api.getGraphqlMetadata();
  tell(
    'getGraphqlMetadata',
    graphMetadata,
    graphMetadata.status === 200 && graphMetadata.data.resource === `${url}/graphql`,
  );
  const verifyMetadata = await api.getVerifyMetadata();
  tell(
    'getVerifyMetadata',
    verifyMetadata,
    verifyMetadata.status === 200 && verifyMetadata.data.resource === `${url}/verify`,
  );
  const keys = await api.getKeys();
  tell('getKeys', keys, keys.status === 200 && keys.data.keys.length > 0);
  return answers;
}
