/** openapi-typescript makes types; openapi-fetch calls by them. */
import createClient from 'openapi-fetch';
import type { paths } from '../generated/source/openapiTypescript';
import { apiVersion, type CallAnswers, exchangeGrant, questionsOf, type World } from './world';

export async function callAll(world: World): Promise<CallAnswers> {
  const { url, adminToken, client, profileId, idToken, accessScopeGuids, application } = world;
  const admin = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${adminToken}` } });
  const open = createClient<paths>({ baseUrl: url });
  const header = { 'api-version': apiVersion };
  const [first, second, third] = accessScopeGuids;
  const answers: CallAnswers = [];
  const tell = (
    operationId: string,
    { response, data }: { response: Response; data?: unknown },
    seen: unknown = data,
  ) => void answers.push([operationId, response.status, seen]);

  const made = await admin.POST('/api/applications', { params: { header }, body: application });
  tell('createApplication', made, made.data?.name);
  const applicationGuid = made.data!.applicationGuid;
  const listed = await admin.GET('/api/applications', { params: { header, query: { $top: 1, $count: true } } });
  tell('listApplications', listed, [listed.data?.length, listed.response.headers.get('x-total-count')]);
  const one = await admin.GET('/api/applications/{guid}', { params: { header, path: { guid: applicationGuid } } });
  tell('getApplication', one, one.data?.name);
  const params = { header, path: { applicationGuid } };
  const scopes = '/api/applications/{applicationGuid}/accessScopes';
  const body = [first, second, third].map((accessScopeGuid) => ({ accessScopeGuid }));
  const mapped = await admin.POST(scopes, { params, body });
  tell('createAccessScopes', mapped, mapped.data?.length);
  const changed = await admin.PATCH(scopes, { params, body: [{ accessScopeGuid: first, state: 'x' }] });
  tell('updateAccessScopes', changed, changed.data?.[0]?.state);
  const mappings = await admin.GET(scopes, { params });
  tell('listAccessScopes', mappings, mappings.data?.length);
  const path = { applicationGuid, accessScopeGuid: first };
  const removed = await admin.DELETE(`${scopes}/{accessScopeGuid}`, { params: { header, path }, parseAs: 'text' });
  tell('deleteAccessScope', removed, undefined);
  const others = [{ accessScopeGuid: second }, { accessScopeGuid: third }];
  const bulk = await admin.POST(`${scopes}%3Adelete`, { params, body: others, parseAs: 'text' });
  tell('deleteAccessScopes', bulk, undefined);

  const issued = await open.POST('/token', {
    body: { grant_type: exchangeGrant, id_token: idToken, profileId, ...client },
  });
  tell('issueToken', issued, issued.data?.token_type);
  const held = await open.POST('/profiles', { body: { id_token: idToken, ...client } });
  tell(
    'listProfiles',
    held,
    held.data?.profiles.some((each) => each.profileId === profileId),
  );
  const form = (values: object) => new URLSearchParams(values as Record<string, string>);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const refresh = { grant_type: 'refresh_token', refresh_token: issued.data!.refresh_token, ...client };
  const renewed = await open.POST('/token', { body: refresh, bodySerializer: form, headers });
  tell('issueToken, form', renewed, renewed.data?.token_type);
  const token = renewed.data!.access_token;
  tell(
    'validateToken',
    await open.POST('/validate-token', { body: { token } }).then(withData(({ is_valid }) => is_valid)),
  );
  tell(
    'introspectToken',
    await open
      .POST('/introspect', { body: { token, ...client }, bodySerializer: form, headers })
      .then(withData(({ active }) => active)),
  );
  const query = { scope: world.scopes };
  const verified = await open.GET('/verify', { params: { query }, headers: { authorization: `Bearer ${token}` } });
  tell('verifyRequest', verified, verified.response.headers.get('x-gatehouse-profile') === profileId);
  const basic = { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` };
  const { question, questions } = questionsOf(world);
  const decided = await open.POST('/access/v1/evaluation', { body: question, headers: basic });
  tell('evaluateAccess', decided, decided.data?.decision);
  const several = await open.POST('/access/v1/evaluations', { body: questions, headers: basic });
  tell(
    'evaluateAccesses',
    several,
    several.data?.evaluations?.map(({ decision }) => decision),
  );
  const decisionPoint = await open.GET('/.well-known/authzen-configuration');
  tell('getDecisionPointMetadata', decisionPoint, decisionPoint.data?.policy_decision_point === url);
  const revoked = await open.POST('/revoke', { body: { token: renewed.data!.refresh_token } });
  tell('revokeToken', revoked, revoked.data?.status);
  const metadata = await open.GET('/.well-known/oauth-authorization-server');
  tell('getMetadata', metadata, metadata.data?.issuer === url);
  const configuration = await open.GET('/.well-known/openid-configuration');
  tell('getConfiguration', configuration, configuration.data?.issuer === url);
  const apiMetadata = await open.GET('/.well-known/oauth-protected-resource/api');
  tell('getApiMetadata', apiMetadata, apiMetadata.data?.resource === `${url}/api`);
  const graphMetadata = await open.GET('/.well-known/oauth-protected-resource/graphql');
  tell('getGraphqlMetadata', graphMetadata, graphMetadata.data?.resource === `${url}/graphql`);
  const verifyMetadata = await open.GET('/.well-known/oauth-protected-resource/verify');
  tell('getVerifyMetadata', verifyMetadata, verifyMetadata.data?.resource === `${url}/verify`);
  const keys = await open.GET('/.well-known/jwks.json');
  tell('getKeys', keys, Number(keys.data?.keys.length) > 0);
  return answers;
}

const withData =
  <Data>(read: (data: Data) => unknown) =>
  ({ response, data }: { response: Response; data?: Data }) => ({ response, data: data && read(data) });
