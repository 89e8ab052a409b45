/** Bodies of requests: media type (415), then size (413), then UTF-8 and JSON (400). */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { badInput, unsupportedMediaType } from '../errors.js';

export interface BodyRule {
  /** Whether a media type (lower case, without parameters) is taken. */
  accepts(mediaType: string): boolean;
  /** What is accepted, for the error. */
  described: string;
  bytesMax: number;
}

const isJson = (type: string): boolean =>
  type === 'application/json' || type === 'text/json' || /^application\/[^/\s;]+\+json$/.test(type);
const formType = 'application/x-www-form-urlencoded';
export const tokenBytesMax = 64 * 1024;
/** The token endpoints' JSON family. */
export const tokenJson: BodyRule = { accepts: isJson, described: 'JSON (application/json)', bytesMax: tokenBytesMax };
/** JSON or a form: what the two dialects are told apart by. */
export const tokenBody: BodyRule = {
  accepts: (type) => isJson(type) || type === formType,
  described: `JSON (application/json) or a form (${formType})`,
  bytesMax: tokenBytesMax,
};
export const formOnly: BodyRule = {
  accepts: (type) => type === formType,
  described: `a form (${formType})`,
  bytesMax: tokenBytesMax,
};

const isJsonOrText = (type: string): boolean => isJson(type) || type === 'text/plain';
const jsonOrText = 'JSON (application/json, application/*+json, text/json or text/plain)';
/** The administration service's bodies, and those of its bulk operations. */
export const administrationJson: BodyRule = { accepts: isJsonOrText, described: jsonOrText, bytesMax: 256 * 1024 };
export const bulkJson: BodyRule = { ...administrationJson, bytesMax: 8 * 1024 * 1024 };

/** The media type without parameters, lower case; undefined when there is none or the charset isn't UTF-8. */
export function mediaTypeOf(request: Request): string | undefined {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    if (name?.trim().toLowerCase() === 'charset' && !/^"?utf-?8"?$/i.test(value.trim())) return undefined;
  }
  return type.trim().toLowerCase() || undefined;
}

/** Reads the body into `request.body` as what its JSON says; an error of the itinerary when it can't. */
export function readJson(rule: BodyRule): RequestHandler[] {
  return [requireMediaType(rule), express.raw({ type: () => true, limit: rule.bytesMax }), parseJson];
}

/** The same, but a form stays as the bytes that came: its reader says what is wrong in its own dialect. */
export function readBody(rule: BodyRule): RequestHandler[] {
  const [requireType, readRaw] = readJson(rule) as [RequestHandler, RequestHandler];
  return [
    requireType,
    readRaw,
    (request, response, next) => (isForm(request) ? next() : parseJson(request, response, next)),
  ];
}

export const isForm = (request: Request): boolean => mediaTypeOf(request) === formType;

const requireMediaType =
  (rule: BodyRule): RequestHandler =>
  (request, _response, next) => {
    const type = mediaTypeOf(request);
    next(type && rule.accepts(type) ? undefined : unsupportedMediaType(rule.described));
  };

const parseJson: RequestHandler = (request, _response, next) => {
  request.body = jsonOf(request.body);
  next();
};

/** What the JSON of a body says. Throws BAD_USER_INPUT. */
export function jsonOf(body: unknown): unknown {
  const text = decodeUtf8(body);
  try {
    return JSON.parse(text);
  } catch {
    throw badInput({ $: ['The body is not valid JSON.'] });
  }
}

/** The text of a body, without its byte order mark. Throws BAD_USER_INPUT for bytes that aren't UTF-8. */
export function decodeUtf8(body: unknown): string {
  if (!Buffer.isBuffer(body)) return '';
  if (!isUtf8(body)) throw badInput({ $: ['The body is not valid UTF-8.'] });
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
