/** The documented REST paths below /api. */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Permission } from '../../auth/caller.js';
import type { Context, Dependencies } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { parseGuid } from '../../entities/valueForms.js';
import { badInput, GatehouseError, preconditionFailed } from '../../errors.js';
import { refuseBrownedOut } from '../../http/announcedEnds.js';
import { administrationJson, type BodyReader, type BodyRule, bulkJson, releaseBody } from '../../http/body.js';
import { isConditional, judgeConditions } from '../../http/conditions.js';
import type { Encodings } from '../../http/encoding/encodings.js';
import { withResourceMetadata } from '../../http/problem.js';
import { contextOf, limitRequests } from '../../http/requestContext.js';
import { route } from '../../http/routes.js';
import { createApplication, documentedApplicationInput } from '../../services/catalogue/applications.js';
import {
  createMappings,
  deleteMapping,
  deleteMappings,
  scopeMappings,
  updateMappings,
} from '../../services/catalogue/mappings.js';
import { permit } from '../../services/permit.js';
import {
  catalogueVersion,
  catalogueVersionFor,
  countApplications,
  countMappings,
  getApplication,
  type JsonBatch,
  type JsonBatches,
  listApplications,
  listMappings,
  listMappingsByKey,
} from '../../services/read/listRecords.js';
import { lookUpAnswer } from '../../services/read/lookUpAnswer.js';
import { dryRun } from '../../services/records/changeOrTry.js';
import { requireGuids } from '../../services/records/input.js';
import { identify } from '../../services/tokens/caller.js';
import {
  cacheApplication,
  cacheList,
  etagOf,
  holdListSlot,
  isUnversionedRequest,
  queryOf,
  readListQuery,
  releaseListSlot,
  sendCached,
  sendList,
  sendNotModified,
} from './lists.js';

const supportedVersion = '1.0';
/** Its accepted spellings. */
const supported = new Set([supportedVersion, '1']);
// https://github.com/dotnet/aspnet-api-versioning: a date, major.minor or both, and optionally a status
const form =
  /^(?:\d{4}-\d\d-\d\d(?:\.\d{1,64}(?:\.\d{1,64})?)?|\d{1,64}(?:\.\d{1,64})?)(?:-[A-Za-z][A-Za-z0-9]{0,64})?$/;

/** Every answer, errors too, names the version, is for this caller, and may be another one later. */
const setHeaders: RequestHandler = (_request, response, next) => {
  response.set({ 'api-supported-versions': supportedVersion, 'cache-control': 'private, no-cache' });
  next();
};

/** Throws BAD_USER_INPUT for a version that is missing, malformed, not supported, or given twice and differently. */
const requireApiVersion: RequestHandler = (request, _response, next) => {
  const versions = new Set(versionsOf(request).map((version) => (supported.has(version) ? supportedVersion : version)));
  const [version] = versions;
  if (version === undefined) throw problem('Unspecified', 'An API version is required, but was not specified.');
  if (versions.size > 1) throw problem('Ambiguous', 'Different API versions were requested at once.');
  if (!form.test(version)) throw problem('Invalid', 'The value of api-version is not an API version.');
  if (version !== supportedVersion) throw problem('Unsupported', 'The requested API version is not supported.');
  next();
};

/** The versions of all header lines; several may be joined by a comma (RFC 9110 §5.3). */
function versionsOf(request: Request): string[] {
  const values = request.headersDistinct['api-version'] ?? [];
  return values.flatMap((value) => value.split(',')).flatMap((value) => value.trim() || []);
}

/** The problems of ASP.NET API versioning, which the old service answered. */
function problem(fault: 'Unspecified' | 'Ambiguous' | 'Invalid' | 'Unsupported', detail: string): GatehouseError {
  const code = fault === 'Unspecified' ? 'ApiVersionUnspecified' : `${fault}ApiVersion`;
  const type = `https://docs.api-versioning.org/problems#${fault.toLowerCase()}`;
  return new GatehouseError('BAD_USER_INPUT', detail, { extra: { type, title: `${fault} API version`, code } });
}

/** RFC 7240 §2: preferences are separated by commas and may have values and parameters, which are ignored. */
const wantsDryRun = (request: Request): boolean =>
  (request.get('prefer') ?? '')
    .split(',')
    .some((preference) => preference.split(/[;=]/, 1)[0]!.trim().toLowerCase() === 'dry-run');

/**
 * Makes the change, or a dry run. The result of `work` must be read completely.
 * @param application the guid in the path; undefined for the list of applications
 */
async function changeAsPreferred<T>(
  call: Call,
  application: unknown,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { request, response } = call;
  const context = withCondition(call, parseGuid(application) ?? '');
  if (!wantsDryRun(request)) return work(context);
  // also for a refusal: the change would be refused in the same way
  response.set('preference-applied', 'dry-run');
  return dryRun(context, 'admin:write', work);
}

/** The condition is about the ETag that the list has now with the same query: that of the application's mappings, or of applications. */
function withCondition({ context, request }: Call, application: string): Context {
  if (!isConditional(request)) return context;
  return {
    ...context,
    ifVersion: (version) => judgeConditions(request, etagOf(request, application, version)) === 'true',
  };
}

/** Reads a list to its end; it is at most as long as a bulk change. */
async function readToEnd(batches: JsonBatches): Promise<JsonBatch[]> {
  const read: JsonBatch[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}

async function* replay(batches: readonly JsonBatch[]): JsonBatches {
  yield* batches;
}

/** One call of an operation. */
interface Call {
  context: Context;
  request: Request;
  response: Response;
  encodings: Encodings;
}
type Answer = (call: Call) => Promise<void>;

export function applicationRoutes(dependencies: Dependencies, bodies: BodyReader, encodings: Encodings): Router {
  // any case and a trailing slash are accepted, as by the old service
  const router = Router({ caseSensitive: false, strict: false });
  const refuseBrownouts = refuseBrownedOut(dependencies.config);
  const operation = (
    permission: Permission,
    answer: Answer,
    { body, entry = [] }: { body?: BodyRule; entry?: RequestHandler[] } = {},
  ): RequestHandler[] => {
    const answerRequest = (request: Request, response: Response) =>
      answer({ context: response.locals.context, request, response, encodings });
    return [
      ...limitRequests(dependencies.adminRequests),
      requireApiVersion,
      ...entry,
      authorize(dependencies, permission),
      ...refuseBrownouts,
      body ? bodies.answerJson(body, answerRequest) : answerRequest,
    ];
  };
  const list = (answer: Answer) => {
    const untilRead: Answer = (call) => answer(call).finally(() => releaseListSlot(call.response));
    return operation('admin:read', untilRead, { entry: [holdListSlot(dependencies)] });
  };

  router.use('/api', setHeaders);
  const applications = '/api/applications';
  const scopes = `${applications}/:applicationGuid/accessScopes`;
  const bulk = { body: bulkJson };
  route(router, applications, {
    get: list(answerApplications),
    post: operation('admin:write', answerCreation, { body: administrationJson }),
  });
  router.all(
    [applications, scopes].flatMap((list) => [`${list}/$count`, `${list}/%24count`]),
    () => {
      throw new GatehouseError('NOT_FOUND', countRefusal);
    },
  );
  route(router, `${applications}/:guid`, { get: operation('admin:read', answerApplication) });
  route(router, scopes, {
    get: list(answerMappings),
    post: operation('admin:write', answerBulk(createMappings), bulk),
    patch: operation('admin:write', answerBulk(updateMappings), bulk),
  });
  route(router, [`${scopes}\\:delete`, `${scopes}%3Adelete`], {
    post: operation('admin:write', answerBulkDeletion, bulk),
  });
  route(router, `${scopes}/:accessScopeGuid`, { delete: operation('admin:write', answerDeletion) });
  const answerError: ErrorRequestHandler = (error, _request, response, next) => {
    // those of the list that was not sent
    if (!response.headersSent) for (const name of ['etag', 'x-total-count']) response.removeHeader(name);
    next(withResourceMetadata(error, dependencies.issuerUrl, 'api'));
  };
  router.use('/api', answerError);
  return router;
}

const countRefusal =
  'The path segment /$count is not supported: $count=true on the list puts the number of records into x-total-count.';

/** Answers 401 and 403 before the body is read; the services check again. */
const authorize =
  (dependencies: Dependencies, permission: Permission): RequestHandler =>
  async (request, response, next) => {
    const context = contextOf(dependencies, request, await identify(dependencies, request));
    permit(context, permission);
    response.locals.context = context;
    next();
  };

/** A context for reads: on a replica if there is one, and only as long as the client waits. */
const openReading = (context: Context): Context => ({ ...context, reads: context.openReads() });

/** A list, and the version of the catalogue that it shows. */
interface OpenedList {
  version: string;
  count(): Promise<number>;
  read(): JsonBatches;
}

const answerApplications: Answer = (call) => {
  const read = readListQuery(queryOf(call.request), Application);
  if (read.problems) throw badInput(read.problems);
  const { query } = read;
  return answerList(call, { application: '', isCounted: read.count }, async (context, version) => ({
    version: version ?? (await catalogueVersion(context)),
    count: () => countApplications(context, query),
    read: () => listApplications(context, query),
  }));
};

const answerMappings: Answer = async (call) => {
  const { request } = call;
  const read = readListQuery(queryOf(request), AccessScopeApplicationsMapper);
  const { applicationGuid } = requireGuids({ applicationGuid: request.params.applicationGuid }, read.problems);
  if (read.problems) return;
  const { query } = read;
  await answerList(call, { application: applicationGuid, isCounted: read.count }, async (context) => {
    const { version, applicationId } = await catalogueVersionFor(context, applicationGuid);
    return {
      version,
      count: () => countMappings(context, applicationId, query),
      read: () => listMappings(context, applicationId, query),
    };
  });
};

/**
 * Answers from the cache, with 304, or with a list that is read for this request.
 * @param application the guid of the application whose mappings are listed; empty for the list of applications
 * @param open gets the version with which the cache was asked, if it was asked
 */
async function answerList(
  call: Call,
  { application, isCounted }: { application: string; isCounted: boolean },
  open: (context: Context, version: string | undefined) => Promise<OpenedList>,
): Promise<void> {
  const { request, response, encodings } = call;
  const query = queryOf(request);
  const lookup = isUnversionedRequest(query)
    ? undefined
    : await lookUpAnswer(call.context, ['list', application, query]);
  const isUnchanged = (version: string) =>
    sendNotModified(request, response, encodings, etagOf(request, application, version));
  if (lookup?.found) {
    if (isUnchanged(lookup.version)) return;
    releaseListSlot(response);
    return sendCached(request, response, lookup, encodings);
  }
  const list = await open(openReading(call.context), lookup?.version);
  if (isUnchanged(list.version)) return;
  const headers: Record<string, string> = isCounted ? { 'x-total-count': String(await list.count()) } : {};
  response.set(headers);
  const observer = lookup?.isAskedAgain ? cacheList(lookup, headers) : undefined;
  await sendList(request, response, list.read(), encodings, observer);
  if (!observer) lookup?.noteAnswered();
}

const answerApplication: Answer = async ({ context, request, response, encodings }) => {
  const { guid } = requireGuids({ guid: request.params.guid });
  const lookup = await lookUpAnswer(context, ['application', guid]);
  const json = lookup?.found?.body ?? (await getApplication(openReading(context), guid));
  // it has no ETag that If-Match could name
  if (judgeConditions(request, undefined) === 'false') throw preconditionFailed();
  if (lookup && typeof json === 'string') cacheApplication(lookup, json);
  await encodings.send(request, response.type('application/json'), json, lookup);
};

const answerCreation: Answer = async (call) => {
  const { context, request, response } = call;
  const { applicationGuid, json } = await changeAsPreferred(call, undefined, async (context) => {
    const { applicationGuid } = await createApplication(context, request.body, documentedApplicationInput());
    return { applicationGuid, json: await getApplication(context, applicationGuid) };
  });
  response.status(context.config.restStatus === 'standard' ? 201 : 200);
  response.location(`${context.config.basePath}/api/applications/${applicationGuid}`);
  response.type('application/json').send(json);
};

const answerBulk =
  (changeMappings: typeof createMappings): Answer =>
  async (call) => {
    const { request, response } = call;
    const { applicationGuid } = request.params;
    const changed = await changeAsPreferred(call, applicationGuid, async (context) => {
      const keys = await changeMappings(context, scopeMappings, applicationGuid, request.body);
      const list = listMappingsByKey(context, keys);
      // after the rollback of a dry run nothing can be read
      return context.changing ? replay(await readToEnd(list)) : list;
    });
    releaseBody(response);
    await sendList(request, response, changed);
  };

/** Deletes the mappings that the path or the body names. */
const answerDeletionBy =
  (deleteFor: (context: Context, request: Request) => Promise<unknown>): Answer =>
  async (call) => {
    const { context, request, response } = call;
    await changeAsPreferred(call, request.params.applicationGuid, (context) => deleteFor(context, request));
    response.status(context.config.restStatus === 'standard' ? 204 : 200).end();
  };

const answerBulkDeletion = answerDeletionBy((context, { params, body }) =>
  deleteMappings(context, scopeMappings, params.applicationGuid, body),
);

const answerDeletion = answerDeletionBy((context, { params }) =>
  deleteMapping(context, scopeMappings, params.applicationGuid, params.accessScopeGuid),
);
