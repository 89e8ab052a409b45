/** What a refusal means and what to do about it, in words for a help desk: by the check that refused, and the cause that it gave. */
import type { RefusalReason } from '../tokens/tokenRefusal.js';
import { assertionCauses, proofCauses } from './clientCauses.js';
import { accessTokenCauses, audienceCauses, idTokenCauses, renewalCauses } from './tokenCauses.js';
import { type Causes, signInAgain, type Words } from './wording.js';

export const refusalChecks = [
  'CLIENT',
  'ID_TOKEN',
  'PROFILE',
  'RENEWAL_TOKEN',
  'ACCESS_TOKEN',
  'PROOF',
  'AUDIENCE',
  'SCOPE',
  'GRANT',
  'REQUEST',
] as const;
export type RefusalCheck = (typeof refusalChecks)[number];

export interface Explained {
  check: RefusalCheck;
  /** What happened, as a sentence. */
  text: string;
  /** What to do about it. */
  advice: string;
}

/** Reasons that are none of a TokenRefusal. */
type FurtherReason =
  | 'invalidAccessToken'
  | 'tokenNotFound'
  | 'unsupported_token_type'
  | 'invalid_target'
  | 'invalid_scope'
  | 'invalidRequest';

interface Check {
  check: RefusalCheck;
  /** Of a cause that none of the others is. */
  otherwise: Words;
  /** By what the cause begins with. */
  causes: Causes;
}

/** By what the log calls `reason`; every reason of a refusal has its words. */
const checks: { readonly [reason in Exclude<RefusalReason, 'nonceWanted'> | FurtherReason]: Check } = {
  invalidClient: {
    check: 'CLIENT',
    otherwise: ['The client could not be authenticated.', 'Compare its id and secret with those under clients.'],
    causes: {
      ...assertionCauses,
      'no c': [
        'The request has no client_id and client_secret.',
        'Have the client send both, in the body, or in a form by HTTP Basic.',
      ],
      'no well-formed HTTP Basic': [
        'The header Authorization is no HTTP Basic that can be read.',
        'Id and secret are each form-encoded (RFC 6749 §2.3.1), joined by a colon, and that in base64.',
      ],
      'unknown client': [
        'No client has this id.',
        'Compare it with the ids under clients, letter for letter; the client may speak to the wrong environment. npx gatehouse client create makes one.',
      ],
      'inactive client': ['The client is switched off.', 'Switch it on (setClientActive) if it may sign users in.'],
      'wrong secret': [
        'The secret is not the client’s.',
        'It may have been rotated on one side alone: give the client its new secret, or rotate it again (npx gatehouse client rotate-secret). Many ids from one address: somebody guesses.',
      ],
    },
  },
  invalidIdToken: {
    check: 'ID_TOKEN',
    otherwise: [
      'The ID token is malformed.',
      'Have the client send the ID token as the provider gave it, whole and unchanged.',
    ],
    causes: idTokenCauses,
  },
  invalidProfile: {
    check: 'PROFILE',
    otherwise: ['The user can not sign in with this profile.', 'Ask previewToken for the user and the profile.'],
    causes: {
      'no such user': [
        'No user here is the one whom the identity provider names.',
        'Make the user (createUser, import) with the provider’s idpname, and its idpid or guid as ID_TOKEN_ISSUERS says.',
      ],
      'user blocked': ['The user is blocked.', 'Unblock the user (updateUser) if that is over.'],
      'no such profile': [
        'No profile has the id that was asked for.',
        'Compare the client’s profileId with the ids under profiles.',
      ],
      'profile not held': [
        'The user does not hold the profile.',
        'Give the user the profile (assignProfile) if it is right to.',
      ],
    },
  },
  invalidRenewalToken: {
    check: 'RENEWAL_TOKEN',
    otherwise: ['The renewal token is not good.', signInAgain],
    causes: renewalCauses,
  },
  invalidAccessToken: {
    check: 'ACCESS_TOKEN',
    otherwise: [
      'The access token is malformed, or not one of this service.',
      'Have the API send the token as it received it.',
    ],
    causes: accessTokenCauses,
  },
  invalidLogoutToken: {
    check: 'REQUEST',
    otherwise: [
      'The logout token of an identity provider is not good: nobody was signed out by it.',
      'The cause names the check. Compare iss and aud with ID_TOKEN_ISSUERS; a token is good once.',
    ],
    causes: {},
  },
  unsupportedGrantType: {
    check: 'GRANT',
    otherwise: [
      'The grant_type is none that Gatehouse knows.',
      'JSON: urn:service:authz:exchange or refresh_token; forms also urn:ietf:params:oauth:grant-type:token-exchange.',
    ],
    causes: {},
  },
  invalidTarget: {
    check: 'AUDIENCE',
    otherwise: [
      'The audience that was asked for is none that the client may have.',
      'Have the client ask for none, or for one of its own; allowedAudiences of the client says which (updateClient).',
    ],
    causes: audienceCauses,
  },
  invalidScope: {
    check: 'SCOPE',
    otherwise: [
      'A scope that was asked for is none of the profile’s, or of the session’s.',
      'Have the client ask for none, or for fewer; previewToken says what the profile gives.',
    ],
    causes: {
      'a scope that the profile': [
        'The profile does not hold a scope that was asked for, or the session was made without it.',
        'Ask for fewer; previewToken says what the profile holds. A session that needs more begins with another sign-in.',
      ],
    },
  },
  invalidProof: {
    check: 'PROOF',
    otherwise: ['The DPoP proof is not good.', 'The cause names the fault; RFC 9449 §4.2 has the form of a proof.'],
    causes: proofCauses,
  },
  unsupported_token_type: {
    check: 'REQUEST',
    otherwise: ['The token to be revoked is an access token, which ends by itself.', 'Revoke the renewal token.'],
    causes: {},
  },
  invalid_target: {
    check: 'AUDIENCE',
    otherwise: [
      'The audience or the resource that was asked for is malformed.',
      'Have the client ask for none, or for one of its own.',
    ],
    causes: {},
  },
  invalid_scope: {
    check: 'SCOPE',
    otherwise: ['The scope that was asked for is malformed.', 'Scopes are separated by one space (RFC 6749 §3.3).'],
    causes: {},
  },
  tokenNotFound: {
    check: 'RENEWAL_TOKEN',
    otherwise: [
      'No active session has the token that was to be revoked.',
      'Nothing, if it ended before: the user is signed out.',
    ],
    causes: {},
  },
  invalidRequest: {
    check: 'REQUEST',
    otherwise: [
      'The request is not of the documented form.',
      'Have the client’s developer compare it with /openapi.json; the cause names the fault.',
    ],
    causes: {},
  },
};

/** @param detail as the log has it */
export function explainRefusal(reason: string, detail: string): Explained {
  const { check, otherwise, causes } = Object.hasOwn(checks, reason)
    ? checks[reason as keyof typeof checks]
    : checks.invalidRequest;
  const start = Object.keys(causes).find((each) => detail.startsWith(each));
  const [text, advice] = start === undefined ? otherwise : causes[start]!;
  return { check, text, advice };
}
