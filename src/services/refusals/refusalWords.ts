/** Why a token request was refused, and what to do about it, in words. */
import type { RefusalReason } from '../tokens/tokenRefusal.js';

/** How a cause is explained: what happened, and what to do about it. */

type Words = readonly [text: string, advice: string];

/** By what the cause begins with. */
interface Causes {
  readonly [start: string]: Words;
}

const notASignIn = (text: string): Words => [
  text,
  'Have the client send the ID token of the sign-in itself, not another token that the provider gave it.',
];
const notOurClock = (text: string, whose = 'the identity provider'): Words => [
  text,
  `Set the clocks of ${whose} and of Gatehouse by NTP.`,
];
const signInAgain = 'The user signs in again.';

/** Causes of what a client proves itself with: its assertion, and a proof of its key. */

const assertionCauses: Causes = {
  'wrong assertion: it names no client': [
    'The client assertion names no client, or another one than the request.',
    'iss and sub of the assertion are both the client’s id (RFC 7523 §3).',
  ],
  'wrong assertion: iss or sub': [
    'The client assertion names another client.',
    'iss and sub of the assertion are both the client’s id (RFC 7523 §3).',
  ],
  'wrong assertion: the client has no such key': [
    'The client has no key of the id that its assertion names.',
    'Give the client its public keys (updateClient: jwks, jwksUri); where they are at an address, look whether that one publishes the key.',
  ],
  'wrong assertion: signature': [
    'The client assertion is signed with another key than the client has here.',
    'Compare the client’s private key with the public one that is registered (updateClient: jwks, jwksUri).',
  ],
  'wrong assertion: aud': [
    'The client assertion is for others (aud).',
    'Its aud is the issuer, as the metadata has it, or the address of the endpoint.',
  ],
  'wrong assertion: the assertion was used before': [
    'The client assertion was used before.',
    'Have the client make one for each request, with a jti of its own.',
  ],
  'wrong assertion: expired': notOurClock('The client assertion has expired.', 'the client'),
  'wrong assertion: exp is too far': [
    'The client assertion is good for too long.',
    'Have the client make it good for a minute, and anew for each request.',
  ],
  'wrong assertion: issued in the future': notOurClock('The client assertion was issued in the future.', 'the client'),
  'wrong assertion: not valid yet': notOurClock('The client assertion is not valid yet (nbf).', 'the client'),
  'wrong assertion': [
    'The client assertion is not of the form that it must be.',
    'The cause names the fault; RFC 7523 §3 has the claims, and docs/clients/private-key-jwt.md clients that work.',
  ],
};

const proofCauses: Causes = {
  'there is no proof': [
    'The request has no DPoP proof, and its client or its session needs one.',
    'Have the client send a proof of the key that the session began with (RFC 9449); or take dpopRequired from the client (updateClient).',
  ],
  'it was used before': [
    'The DPoP proof was used before.',
    'Have the client make one for each request, with a jti of its own.',
  ],
  'htm is another': ['The DPoP proof is for another method.', 'Its htm is POST.'],
  'htu is another': [
    'The DPoP proof is for another address.',
    'Its htu is the address of the endpoint as the metadata has it; behind a proxy look at ISSUER_URL.',
  ],
  'issued in the future': notOurClock('The DPoP proof was issued in the future.', 'the client'),
  'issued too long ago': notOurClock('The DPoP proof was issued too long ago.', 'the client'),
};

/** Causes of the tokens that are presented: ID tokens, renewal tokens, access tokens. */

const idTokenCauses: Causes = {
  'no ID token': [
    'There was no ID token in the request.',
    'Have the client send it as id_token (subject_token in RFC 8693).',
  ],
  'issuer is unknown': [
    'The ID token is of an identity provider that is not configured here.',
    'Compare its iss with ID_TOKEN_ISSUERS, letter for letter, a slash at the end too; npx gatehouse doctor shows them.',
  ],
  'alg is not accepted': [
    'The ID token is signed with an algorithm that is not accepted.',
    'Have the provider sign with an asymmetric one (RS256, ES256 …), and look at algorithms of its entry in ID_TOKEN_ISSUERS.',
  ],
  'kid is unusable': [
    'The key id of the ID token is no text, or too long.',
    'It is no token of the provider: ask its owner.',
  ],
  'typ is another': notASignIn('The token is called something else than an ID token (typ).'),
  'sub ': [
    'The ID token names no user who could be stored.',
    'Ask the owner of the identity provider what its sub is.',
  ],
  'aud ': [
    'The ID token was issued for another application (aud).',
    'Add that audience to the entry of the provider in ID_TOKEN_ISSUERS if its users may sign in here; else the client sends a token that was not meant for Gatehouse.',
  ],
  'it is a logout token': notASignIn('It is a logout token.'),
  'it is an access token': notASignIn('It is an access token.'),
  'azp is another': [
    'The ID token was issued to another party (azp).',
    'Add that party to authorizedParties of the provider in ID_TOKEN_ISSUERS if it may sign users in here.',
  ],
  'exp or iat': [
    'The ID token does not say when it was issued and when it ends.',
    'It is no ID token: ask its provider’s owner.',
  ],
  'nbf is not a number': ['The ID token’s nbf is no time.', 'It is no ID token: ask its provider’s owner.'],
  expired: ['The ID token has expired.', 'Have the client exchange it right after the sign-in.'],
  'issued too long ago': [
    'The ID token is older than it may be.',
    'Have the client exchange it right after the sign-in; maxAgeSeconds of the provider in ID_TOKEN_ISSUERS says how old one may be (15 minutes).',
  ],
  'issued in the future': notOurClock('The ID token was issued in the future.'),
  'not valid yet': notOurClock('The ID token is not valid yet (nbf).'),
  'signature does not verify': [
    'The signature of the ID token is not the provider’s.',
    'Many at once: the provider changed its keys in a way that it should not, npx gatehouse doctor. One: the token was changed on its way, or forged.',
  ],
  'the provider has no such key': [
    'The provider publishes no key of the id that the ID token names.',
    'Compare the issuer and jwksUri in ID_TOKEN_ISSUERS with the provider’s discovery document; a token from before a change of its keys is refused rightly.',
  ],
  'it is of before a sign-out at its provider': [
    'The identity provider signed this session or user out after it issued the ID token.',
    'The user signs in again. Had nobody signed out, the provider’s owner looks for whom it sends logout tokens.',
  ],
  'it was exchanged for this profile before': [
    'The ID token was exchanged for this profile before, and TOKEN_POLICY=hardened takes it once.',
    'The client repeats its requests, or somebody else has the token: the user signs in again, and the client’s owner looks why.',
  ],
};

const audienceCauses: Causes = {
  'no token can have one of the audiences that the client': [
    'None of the audiences that the client may have is one that tokens can have.',
    'Give it one of AUDIENCES, or null for all (updateClient: allowedAudiences); npx gatehouse doctor names all such clients.',
  ],
  'no token can have one of the audiences that the session': [
    'AUDIENCES was changed, and has none of those that the session was made for.',
    'Set one of them again (AUDIENCES), or have the user sign in again.',
  ],
  'the client may have the audience of the administration only': [
    'The client may have ADMIN_AUDIENCE only, which is in no token of a request that does not ask for it.',
    'Have it exchange in a form with audience, or give it one of AUDIENCES too (updateClient: allowedAudiences).',
  ],
  'the client may have none': [
    'The client may have none of the audiences that the session was made for.',
    'Give it one (updateClient: allowedAudiences), or have its user sign in again.',
  ],
};

const renewalCauses: Causes = {
  ...audienceCauses,
  'unknown: its record is gone': ['The session ended, and its record was cleaned up.', signInAgain],
  unknown: [
    'No session has this renewal token.',
    'The client sends another token than the one that it was given last, or one of another environment.',
  ],
  'bound to another key': [
    'The session is bound to another key than the one that was proven.',
    'A client that lost its key signs its user in again; another one may have the token.',
  ],
  used: [
    'The renewal token was used before, and others came after it.',
    'A client that repeats renewals, or keeps the token before, does this at times: each answer’s token replaces the one before. Otherwise the token was stolen: end the user’s sessions (revokeTokens).',
  ],
  'revoked by reuse': [
    'The session was ended because a used renewal token came again.',
    'Its client repeats renewals, or the token was stolen. The user signs in again; the client’s owner looks why.',
  ],
  'revoked by user': [
    'An administrator ended the session.',
    'Who it was is in the audit log. The user signs in again.',
  ],
  revoked: ['The session was ended, by a sign-out or an operator.', signInAgain],
  expired: ['The renewal token has expired.', signInAgain],
  'user gone': ['The user is not there any more.', 'If that is wrong, undo the change that removed the user’s access.'],
  'user blocked': ['The user is blocked.', 'Unblock the user (updateUser) if that is over; the user signs in again.'],
  'link gone': [
    'The user does not hold the profile any more.',
    'Give the user the profile again (assignProfile) if that is wrong; changeSets and history say who took it.',
  ],
  'of another client': [
    'The session is another client’s.',
    'Each client keeps its own renewal tokens; a token that moved from one to the other may have been stolen.',
  ],
  'of another profile': [
    'The session is for another profile than was asked for.',
    'Have the client ask for the profile of the session.',
  ],
  'its session is over': ['The session is over (SESSION_MAX_DAYS), or changed at this moment.', signInAgain],
};

const accessTokenCauses: Causes = {
  expired: ['The access token has expired.', 'The client renews it.'],
  'typ is not': ['It is no access token.', 'The API was sent another token: an ID token, or a renewal token.'],
  'kid is': [
    'No key that this Gatehouse has signed the access token.',
    'It is of another environment, or its key was revoked (npx gatehouse keys list).',
  ],
  'signature does not verify': ['The access token was not signed here.', 'It was changed on its way, or forged.'],
  'its record is revoked': ['The session of the access token was ended.', signInAgain],
  'issuer is another': [
    'The access token is of another issuer.',
    'Compare its iss with ISSUER_URL: it is of another environment, or ISSUER_URL was changed.',
  ],
  'audience is another': [
    'The access token is for others (aud).',
    'It is no token that Gatehouse issued for its APIs.',
  ],
};

/** What a refusal means and what to do about it, in words for a help desk: by the check that refused, and the cause that it gave. */

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
