/** The answers that several token endpoints have when something is wrong, in OpenAPI: once for each form of errors. */
import { headerReferences, problemContent, reference, type Schema } from './openapiRecords.js';

/** Errors of the form dialect (RFC 6749 §5.2). */
export const oauthError = {
  'application/json': { schema: reference('ErrorResponse'), example: { error: 'invalid_request' } },
};
export const message = { 'text/plain': { schema: { type: 'string' }, example: 'Invalid profile' } };
export const plainText = { 'text/plain': { schema: { type: 'string' } } };

/** The dialects of an endpoint: they write the errors that every endpoint has. */
export type ErrorForm = 'problems' | 'oauth' | 'both' | 'text';
const names = { problems: 'Problem', oauth: 'OAuth', both: 'Either', text: 'Text' } as const;
const commonErrors = {
  '410': ['Gone', 'The path is about to end, and is switched off for some minutes (brown-out).'],
  '413': ['TooLarge', 'The body is too large.'],
  '415': ['MediaType', 'The media type of the body is not supported, or the body is not UTF-8.'],
  '429': [
    'TooMany',
    'The address has sent too many requests or too many that failed. `Retry-After` has the seconds to wait.',
  ],
  '500': ['Internal', 'A fault of the service. The log has the cause under the trace id.'],
  '503': ['Away', 'The database or the identity provider cannot be reached, or the service is overloaded.'],
} as const;
type CommonError = keyof typeof commonErrors;
/** Only these two have a form of OAuth. */
const isOAuthToo = (status: string): boolean => status === '429' || status === '503';

function contentOf(form: ErrorForm, status: string): Schema {
  if (form === 'text') return plainText;
  if (form === 'problems' || !isOAuthToo(status)) return problemContent;
  return form === 'oauth' ? oauthError : { ...problemContent, ...oauthError };
}

/** Names of the shared answers, such as `EitherTooMany`. */
const sharedName = (form: ErrorForm, status: CommonError): string => {
  const own = form !== 'text' && !isOAuthToo(status) ? 'problems' : form;
  return names[own] + commonErrors[status][0];
};
const commonStatuses = Object.keys(commonErrors) as CommonError[];
const allErrors = (Object.keys(names) as ErrorForm[]).flatMap((form) =>
  // AuthZEN 1.0 §10.1.2 knows no 415
  commonStatuses.flatMap((status) => (form === 'text' && status === '415' ? [] : [[form, status] as const])),
);
export const tokenResponses: Schema = Object.fromEntries(
  allErrors.map(([form, status]) => [
    sharedName(form, status),
    {
      description: commonErrors[status][1],
      content: contentOf(form, status),
      ...headerReferences(...(isOAuthToo(status) ? (['Retry-After'] as const) : []), 'trace-id', 'DPoP-Nonce'),
    },
  ]),
);
export const sharedErrors = (form: ErrorForm, ...statuses: CommonError[]): Schema =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${sharedName(form, status)}` }]),
  );
