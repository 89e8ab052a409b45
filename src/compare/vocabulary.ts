/**
 * What of the traffic may be shown: a list of what may, so that a property that nobody thought of is replaced. Names are those
 * of the two old services (docs/contract/), of RFC 6749, 7009, 7662, 8693 and of problem+json (RFC 9457).
 */
import { guidsInText } from './forms.js';

/** Their texts stay as they are: the catalogue, and the words of the protocol. */
const catalogue = `name description iconDefault iconHover appType renderingMode linkType globalExternalLink
  individualExternalLink translationGroup state accessScopeKey fieldName languageCode translatedText applicationGuid
  accessScopeGuid accessScopeTypeGuid createdDate modifiedDate`;
const protocol = `grant_type token_type issued_token_type subject_token_type actor_token_type requested_token_type error
  error_description error_uri type title status detail code traceId instance errors scope scopes roleId aud iss typ alg
  client_id created_at expires_at`;
/** Their numbers and booleans stay too. */
const others = `applicationId accessScopeId accessScopeTypeId accessScopeApplicationsMapperId
  accessScopeTypeApplicationsMapperId concreteId expires_in exp iat nbf isActive isIframe isIFrame isTokenExchangeRequired
  isWildcard is_valid active`;
const navigations = `accessScope accessScopeType application accessScopeApplicationsMappers
  accessScopeTypeApplicationsMappers translations createdByNavigation modifiedByNavigation claims`;

const words = (text: string): string[] => text.split(/\s/).filter(Boolean);

const secrets = 'client_secret clientSecret password pwd secret api_key apiKey';
const tokens = 'token id_token access_token refresh_token subject_token actor_token client_assertion assertion';

export const secretNames = new Set(words(secrets));
export const tokenNames = new Set(words(tokens));
/** What is below them is about a person. */
export const personNames = new Set(words('createdByNavigation modifiedByNavigation user users'));
/** Texts written by people or programs, in which values of callers stand in quotes. */
export const messageNames = new Set(words('detail error error_description errors title'));
/** Members of requests to token endpoints besides those above: their names are shown, their values are not. */
const parameters = `profileId username redirect_uri response_type nonce audience resource token_type_hint code_verifier
  code_challenge code_challenge_method client_assertion_type query variables operationName`;
/** Names of properties that may be shown; others are no secret, but may hold one (a list kept by e-mail address). */
export const knownNames = new Set(
  words(`${catalogue} ${protocol} ${others} ${navigations} ${parameters} ${secrets} ${tokens} user users`),
);

/** What is shown of the values of one kind of message, by the names of the properties. */
export interface Shown {
  texts: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Whether `messageNames` are: in a request they are texts like others. */
  messages: boolean;
  /** Names that are in none of these lists: of a service they are its own, of a caller they may be anything. */
  otherNames: boolean;
}

const nothing: ReadonlySet<string> = new Set();
export const shownOfAnswers: Shown = {
  texts: new Set(words(`${catalogue} ${protocol}`)),
  numbers: new Set([...words(others), 'status']),
  messages: true,
  otherNames: true,
};
/** The words of the protocol are the service's: a caller's `code` or `title` may hold anything. */
export const shownOfRequests: Shown = { texts: nothing, numbers: nothing, messages: false, otherNames: false };
export const shownOfCatalogueRequests: Shown = {
  ...shownOfRequests,
  texts: new Set(words(catalogue)),
  numbers: new Set(words(others)),
};

const tokenTypes = words('access_token refresh_token id_token jwt saml1 saml2').map(
  (type) => `urn:ietf:params:oauth:token-type:${type}`,
);
const kindsOfTokens = ['access_token', 'refresh_token', ...tokenTypes];
const grants = `urn:service:authz:exchange refresh_token authorization_code client_credentials password
  urn:ietf:params:oauth:grant-type:token-exchange urn:ietf:params:oauth:grant-type:jwt-bearer`;
/** Values of requests that are shown, and no others of these properties. */
export const knownValues = new Map<string, readonly string[]>([
  ['grant_type', words(grants)],
  ['client_assertion_type', ['urn:ietf:params:oauth:client-assertion-type:jwt-bearer']],
  ...words('token_type_hint subject_token_type actor_token_type requested_token_type').map(
    (name) => [name, kindsOfTokens] as const,
  ),
]);

const operators = `eq ne gt ge lt le in and or not contains startswith endswith tolower toupper length trim any asc desc true
  false null filter orderby top skip select expand count options`;
const queryWords = new Set(
  words(`${catalogue} ${others} ${navigations} ${operators}`).map((word) => word.toLowerCase()),
);

const timesInText = /\b\d{4}-\d\d-\d\d(?:T[\d:.]{1,20}Z?)?/gi;

const queryOptions = new Set(words('filter orderby top skip select expand count options'));
export const isQueryOption = (name: string): boolean => queryOptions.has(name.replace(/^\$/, '').toLowerCase());

/** Whether the value of an OData option names nothing but the catalogue. Literals in quotes are the catalogue's then. */
export function isAboutCatalogue(option: string): boolean {
  if (option.length > 8_000) return false;
  const pieces = option.split("'");
  const outside = pieces
    .filter((_, index) => index % 2 === 0)
    .join(' ')
    .replaceAll(guidsInText, ' ')
    .replaceAll(timesInText, ' ');
  if (pieces.length % 2 === 0 || !/^[\p{L}\p{N}\s_()$,./:;=&*-]{0,8000}$/u.test(outside)) return false;
  // a variable of a lambda, a number with or without its type, or a known word
  return [...outside.matchAll(/[\p{L}\p{N}_]{1,8000}[:/]?/gu)].every(
    ([word]) => /^(?:[a-z][:/]|\d{1,10}[a-z]?)$/i.test(word) || queryWords.has(word.replace(/[:/]$/, '').toLowerCase()),
  );
}

/** Words of paths; other segments are replaced. */
export const pathWords = new Set(
  words(
    'api applications accessScopes accessScopes:delete accessScopes%3Adelete token profiles revoke validate-token introspect .well-known jwks.json openid-configuration oauth-authorization-server openapi.json docs health graphql',
  ).map((word) => word.toLowerCase()),
);
