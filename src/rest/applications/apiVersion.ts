/** The header `api-version` of the administration service: judged after the route, before the caller (docs/contract/administration.md). */
import type { Request, RequestHandler } from 'express';
import { GatehouseError } from '../../errors.js';

const supportedVersion = '1.0';
/** Spellings of it. */
const supported = new Set([supportedVersion, '1']);
// https://github.com/dotnet/aspnet-api-versioning: group date, major.minor and status, each where there is one
const form =
  /^(?:\d{4}-\d\d-\d\d(?:\.\d{1,64}(?:\.\d{1,64})?)?|\d{1,64}(?:\.\d{1,64})?)(?:-[A-Za-z][A-Za-z0-9]{0,64})?$/;

/** Says on every answer below /api what is supported. */
export const reportVersions: RequestHandler = (_request, response, next) => {
  response.set('api-supported-versions', supportedVersion);
  next();
};

/** Throws BAD_USER_INPUT for a version that is missing, malformed, not supported, or given twice and differently. */
export const requireApiVersion: RequestHandler = (request, _response, next) => {
  const given = [
    ...new Set(versionsOf(request).map((version) => (supported.has(version) ? supportedVersion : version))),
  ];
  const [version] = given;
  if (version === undefined)
    throw problem(
      'ApiVersionUnspecified',
      'Unspecified API version',
      'An API version is required, but was not specified.',
    );
  if (given.length > 1)
    throw problem('AmbiguousApiVersion', 'Ambiguous API version', 'Different API versions were requested at once.');
  if (!form.test(version))
    throw problem('InvalidApiVersion', 'Invalid API version', 'The value of the header api-version is no API version.');
  if (version !== supportedVersion)
    throw problem('UnsupportedApiVersion', 'Unsupported API version', 'The requested API version is not supported.');
  next();
};

/** A header that is sent twice arrives as one, with a comma (RFC 9110 §5.3). */
function versionsOf(request: Request): string[] {
  const values = request.headersDistinct['api-version'] ?? [];
  return values.flatMap((value) => value.split(',')).flatMap((value) => value.trim() || []);
}

const anchors = {
  ApiVersionUnspecified: 'unspecified',
  AmbiguousApiVersion: 'ambiguous',
  InvalidApiVersion: 'invalid',
  UnsupportedApiVersion: 'unsupported',
};

function problem(code: keyof typeof anchors, title: string, detail: string): GatehouseError {
  const type = `https://docs.api-versioning.org/problems#${anchors[code]}`;
  return new GatehouseError('BAD_USER_INPUT', detail, { extra: { type, title, code } });
}
