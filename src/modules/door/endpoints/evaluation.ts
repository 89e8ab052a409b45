/** Answers the AuthZEN Authorization API 1.0: `/access/v1/evaluation` and `/access/v1/evaluations`. */
import type { IncomingMessage } from 'node:http';
import type { Context } from '../../../context.js';
import { isGuid, isOnCalendar, isStorable, isWrittenInFourDigits } from '../../../entities/valueForms.js';
import {
  asReadFailure,
  badInput,
  GatehouseError,
  readTookTooLong,
  toGatehouseError,
  unauthenticated,
} from '../../../errors.js';
import { type Answer, json } from '../../../http/answer.js';
import { type BodyRule, jsonObjectOf } from '../../../http/body.js';
import { problemOf } from '../../../http/problem.js';
import { untilClosed } from '../../../http/requestContext.js';
import { isJsonObject, type JsonObject, withoutNulls } from '../../../jsonObject.js';
import { currentRequest, note } from '../../../observability/currentRequest.js';
import type { OpenEndpoints } from '../../../rest/token/endpoints.js';
import { readBasic, type TokenRequest } from '../../../rest/token/request.js';
import { permit } from '../../../services/permit.js';
import { identify } from '../../../services/tokens/caller.js';
import { requireClient } from '../../../services/tokens/client.js';
import { TokenRefusal } from '../../../services/tokens/tokenRefusal.js';
import { type AccessDecision, type AccessQuestion, evaluate } from '../evaluate.js';
import { refusedAtDoor } from './verify.js';

const evaluationBody: BodyRule = {
  accepts: (type) => type === 'application/json',
  described: 'application/json',
  bytesMax: 1024 * 1024,
};
export const evaluationEndpoints: OpenEndpoints = () => {
  const shared = {
    enter: identifyEvaluator,
    rule: evaluationBody,
    refuse: refuseEvaluation,
    refusedBy: refusedAtDoor,
    hasRequestId: true,
  } as const;
  return {
    '/access/v1/evaluation': { ...shared, json: evaluation },
    '/access/v1/evaluations': { ...shared, json: evaluations },
  };
};
const evaluationsMax = 1_000;
/** Each needs a separate statement. */
const timesMax = 10;

/** One question (§6). */
async function evaluation(asking: Context, read: TokenRequest): Promise<Answer> {
  return evaluateOne(asking, jsonObjectOf(read.body));
}

/** Up to 1,000 questions (§7); without `evaluations` it is one. */
async function evaluations(asking: Context, read: TokenRequest): Promise<Answer> {
  const { evaluations: items = [], options, ...defaults } = withoutNulls(jsonObjectOf(read.body));
  if (!Array.isArray(items) || items.length > evaluationsMax)
    throw badInput({ evaluations: [`evaluations must be an array of at most ${evaluationsMax}.`] });
  if (items.length === 0) return evaluateOne(asking, defaults);
  const stopsAt = stopOf(options);
  const requests = items.map((item): AccessQuestion | Refused =>
    isJsonObject(item)
      ? readQuestion({ ...defaults, ...withoutNulls(item) })
      : refused(400, 'An evaluation must be an object.'),
  );
  const questions = requests.filter((question): question is AccessQuestion => !('refused' in question));
  if (new Set(questions.map(({ asOf }) => asOf)).size > timesMax)
    throw badInput({ evaluations: [`The evaluations must have at most ${timesMax} different context.asOf.`] });
  const evaluated = (await evaluate(asking, questions)).values();
  const decisions = requests.map((question) =>
    describe('refused' in question ? question.refused : evaluated.next().value!),
  );
  const last = decisions.findIndex(({ decision }) => decision === stopsAt);
  return json(200, { evaluations: last < 0 ? decisions : decisions.slice(0, last + 1) });
}

async function evaluateOne(context: Context, value: JsonObject): Promise<Answer> {
  const question = readQuestion(value);
  const [decision] = 'refused' in question ? [question.refused] : await evaluate(context, [question]);
  if ('error' in decision! && decision.error.status === 400) throw badInput({ $: [decision.error.message] });
  return json(200, describe(decision!));
}

const semantics: Record<string, boolean | undefined> = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};

/** The decision after which evaluation stops; undefined: all questions are answered. */
function stopOf(options: unknown): boolean | undefined {
  const members = options === undefined ? {} : options;
  const semantic = isJsonObject(members) ? (members.evaluations_semantic ?? 'execute_all') : undefined;
  if (typeof semantic !== 'string' || !Object.hasOwn(semantics, semantic))
    throw badInput({ options: [`options.evaluations_semantic must be among ${Object.keys(semantics).join(', ')}.`] });
  return semantics[semantic];
}

const describe = (decision: AccessDecision) => ({
  decision: decision.isGranted,
  context: 'error' in decision ? { error: decision.error } : { reasons: decision.reasons },
});

/** The answer to a question that can't be evaluated. */
interface Refused {
  refused: AccessDecision;
}
const refused = (status: number, message: string): Refused => ({
  refused: { isGranted: false, error: { status, message } },
});

/** Unknown members are ignored (§10.1.1); types and actions that have no meaning here are denied. */
function readQuestion(value: JsonObject): AccessQuestion | Refused {
  const { subject, action, resource, context = {} } = withoutNulls(value);
  for (const [name, entity, members] of [
    ['subject', subject, ['type', 'id']],
    ['action', action, ['name']],
    ['resource', resource, ['type', 'id']],
    ['context', context, []],
  ] as const) {
    if (!isJsonObject(entity)) return refused(400, `${name} must be an object.`);
    for (const member of members)
      if (typeof entity[member] !== 'string') return refused(400, `${name}.${member} must be a string.`);
    const { properties = {} } = withoutNulls(entity);
    if (!isJsonObject(properties)) return refused(400, `${name}.properties must be an object.`);
  }
  const [{ type, id, properties }, { name }, target, { asOf }] = [subject, action, resource, context] as [
    { type: string; id: string; properties?: JsonObject | null },
    { name: string },
    { type: string; id: string },
    JsonObject,
  ];
  const { profile = properties?.profileId ?? null } = properties ?? {};
  if (profile !== null && typeof profile !== 'string')
    return refused(400, 'subject.properties.profile must be a string.');
  const at = asOf === undefined || asOf === null ? undefined : readTime(asOf);
  if (at === null) return refused(400, 'context.asOf must be a date-time (RFC 3339).');
  const kind = `${name} ${target.type}`;
  if (type !== 'user' || (kind !== 'open application' && kind !== 'use scope'))
    return refused(404, 'The subject must be a user. The actions are open on an application, and use on a scope.');
  if (!isGuid(id)) return refused(404, 'The user was not found.');
  if (kind === 'open application' && !isGuid(target.id)) return refused(404, 'The application was not found.');
  if (!isStorable(target.id) || !isStorable(profile ?? '')) return refused(400, 'A text must not contain U+0000.');
  const isOpen = kind === 'open application';
  return {
    userGuid: id,
    profileId: profile,
    applicationGuid: isOpen ? target.id : null,
    scope: isOpen ? null : target.id,
    asOf: at,
  };
}

// Date.parse takes 24:00 for the next day
const dateTime = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;
function readTime(value: unknown): string | null {
  if (typeof value !== 'string' || !dateTime.test(value) || !isOnCalendar(value.slice(0, 10))) return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || !isWrittenInFourDigits(time) ? null : time.toISOString();
}

/** A client with `mayEvaluate` by HTTP Basic, or a caller with admin:read; reads are on its share of the database. */
async function identifyEvaluator(context: Context, request: IncomingMessage): Promise<Context> {
  const [header, ...others] = request.headersDistinct.authorization ?? [];
  const credentials = header === undefined || others.length > 0 ? undefined : readBasic(header);
  const asking = { ...context };
  let name: string | undefined;
  if (credentials) {
    const { clientId } = credentials;
    note('clientId', clientId);
    await requireClient(context, credentials);
    const statement = 'select may_evaluate from clients where client_id = $1';
    const [client] = await context.sql.rows<{ may_evaluate: boolean }>(statement, [clientId]);
    if (!client?.may_evaluate)
      throw new GatehouseError('FORBIDDEN', 'The client may not request decisions (mayEvaluate).');
    asking.caller = { kind: 'system', sub: clientId, permissions: new Set(['admin:read']) };
    name = `client ${clientId}`;
  } else {
    asking.caller = await identify(context, request);
    if (asking.caller.kind === 'anonymous') throw unauthenticated('no access token');
    name = asking.caller.sub;
    note('caller', name);
    permit(asking, 'admin:read');
  }
  const signal = untilClosed(currentRequest()!.response);
  return { ...asking, reads: context.openReads({ signal, name, overdue: readTookTooLong }) };
}

/** The body of an error is a message (§10.1.2). */
function refuseEvaluation({ traceId, log }: Context, error: unknown): Answer {
  const problemError =
    error instanceof TokenRefusal
      ? unauthenticated(error.detail, 'Basic realm="gatehouse", charset="UTF-8"')
      : toGatehouseError(asReadFailure(error));
  const { status, headers } = problemOf(problemError, traceId, log);
  const problems = Object.values(problemError.more.problems ?? {}).flat();
  return {
    // §10.1.2 knows 400, 401, 403 and 500
    status: status === 415 ? 400 : status,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    body: problems.length > 0 ? problems.join(' ') : problemError.message,
  };
}
