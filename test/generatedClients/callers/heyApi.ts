/** hey-api makes functions and a client of its own. */
import * as api from '../generated/source/heyApi';
import { createClient } from '../generated/source/heyApi/client';
import { apiVersion, type CallAnswers, exchangeGrant, questionsOf, type World } from './world';

export async function callAll(world: World): Promise<CallAnswers> {
  const { url, adminToken, client: credentials, profileId, idToken, accessScopeGuids, application } = world;
  const client = createClient({ baseUrl: url, auth: adminToken });
  const open = { client: createClient({ baseUrl: url }) };
  const headers = { 'api-version': apiVersion };
  const [first, second, third] = accessScopeGuids;
  const answers: CallAnswers = [];
  const add = (operationId: string, answer: { response?: Response }, seen?: unknown) =>
    void answers.push([operationId, answer.response!.status, seen]);

  const made = await api.createApplication({ client, headers, body: application });
  add('createApplication', made, made.data?.name);
  const applicationGuid = made.data!.applicationGuid;
  const listed = await api.listApplications({ client, headers, query: { $top: 1, $count: true } });
  add('listApplications', listed, [listed.data?.length, listed.response!.headers.get('x-total-count')]);
  const one = await api.getApplication({ client, headers, path: { guid: applicationGuid } });
  add('getApplication', one, one.data?.name);
  const common = { client, headers, path: { applicationGuid } };
  const body = [first, second, third].map((accessScopeGuid) => ({ accessScopeGuid }));
  const mapped = await api.createAccessScopes({ ...common, body });
  add('createAccessScopes', mapped, mapped.data?.length);
  const changed = await api.updateAccessScopes({ ...common, body: [{ accessScopeGuid: first, state: 'x' }] });
  add('updateAccessScopes', changed, changed.data?.[0]?.state);
  const mappings = await api.listAccessScopes(common);
  add('listAccessScopes', mappings, mappings.data?.length);
  const path = { applicationGuid, accessScopeGuid: first };
  add('deleteAccessScope', await api.deleteAccessScope({ client, headers, path }));
  const others = [{ accessScopeGuid: second }, { accessScopeGuid: third }];
  add('deleteAccessScopes', await api.deleteAccessScopes({ ...common, body: others }));

  const exchange = { grant_type: exchangeGrant, id_token: idToken, profileId, ...credentials };
  const issued = await api.issueToken({ ...open, body: exchange });
  add('issueToken', issued, issued.data?.token_type);
  const form = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    bodySerializer: (values: unknown) => new URLSearchParams(values as Record<string, string>).toString(),
  };
  const held = await api.listProfiles({ ...open, body: { id_token: idToken, ...credentials } });
  add(
    'listProfiles',
    held,
    held.data?.profiles.some((each) => each.profileId === profileId),
  );
  const refresh_token = issued.data!.refresh_token;
  const refresh = { grant_type: 'refresh_token', refresh_token, profileId, ...credentials };
  const renewed = await api.issueToken({ ...open, ...form, body: refresh });
  add('issueToken, form', renewed, renewed.data?.token_type);
  const token = renewed.data!.access_token;
  const valid = await api.validateToken({ ...open, body: { token } });
  add('validateToken', valid, valid.data?.is_valid);
  const introspected = await api.introspectToken({ ...open, body: { token, ...credentials } });
  add('introspectToken', introspected, introspected.data?.active);
  const verified = await api.verifyRequest({ ...open, auth: token, query: { scope: world.scopes } });
  add('verifyRequest', verified, verified.response!.headers.get('x-gatehouse-profile') === profileId);
  const basic = `${credentials.client_id}:${credentials.client_secret}`;
  const asking = { ...open, auth: ({ scheme }: { scheme?: string }) => (scheme === 'basic' ? basic : undefined) };
  const { question, questions } = questionsOf(world);
  const decided = await api.evaluateAccess({ ...asking, body: question });
  add('evaluateAccess', decided, decided.data?.decision);
  const several = await api.evaluateAccesses({ ...asking, body: questions });
  add(
    'evaluateAccesses',
    several,
    several.data?.evaluations?.map(({ decision }) => decision),
  );
  const decisionPoint = await api.getDecisionPointMetadata(open);
  add('getDecisionPointMetadata', decisionPoint, decisionPoint.data?.policy_decision_point === url);
  const revoked = await api.revokeToken({ ...open, body: { token: renewed.data!.refresh_token } });
  add('revokeToken', revoked, revoked.data?.status);
  const metadata = await api.getMetadata(open);
  add('getMetadata', metadata, metadata.data?.issuer === url);
  const configuration = await api.getConfiguration(open);
  add('getConfiguration', configuration, configuration.data?.issuer === url);
  const apiMetadata = await api.getApiMetadata(open);
  add('getApiMetadata', apiMetadata, apiMetadata.data?.resource === `${url}/api`);
  const graphMetadata = await api.getGraphqlMetadata(open);
  add('getGraphqlMetadata', graphMetadata, graphMetadata.data?.resource === `${url}/graphql`);
  const verifyMetadata = await api.getVerifyMetadata(open);
  add('getVerifyMetadata', verifyMetadata, verifyMetadata.data?.resource === `${url}/verify`);
  const keys = await api.getKeys(open);
  add('getKeys', keys, Number(keys.data?.keys.length) > 0);
  return answers;
}
