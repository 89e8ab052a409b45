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

export const shownTexts = new Set(words(`${catalogue} ${protocol}`));
export const shownNumbers = new Set([...words(others), 'status']);
/** Names of properties that may be shown; others are no secret, but may hold one (a list kept by e-mail address). */
export const knownNames = new Set(words(`${catalogue} ${protocol} ${others} ${navigations}`));

export const secretNames = new Set(words('client_secret clientSecret password pwd secret api_key apiKey'));
export const tokenNames = new Set(
  words('token id_token access_token refresh_token subject_token actor_token client_assertion assertion'),
);
/** What is below them is about a person. */
export const personNames = new Set(words('createdByNavigation modifiedByNavigation user users'));
/** Texts written by people or programs, in which values of callers stand in quotes. */
export const messageNames = new Set(words('detail error error_description errors title'));

const operators = `eq ne gt ge lt le in and or not contains startswith endswith tolower toupper length trim any asc desc true
  false null filter orderby top skip select expand count options`;
const queryWords = new Set(
  words(`${catalogue} ${others} ${navigations} ${operators}`).map((word) => word.toLowerCase()),
);

const timesInText = /\b\d{4}-\d\d-\d\d(?:T[\d:.]{1,20}Z?)?/gi;

/** Whether an OData option names nothing but the catalogue. Literals in quotes are the catalogue's then. */
export function isAboutCatalogue(option: string): boolean {
  if (option.length > 8_000) return false;
  const outside = option
    .split("'")
    .filter((_, index) => index % 2 === 0)
    .join(' ')
    .replaceAll(guidsInText, ' ')
    .replaceAll(timesInText, ' ');
  return [...outside.matchAll(/[\p{L}_@]{1,200}/gu)].every(
    ([word]) => word.length === 1 || queryWords.has(word.toLowerCase()),
  );
}

/** Words of paths; other segments are replaced. */
export const pathWords = new Set(
  words(
    'api applications accessScopes accessScopes:delete accessScopes%3Adelete token profiles revoke validate-token introspect .well-known jwks.json openid-configuration oauth-authorization-server openapi.json docs health graphql',
  ).map((word) => word.toLowerCase()),
);
