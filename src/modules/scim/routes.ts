/** The routes below /scim/v2 (RFC 7644): they authenticate the connector, read the request, and call the service. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { presentedToken } from '../../auth/caller.js';
import { openRequestLimit } from '../../auth/limiter.js';
import type { Context, Dependencies } from '../../context.js';
import { GatehouseError, notFound, preconditionFailed, unauthenticated } from '../../errors.js';
import type { BodyRule } from '../../http/body.js';
import { isConditional, judgeConditions } from '../../http/conditions.js';
import type { RouteTools } from '../../http/openRoutes.js';
import { addressOf, contextOf } from '../../http/requestContext.js';
import { type Method, route } from '../../http/routes.js';
import type { JsonObject } from '../../jsonObject.js';
import { readGuid } from '../../services/records/input.js';
import { type ScimCondition, scimFault } from './conditions.js';
import { findConnector } from './connectors.js';
import {
  changeMembers,
  getGroup,
  listGroups,
  type ProvisionedGroup,
  refuseNewGroup,
  tooManyMembers,
} from './groups.js';
import {
  isIncluded,
  listResponse,
  project,
  readProjection,
  renderFault,
  ScimRefusal,
  type SelectedAttributes,
  sendJson,
} from './rest/answers.js';
import { resourceTypes, schemas, serviceProviderConfig } from './rest/discovery.js';
import { parseFilter } from './rest/filter.js';
import { groupResource, patchGroup, replaceGroup } from './rest/groupResource.js';
import { requireMembers } from './rest/names.js';
import {
  patchUser,
  readNewUser,
  readOperations,
  readWholeUser,
  revisionTag,
  userResource,
  withoutRepetition,
} from './rest/userResource.js';
import {
  changeProvisionedUser,
  createProvisionedUser,
  deleteProvisionedUser,
  getUser,
  listUsers,
  type PageRequest,
  type ProvisionedUser,
  pageMax,
  type RevisionCondition,
} from './users.js';

const root = '/scim/v2';
const scimJson: BodyRule = {
  accepts: (type) => ['application/scim+json', 'application/json', 'text/json'].includes(type),
  described: 'JSON (application/scim+json)',
  bytesMax: 1024 * 1024,
};

/** One call of an operation. */
interface Call {
  context: Context;
  request: Request;
  response: Response;
  /** The id in the path, as stored; empty if the path has none. */
  id: string;
  ifRevision: RevisionCondition;
  locate(path: string): string;
}
type Answer = (call: Call) => Promise<void>;

export function scimRoutes(dependencies: Dependencies, { bodies }: RouteTools): Router {
  const router = Router({ caseSensitive: false, strict: false });
  const locate = (path: string) => `${dependencies.issuerUrl}${root}${path}`;
  const requireConnector = authenticate(dependencies);
  const operation = (answer: Answer, hasBody: boolean): RequestHandler[] => {
    const answerRequest = async (request: Request, response: Response) => {
      const { context } = response.locals as { context: Context };
      const id = typeof request.params.id === 'string' ? request.params.id : '';
      // PostgreSQL accepts no NUL in a statement
      if (id.includes('\0')) throw notFound('The resource');
      await answer({ context, request, response, id, ifRevision: conditionOf(request), locate });
    };
    return [requireConnector, hasBody ? bodies.answerJson(scimJson, answerRequest) : answerRequest];
  };
  const resource = (path: string, answers: { [method in Method]?: Answer }) => {
    const handlers = Object.entries(answers).map(([method, answer]) => [
      method,
      operation(answer, ['post', 'put', 'patch'].includes(method)),
    ]);
    route(router, root + path, Object.fromEntries(handlers));
  };

  router.use('/scim', (_request, response, next) => {
    response.set('cache-control', 'private, no-cache');
    next();
  });
  for (const path of ['/Bulk', '/Me', '/.search', '/Users/.search', '/Groups/.search'])
    router.all(root + path, () => {
      throw new ScimRefusal(501, 'Bulk requests, /Me and /.search are not supported.');
    });
  resource('/Users', { get: answerUsers, post: createUser });
  resource('/Users/:id', { get: answerUser, put: putUser, patch: patchOneUser, delete: deleteUser });
  resource('/Groups', { get: answerGroups, post: createGroup });
  resource('/Groups/:id', { get: answerGroup, put: putGroup, patch: patchOneGroup, delete: deleteGroup });
  const documentAt = (path: string, bodyFor: (id: string) => JsonObject | undefined) =>
    resource(path, {
      get: async ({ request, response, id }) => {
        // RFC 7644 §4: nobody is to believe that a filter was applied
        if (request.query.filter) throw new GatehouseError('FORBIDDEN', 'These lists cannot be filtered.');
        const body = bodyFor(id);
        if (!body) throw notFound('The document');
        sendJson(response, 200, body);
      },
    });
  const documentsAt = (path: string, documents: JsonObject[]) => {
    documentAt(path, () => listResponse(documents, documents.length, 1));
    documentAt(`${path}/:id`, (id) => documents.find((each) => String(each.id).toLowerCase() === id.toLowerCase()));
  };
  documentsAt('/ResourceTypes', resourceTypes(locate));
  documentsAt('/Schemas', schemas(locate));
  documentAt('/ServiceProviderConfig', () => serviceProviderConfig(locate));
  router.use('/scim', () => {
    throw notFound('The path');
  });
  router.use('/scim', renderFault(dependencies));
  return router;
}

/** The id under which invalid tokens of all callers are counted; no client can have it. */
const noClient = '\0scim';

/** Answers 401 and 429 before the body is read. Invalid tokens of others never block a caller with a valid token. */
function authenticate(dependencies: Dependencies): RequestHandler {
  const { config, sql } = dependencies;
  const limit = openRequestLimit(config.scimRateLimit, config.limiterStore === 'memory' ? 'memory' : sql, 'scim');
  return async (request, response, next) => {
    const [authorization, ...others] = request.headersDistinct.authorization ?? [];
    const presented = others.length > 0 ? undefined : presentedToken(authorization);
    const caller = presented?.scheme === 'Bearer' ? await findConnector(dependencies, presented.token) : undefined;
    if (!caller || caller.kind !== 'connector') {
      if (presented) await dependencies.failures.count(noClient, addressOf(request));
      throw unauthenticated(
        'no token of a connector',
        authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
      );
    }
    await limit?.(caller.connector.connectorId);
    const context = contextOf(dependencies, request, caller);
    response.locals.context = context;
    next();
  };
}

/** The condition of a change (RFC 7644 §3.14). */
const conditionOf = (request: Request): RevisionCondition =>
  isConditional(request) ? (revision) => judgeConditions(request, revisionTag({ revision })) === 'true' : undefined;

function readPage(
  { query }: Request,
  filterFor: (text: string) => ScimCondition,
): PageRequest & { startIndex: number } {
  const whole = (name: string, fallback: number): number => {
    const text = query[name];
    if (text === undefined || text === '') return fallback;
    if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text))
      throw scimFault('invalidValue', `${name} must be a whole number.`);
    return Number(text);
  };
  // RFC 7644 §3.4.2.4: less than 1 counts as 1, and a negative count as 0
  const startIndex = Math.max(1, whole('startIndex', 1));
  const count = Math.min(pageMax, Math.max(0, whole('count', 100)));
  const { filter } = query;
  if (filter !== undefined && typeof filter !== 'string')
    throw scimFault('invalidFilter', 'There are several filters.');
  return { startIndex, skip: startIndex - 1, count, condition: filter ? filterFor(filter) : undefined };
}

/** A context for reads: on a replica if there is one, and only as long as the caller waits. */
const reading = (context: Context): Context => ({ ...context, reads: context.openReads() });

/** Sets the ETag. Answers 304 and returns true if the caller has this version already (RFC 7644 §3.14). Throws PRECONDITION_FAILED. */
function isKnown({ request, response }: Call, etag: string): boolean {
  response.set('etag', etag);
  const verdict = judgeConditions(request, etag);
  if (verdict === 'false') throw preconditionFailed();
  if (verdict === 'true') return false;
  response.status(304).end();
  return true;
}

const requireUserId = (id: string): string => {
  const read = readGuid(id);
  if ('problem' in read) throw notFound('The user');
  return String(read.value);
};

const answerUsers: Answer = async ({ context, request, response, locate }) => {
  const projection = readProjection(request.query);
  const page = readPage(request, parseFilter);
  const { total, users } = await listUsers(reading(context), page);
  const resources = users.map((user) => project(userResource(user, locate(`/Users/${user.userGuid}`)), projection));
  sendJson(response, 200, listResponse(resources, total, page.startIndex));
};

function sendUser({ request, response, locate }: Call, status: 200 | 201, user: ProvisionedUser): void {
  const location = locate(`/Users/${user.userGuid}`);
  response.set('etag', revisionTag(user)).location(location);
  sendJson(response, status, project(userResource(user, location), readProjection(request.query)));
}

const answerUser: Answer = async (call) => {
  const user = await getUser(reading(call.context), requireUserId(call.id));
  if (!isKnown(call, revisionTag(user))) sendUser(call, 200, user);
};

const createUser: Answer = async (call) => {
  readProjection(call.request.query);
  sendUser(call, 201, await createProvisionedUser(call.context, readNewUser(call.request.body)));
};

const putUser: Answer = async (call) => {
  readProjection(call.request.query);
  const userGuid = requireUserId(call.id);
  const fields = readWholeUser(call.request.body, userGuid);
  const change = (user: ProvisionedUser) => withoutRepetition(fields, user);
  sendUser(call, 200, await changeProvisionedUser(call.context, userGuid, call.ifRevision, change));
};

const patchOneUser: Answer = async (call) => {
  readProjection(call.request.query);
  const operations = readOperations(call.request.body);
  const userGuid = requireUserId(call.id);
  const change = (user: ProvisionedUser) => patchUser(user, operations);
  sendUser(call, 200, await changeProvisionedUser(call.context, userGuid, call.ifRevision, change));
};

const deleteUser: Answer = async ({ context, response, id, ifRevision }) => {
  await deleteProvisionedUser(context, requireUserId(id), ifRevision);
  response.status(204).end();
};

const answerGroups: Answer = async ({ context, request, response, locate }) => {
  const projection = readProjection(request.query);
  const page = readPage(request, parseFilter);
  const { total, groups } = await listGroups(reading(context), page, isIncluded(projection, 'members'));
  requireShownMembers(groups, projection);
  const resources = groups.map((group) => showGroup(group, projection, locate));
  sendJson(response, 200, listResponse(resources, total, page.startIndex));
};

const namesMembers = (projection: SelectedAttributes): boolean =>
  !!projection.only && isIncluded(projection, 'members');

const showGroup = (group: ProvisionedGroup, projection: SelectedAttributes, locate: Call['locate']): JsonObject =>
  project(groupResource(group, locate), projection);

/** Throws `tooMany` if the request asks for members and the group has too many to show. */
function requireShownMembers(groups: readonly ProvisionedGroup[], projection: SelectedAttributes): void {
  if (namesMembers(projection) && groups.some(({ members }) => !members)) throw tooManyMembers();
}

function sendGroup({ response, id, locate }: Call, group: ProvisionedGroup, projection: SelectedAttributes): void {
  response.set('etag', revisionTag(group)).location(locate(`/Groups/${encodeURIComponent(id)}`));
  sendJson(response, 200, showGroup(group, projection, locate));
}

const answerGroup: Answer = async (call) => {
  const projection = readProjection(call.request.query);
  const context = reading(call.context);
  if (isConditional(call.request) && isKnown(call, revisionTag(await getGroup(context, call.id, false)))) return;
  const group = await getGroup(context, call.id, isIncluded(projection, 'members'));
  requireShownMembers([group], projection);
  sendGroup(call, group, projection);
};

/** Leaves the members out if another request has added too many since: the change was made. */
async function sendChangedGroup(call: Call, projection: SelectedAttributes): Promise<void> {
  sendGroup(call, await getGroup(call.context, call.id, isIncluded(projection, 'members')), projection);
}

const createGroup: Answer = async ({ context, request }) => {
  const displayName = requireMembers(request.body).get('displayname');
  if (typeof displayName !== 'string' || displayName === '')
    throw scimFault('invalidValue', 'displayName is required.');
  const condition: ScimCondition = { kind: 'comparison', attribute: 'displayname', operator: 'eq', value: displayName };
  const { groups } = await listGroups(reading(context), { condition, skip: 0, count: 1 }, false);
  const [group] = groups;
  if (!group) return refuseNewGroup(displayName);
  throw scimFault(
    'uniqueness',
    `The group exists already, with the id ${group.profileId}: link it instead of creating it.`,
  );
};

const putGroup: Answer = async (call) => {
  const { context, request, id, ifRevision } = call;
  const projection = readProjection(request.query);
  await changeMembers(context, id, ifRevision, (group) => replaceGroup(group, request.body), namesMembers(projection));
  await sendChangedGroup(call, projection);
};

/** Answers without a body unless the request names attributes (RFC 7644 §3.5.2), because a group may have many members. Entra and Okta accept both. */
const patchOneGroup: Answer = async (call) => {
  const { context, request, response, id, ifRevision } = call;
  const projection = readProjection(request.query);
  const operations = readOperations(request.body);
  await changeMembers(context, id, ifRevision, (group) => patchGroup(group, operations), namesMembers(projection));
  if (projection.only) await sendChangedGroup(call, projection);
  else response.status(204).end();
};

/** Removes all members. The group itself stays: it is a profile, which only administrators remove. */
const deleteGroup: Answer = async ({ context, response, id, ifRevision }) => {
  await changeMembers(context, id, ifRevision, () => ({ keepsOthers: false, members: new Map() }));
  response.status(204).end();
};
