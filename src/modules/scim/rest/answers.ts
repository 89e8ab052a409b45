/** SCIM answers: resources with the requested attributes, lists, errors (RFC 7644 §3.4.2, §3.9, §3.12). */
import type { ErrorRequestHandler, Response } from 'express';
import type { Dependencies } from '../../../context.js';
import { asReadFailure, GatehouseError, preconditionFailed } from '../../../errors.js';
import { isClientGone, problemOf } from '../../../http/problem.js';
import { traceIdNow } from '../../../http/requestContext.js';
import { isJsonObject, type JsonObject } from '../../../jsonObject.js';
import { changedMeanwhile } from '../../../services/records/change.js';
import { scimFault } from '../conditions.js';
import { attributeName } from './names.js';

const mediaType = 'application/scim+json';
const message = 'urn:ietf:params:scim:api:messages:2.0';

export function sendJson(response: Response, status: number, body: object): void {
  response
    .status(status)
    .set('content-type', mediaType)
    .send(Buffer.from(JSON.stringify(body)));
}

export const listResponse = (resources: readonly object[], totalResults: number, startIndex: number): JsonObject => ({
  schemas: [`${message}:ListResponse`],
  totalResults,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources,
});

/** The attributes that the request includes or excludes. An answer always has `id`, `schemas` and `meta`. */
export interface SelectedAttributes {
  only?: ReadonlySet<string>;
  without?: ReadonlySet<string>;
}

const namesMax = 100;

/** Reads `attributes` and `excludedAttributes`. Throws `invalidValue` if both are present, or one is too long or there twice. */
export function readProjection(query: Readonly<Record<string, unknown>>): SelectedAttributes {
  const namesOf = (parameter: 'attributes' | 'excludedAttributes'): Set<string> | undefined => {
    const value = query[parameter] ?? '';
    if (typeof value !== 'string') throw scimFault('invalidValue', `There are several ${parameter}.`);
    if (value.trim() === '') return undefined;
    const names = value.split(',').map((name) => attributeName(name.trim()));
    if (names.length > namesMax) throw scimFault('invalidValue', `An answer is limited to ${namesMax} attributes.`);
    return new Set(names);
  };
  const only = namesOf('attributes');
  const without = namesOf('excludedAttributes');
  if (only && without) throw scimFault('invalidValue', 'attributes and excludedAttributes cannot be combined.');
  return { ...(only && { only }), ...(without && { without }) };
}

const always = new Set(['id', 'schemas', 'meta']);

/** Whether the attribute is requested. */
export const isIncluded = ({ only, without }: SelectedAttributes, attribute: string): boolean =>
  only ? [...only].some((name) => name === attribute || name.startsWith(`${attribute}.`)) : !without?.has(attribute);

export function project(resource: JsonObject, projection: SelectedAttributes): JsonObject {
  const { only, without } = projection;
  if (!only && !without) return resource;
  return selected(resource, '', projection);
}

function selected(object: JsonObject, prefix: string, projection: SelectedAttributes): JsonObject {
  const { only, without } = projection;
  const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix + attributeName(key);
    if ((prefix === '' && always.has(name)) || only?.has(name)) return [[key, value]];
    if (without?.has(name)) return [];
    const separator = name === 'enterprise' ? ':' : '.';
    const isInside = (names: ReadonlySet<string> | undefined) =>
      names !== undefined && [...names].some((attribute) => attribute.startsWith(name + separator));
    if (!isInside(only) && !isInside(without)) return only ? [] : [[key, value]];
    const part = (element: unknown) =>
      isJsonObject(element) ? selected(element, name + separator, projection) : element;
    return [[key, Array.isArray(value) ? value.map(part) : part(value)]];
  });
  return Object.fromEntries(entries);
}

/** A refusal with a status that only SCIM uses. */
export class ScimRefusal extends Error {
  override readonly name = 'ScimRefusal';
  constructor(
    readonly status: 501,
    detail: string,
  ) {
    super(detail);
  }
}

/** Writes any error below /scim as SCIM defines it. */
export const renderFault =
  ({ log }: Dependencies): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    if (isClientGone(thrown) || response.headersSent) return void response.destroy();
    const isMatch = request.headers['if-match'] !== undefined && isChangedMeanwhile(thrown);
    const error = isMatch ? preconditionFailed() : thrown;
    if (error instanceof ScimRefusal) return sendFault(response, error.status, error.message);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { status, headers } = problemOf(isRead ? asReadFailure(error) : error, traceIdNow(), log);
    const { 'content-type': _type, ...others } = headers;
    response.set(others);
    sendFault(response, status, detailOf(error, status), scimTypeOf(error));
  };

const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof GatehouseError && error.code === 'CONFLICT' && error.message === changedMeanwhile;

function sendFault(response: Response, status: number, detail: string, scimType?: string): void {
  const body = { schemas: [`${message}:Error`], status: String(status), ...(scimType && { scimType }), detail };
  sendJson(response, status, body);
}

function scimTypeOf(error: unknown): string | undefined {
  if (!(error instanceof GatehouseError)) return undefined;
  const { extra, problems } = error.more;
  if (typeof extra?.scimType === 'string') return extra.scimType;
  if (error.code === 'CONFLICT') return isChangedMeanwhile(error) ? undefined : 'uniqueness';
  if (error.code !== 'BAD_USER_INPUT') return undefined;
  return problems && '$' in problems ? 'invalidSyntax' : 'invalidValue';
}

function detailOf(error: unknown, status: number): string {
  if (!(error instanceof GatehouseError))
    return status === 503
      ? 'The database is not available at the moment.'
      : status === 400
        ? 'The request is malformed.'
        : 'An unexpected error occurred.';
  const { problems } = error.more;
  return problems ? Object.values(problems).flat().join(' ') : error.message;
}
