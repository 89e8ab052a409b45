/** Explains why a token request was refused and what to do about it, for a help desk: which check refused it, and its words. */
import type { RefusalReason } from '../../services/tokens/tokenRefusal.js';
import {
  accessTokenCauses,
  assertionCauses,
  audienceCauses,
  type Causes,
  type CauseWords,
  grantEnded,
  idTokenCauses,
  proofCauses,
  renewalCauses,
  signInAgain,
} from './refusalCauses.js';

export type RefusalCheck =
  | 'CLIENT'
  | 'ID_TOKEN'
  | 'PROFILE'
  | 'RENEWAL_TOKEN'
  | 'ACCESS_TOKEN'
  | 'PROOF'
  | 'AUDIENCE'
  | 'SCOPE'
  | 'GRANT'
  | 'REQUEST';

export interface Explained {
  check: RefusalCheck;
  /** What happened, as a sentence. */
  text: string;
  /** What to do about it. */
  advice: string;
}

/** Reasons besides those of a TokenRefusal. */
type FurtherReason =
  | 'invalidAccessToken'
  | 'insufficientScope'
  | 'tokenNotFound'
  | 'unsupported_token_type'
  | 'unauthorized_client'
  | 'invalid_target'
  | 'invalid_scope'
  | 'invalidRequest';

interface Check {
  check: RefusalCheck;
  /** For causes that are not listed below. */
  otherwise: CauseWords;
  causes?: Causes;
}

/** The keys are the values of `reason` in the log. */
const checks: { readonly [reason in Exclude<RefusalReason, 'nonceWanted'> | FurtherReason]: Check } = {
  invalidClient: {
    check: 'CLIENT',
    otherwise: ['The client could not be authenticated.', 'Compare its id and secret with the registered client.'],
    causes: {
      ...assertionCauses,
      'no c': [
        'The request has no client_id and client_secret.',
        'Let the client send both, in the body or, for a form, with HTTP Basic.',
      ],
      'no well-formed HTTP Basic': [
        'The Authorization header is not well-formed HTTP Basic.',
        'Form-encode id and secret (RFC 6749 §2.3.1), join them with a colon, and encode the result in base64.',
      ],
      'unknown client': [
        'No client has this id.',
        'Compare it with the registered ids character by character. The client may use the wrong environment. bin/gatehouse client create registers a client.',
      ],
      'inactive client': ['The client is inactive.', 'Activate it (setClientActive) if it may sign users in.'],
      'wrong secret': [
        'The client secret is wrong.',
        'Give the client its present secret, or rotate it (bin/gatehouse client rotate-secret). Many ids from one address mean that somebody is guessing.',
      ],
    },
  },
  invalidIdToken: {
    check: 'ID_TOKEN',
    otherwise: ['The ID token is malformed.', 'Let the client send the provider’s ID token complete and unchanged.'],
    causes: idTokenCauses,
  },
  invalidProfile: {
    check: 'PROFILE',
    otherwise: ['The user cannot sign in with this profile.', 'Use previewToken with the user and the profile.'],
    causes: {
      'no such user': [
        'The identity provider’s user does not exist here.',
        'Create the user (createUser, import) with the provider’s idpname, and with the idpid or guid that ID_TOKEN_ISSUERS asks for.',
      ],
      'user blocked': ['The user is blocked.', 'Unblock the user (updateUser) if they may sign in again.'],
      'no such profile': [
        'No profile has the requested id.',
        'Compare the profileId that the client sends with the existing profiles.',
      ],
      'profile not held': [
        'The user does not hold the profile.',
        'Give the user the profile (assignProfile) if they may have it.',
      ],
      'profile ended': grantEnded,
    },
  },
  invalidRenewalToken: {
    check: 'RENEWAL_TOKEN',
    otherwise: ['The renewal token is not valid.', signInAgain],
    causes: renewalCauses,
  },
  invalidAccessToken: {
    check: 'ACCESS_TOKEN',
    otherwise: [
      'The access token is malformed, or was not issued by this service.',
      'Let the API send the token exactly as it received it.',
    ],
    causes: accessTokenCauses,
  },
  insufficientScope: {
    check: 'SCOPE',
    otherwise: [
      'The access token lacks a scope that the API requires.',
      'previewToken says what the profile gives. After a change, the person needs a new token.',
    ],
    causes: {
      'the role is': [
        'The user has another role than the API requires.',
        'If the user should have it, assign the profile in that role.',
      ],
      'the application is': [
        'The profile does not open the application that the API belongs to.',
        'explainAccess shows what is missing.',
      ],
    },
  },
  invalidLogoutToken: {
    check: 'REQUEST',
    otherwise: [
      'The identity provider’s logout token is not valid. Nobody was signed out.',
      'The cause names the check. Compare iss and aud with ID_TOKEN_ISSUERS. A logout token can be used once.',
    ],
  },
  unsupportedGrantType: {
    check: 'GRANT',
    otherwise: [
      'Gatehouse does not support this grant_type.',
      'Use urn:service:authz:exchange or refresh_token; in forms also urn:ietf:params:oauth:grant-type:token-exchange, and client_credentials for a connector or a receiver of events.',
    ],
  },
  invalidTarget: {
    check: 'AUDIENCE',
    otherwise: [
      'The client is not allowed the requested audience.',
      'Let the client request no audience or an allowed one (updateClient: allowedAudiences).',
    ],
    causes: audienceCauses,
  },
  invalidScope: {
    check: 'SCOPE',
    otherwise: [
      'The profile or the session does not have a requested scope.',
      'Let the client request no scope or fewer scopes. previewToken shows the profile’s scopes.',
    ],
    causes: {
      'a scope that the profile': [
        'The profile does not have a requested scope, or the session was created without it.',
        'Request fewer scopes. previewToken shows the profile’s scopes. For more scopes, the user signs in again.',
      ],
    },
  },
  invalidProof: {
    check: 'PROOF',
    otherwise: ['The DPoP proof is not valid.', 'The cause names the fault. RFC 9449 §4.2 describes a proof.'],
    causes: proofCauses,
  },
  unauthorized_client: {
    check: 'GRANT',
    otherwise: [
      'By client_credentials only a receiver of events gets a token, for its scopes, and the client of a connector, with its own keys.',
      'For events: scope=ssf.read, and mayReceiveEvents. For SCIM: bin/gatehouse connector create NAME --client ID. For users: another grant.',
    ],
  },
  unsupported_token_type: {
    check: 'REQUEST',
    otherwise: ['The token to revoke is an access token, which cannot be revoked.', 'Revoke the renewal token.'],
  },
  invalid_target: {
    check: 'AUDIENCE',
    otherwise: [
      'The requested audience or resource is malformed.',
      'Let the client request no audience or an allowed one.',
    ],
  },
  invalid_scope: {
    check: 'SCOPE',
    otherwise: ['The requested scope is malformed.', 'Separate scopes with one space (RFC 6749 §3.3).'],
  },
  tokenNotFound: {
    check: 'RENEWAL_TOKEN',
    otherwise: [
      'No active session has the token to revoke.',
      'If the session has already ended, there is nothing to do.',
    ],
  },
  invalidRequest: {
    check: 'REQUEST',
    otherwise: [
      'The request does not have the documented form.',
      'The cause names the fault. Compare the request with /openapi.json.',
    ],
  },
};

/** @param detail the `detail` of the log line */
export function explainRefusal(reason: string, detail: string): Explained {
  const isKnown = Object.hasOwn(checks, reason);
  const { check, otherwise, causes = {} } = checks[isKnown ? (reason as keyof typeof checks) : 'invalidRequest'];
  const start = Object.keys(causes).find((cause) => detail.startsWith(cause));
  const words = start === undefined ? otherwise : causes[start]!;
  const [text, advice] = typeof words === 'function' ? words(detail) : words;
  return { check, text, advice };
}
