/** Explains why a token request was refused and what to do about it, for a help desk. */
import type { RefusalReason } from '../../services/tokens/tokenRefusal.js';

/** What happened, and what to do about it. */
type Words = readonly [text: string, advice: string];

/** The keys are the beginnings of causes, as the log has them in `detail`. */
interface Causes {
  readonly [start: string]: Words | ((detail: string) => Words);
}

const invalidSignInToken = (text: string): Words => [
  text,
  'Let the client send the ID token of the sign-in, not another token of the provider.',
];
const clockAdvice = (text: string, owner = 'the identity provider'): Words => [
  text,
  `Synchronize the clocks of ${owner} and of Gatehouse with NTP.`,
];
const signInAgain = 'The user signs in again.';
const grantEnded: Words = [
  'The user held the profile until a date that has passed.',
  'If the user still needs it, give the user the profile again, with a new end (assignProfile).',
];

const assertionCauses: Causes = {
  'wrong assertion: it names no client': [
    'The client assertion names no client, or another client than the request.',
    'Set both iss and sub of the assertion to the client’s id (RFC 7523 §3).',
  ],
  'wrong assertion: iss or sub': [
    'The client assertion names another client.',
    'Set both iss and sub of the assertion to the client’s id (RFC 7523 §3).',
  ],
  'wrong assertion: the client has no such key': [
    'The assertion names a key id that the client does not have, or whose key is for another algorithm.',
    'Register the client’s public keys (updateClient: jwks, jwksUri). With jwksUri, check that the address publishes this key.',
  ],
  'wrong assertion: signature': [
    'The client assertion is signed with a key that is not registered for the client.',
    'Compare the client’s private key with its registered public key (updateClient: jwks, jwksUri).',
  ],
  'wrong assertion: aud': [
    'The client assertion is for another audience (aud).',
    'Set aud to the issuer of the metadata, or to the address of the endpoint.',
  ],
  'wrong assertion: the assertion was used before': [
    'The client assertion was used before.',
    'Let the client make a new one for each request, with its own jti.',
  ],
  'wrong assertion: expired': clockAdvice('The client assertion has expired.', 'the client'),
  'wrong assertion: exp is too far': [
    'The client assertion is valid for too long.',
    'Let the client make a new one for each request, valid for a minute.',
  ],
  'wrong assertion: issued in the future': clockAdvice('The client assertion was issued in the future.', 'the client'),
  'wrong assertion: not valid yet': clockAdvice('The client assertion is not valid yet (nbf).', 'the client'),
  'wrong assertion': [
    'The client assertion is malformed.',
    'The cause names the fault. RFC 7523 §3 describes the claims, docs/clients has working clients.',
  ],
};

const anotherKey: Words = [
  'The DPoP proof was made with another key than that of the token.',
  'Let the client use the key with which it got the token. Otherwise somebody else has the token.',
];

const proofCauses: Causes = {
  'the proof is missing': [
    'The request has no DPoP proof, but its client or session requires one.',
    'Let the client send a proof with the key of its session (RFC 9449), or switch off dpopRequired (updateClient).',
  ],
  'it was used before': [
    'The DPoP proof was used before.',
    'Let the client make a new one for each request, with its own jti.',
  ],
  'htm is not the method': ['The DPoP proof is for another HTTP method.', 'Set htm to the method of the request.'],
  'htu is not the address': [
    'The DPoP proof is for another address.',
    'Set htu to the address of the endpoint in the metadata. Behind a proxy, check ISSUER_URL.',
  ],
  'the proof was made with another key': anotherKey,
  'issued in the future': clockAdvice('The DPoP proof was issued in the future.', 'the client'),
  'issued too long ago': clockAdvice('The DPoP proof was issued too long ago.', 'the client'),
};

const idTokenCauses: Causes = {
  'no ID token': ['The request has no ID token.', 'Let the client send it as id_token (subject_token in RFC 8693).'],
  'issuer is unknown': [
    'The ID token comes from an identity provider that is not configured here.',
    'Compare its iss with ID_TOKEN_ISSUERS character by character, including a final slash. bin/gatehouse doctor shows them.',
  ],
  'the issuer is not for pipelines': [
    'ID tokens of this issuer may not call /graphql directly.',
    'Exchange the ID token at /token, or write pipelines: true in the issuer’s entry of ID_TOKEN_ISSUERS.',
  ],
  'alg is not accepted': [
    'The ID token is signed with an algorithm that is not accepted.',
    'Let the provider sign with an asymmetric algorithm (RS256, ES256 …), and check algorithms in its entry of ID_TOKEN_ISSUERS.',
  ],
  'kid is unusable': [
    'The key id of the ID token is not a string, or too long.',
    'The provider did not issue this token. Ask its operator.',
  ],
  'typ is another': invalidSignInToken('The typ of the token is not that of an ID token.'),
  'sub ': [
    'The sub of the ID token is missing or unusable.',
    'Ask the operator of the identity provider about its sub.',
  ],
  'aud ': [
    'The ID token was issued for another application (aud).',
    'If its users may sign in here, add that audience to the provider’s entry in ID_TOKEN_ISSUERS. Otherwise the client sends a token that is not meant for Gatehouse.',
  ],
  'it is a logout token': invalidSignInToken('It is a logout token.'),
  'it is an access token': invalidSignInToken('It is an access token.'),
  'azp is another': [
    'The ID token was issued to another party (azp).',
    'If that party may sign users in here, add it to authorizedParties in the provider’s entry of ID_TOKEN_ISSUERS.',
  ],
  'exp or iat': ['The ID token has no valid exp or iat.', 'It is not an ID token. Ask the provider’s operator.'],
  'nbf is not a number': [
    'The nbf of the ID token is not a time.',
    'It is not an ID token. Ask the provider’s operator.',
  ],
  expired: ['The ID token has expired.', 'Let the client exchange it right after the sign-in.'],
  'issued too long ago': [
    'The ID token is too old.',
    'Let the client exchange it right after the sign-in. maxAgeSeconds in the provider’s entry of ID_TOKEN_ISSUERS sets the limit (15 minutes by default).',
  ],
  'issued in the future': clockAdvice('The ID token was issued in the future.'),
  'not valid yet': clockAdvice('The ID token is not valid yet (nbf).'),
  'signature does not verify': [
    'The signature of the ID token is not the provider’s.',
    'If there are many, the provider replaced a key without a new key id: run bin/gatehouse doctor. If there is one, the token was altered or forged.',
  ],
  'the provider has no such key': [
    'The ID token names a key id that the provider does not publish.',
    'Compare issuer and jwksUri in ID_TOKEN_ISSUERS with the provider’s discovery document. A token from before a key change is correctly refused.',
  ],
  "the provider's key of this id is not used": [
    'The provider publishes a key with the id that the ID token names, but it is not for this signature.',
    'The cause names what does not fit the token (kty, crv, alg, use, key_ops, the size or the number of keys). Ask the provider’s operator.',
  ],
  "only 8 of the provider's keys": [
    'The ID token names no key id, and the provider publishes more keys than are tried for one token.',
    'Let the provider write kid into its tokens.',
  ],
  "none of the provider's keys is for a token": [
    'The ID token names no key id, and the provider publishes no key for its signature.',
    'The cause names what does not fit the token (kty, crv, alg, use, key_ops, the size). Compare issuer and jwksUri in ID_TOKEN_ISSUERS with the provider’s discovery document.',
  ],
  'it was issued before a sign-out at its provider': [
    'The identity provider signed this session or user out after it issued the ID token.',
    'The user signs in again. If nobody signed out, ask the provider’s operator why it sent a logout token.',
  ],
  'it was exchanged for this profile before': [
    'The ID token was already exchanged for this profile. With TOKEN_POLICY=hardened it can be used once.',
    'The client repeats its requests, or somebody else has the token. The user signs in again; ask the client’s developer.',
  ],
};

const audienceCauses: Causes = {
  'no token can have one of the audiences that the client': [
    'None of the client’s allowed audiences is in AUDIENCES.',
    'Set allowedAudiences to one of AUDIENCES, or to null for all (updateClient). bin/gatehouse doctor names all such clients.',
  ],
  'no token can have one of the audiences that the session': [
    'AUDIENCES was changed and no longer has any audience of the session.',
    'Add one of them to AUDIENCES again, or let the user sign in again.',
  ],
  'the client may have the audience of the administration only': [
    'The client’s only allowed audience is ADMIN_AUDIENCE, which a request must ask for.',
    'Let the client send audience in a form, or allow it one of AUDIENCES too (updateClient: allowedAudiences).',
  ],
  'the client may have none': [
    'The client is no longer allowed any audience of the session.',
    'Allow one of them again (updateClient: allowedAudiences), or let the user sign in again.',
  ],
};

/** @param detail such as `used: generation 3 of 7`: the token's, and that of the session's newest token */
function usedWords(detail: string): string {
  const [own = 0, newest = 0] = [...detail.matchAll(/\d{1,15}/g)].map(Number);
  if (newest - own === 1) return 'The renewal token was already used. The one that replaced it was not used yet.';
  return `The renewal token was already used, and so was the one that replaced it: it is ${newest - own} renewals old.`;
}

const renewalCauses: Causes = {
  ...audienceCauses,
  'unknown: its record is gone': ['The session ended, and its record was cleaned up.', signInAgain],
  unknown: [
    'No session has this renewal token.',
    'The client sends another token than its newest one, or a token of another environment.',
  ],
  'bound to another key': [
    'The session is bound to another key than that of the proof.',
    'If the client lost its key, the user signs in again. Otherwise somebody else has the token.',
  ],
  used: (detail) => [
    usedWords(detail),
    'The client repeats renewals or keeps an old token: the token of each answer replaces the previous one. Otherwise the token was stolen: end the user’s sessions (revokeTokens).',
  ],
  'revoked by reuse': [
    'The session was ended because a used renewal token was presented again.',
    'The client repeats renewals, or the token was stolen. The user signs in again; ask the client’s developer.',
  ],
  'revoked by end of the grant': grantEnded,
  'revoked by user': [
    'An administrator ended the session.',
    'The audit log has the administrator’s name. The user signs in again.',
  ],
  revoked: ['The session was ended, by a sign-out or an operator.', signInAgain],
  expired: ['The renewal token has expired.', signInAgain],
  'user gone': ['The user no longer exists.', 'If that is wrong, undo the change that removed the user.'],
  'user blocked': [
    'The user is blocked.',
    'Unblock the user (updateUser) if they may sign in again. The user then signs in again.',
  ],
  'link gone': [
    'The user no longer holds the profile.',
    'If that is wrong, give the user the profile again (assignProfile). changeSets and history say who removed it.',
  ],
  'link ended': grantEnded,
  'of another client': [
    'The session belongs to another client.',
    'Each client must use its own renewal tokens. A token that another client presents may be stolen.',
  ],
  'of another profile': [
    'The session is for another profile than the one requested.',
    'Let the client request the profile of the session.',
  ],
  'its session has ended': ['The session has reached SESSION_MAX_DAYS, or changed at this moment.', signInAgain],
};

const accessTokenCauses: Causes = {
  expired: ['The access token has expired.', 'The client renews it.'],
  'typ is not': [
    'It is not an access token.',
    'The API received another kind of token: an ID token or a renewal token.',
  ],
  'kid is': [
    'The access token was signed with a key that this Gatehouse does not have.',
    'The token is from another environment, or its key was revoked (bin/gatehouse keys list).',
  ],
  'signature does not verify': ['The signature of the access token is wrong.', 'The token was altered or forged.'],
  'its record is revoked': ['The session of the access token was ended.', signInAgain],
  'issuer is another': [
    'The access token has another issuer.',
    'Compare its iss with ISSUER_URL. The token is from another environment, or ISSUER_URL was changed.',
  ],
  'audience is another': ['The access token is for another audience (aud).', 'Compare its aud with AUDIENCES.'],
  'no access token': ['The request had no access token.', 'The client signs its user in, and sends the token.'],
  several: [
    'The request had several access tokens.',
    'Have the client send one, in one Authorization header or cookie.',
  ],
  'neither a Bearer': [
    'The Authorization header held no access token.',
    'Its form is Bearer or DPoP, a space, and the token.',
  ],
  'a bound token': [
    'The access token is bound to a key, and came without a proof of it.',
    'Have the client send Authorization: DPoP and a proof (RFC 9449 §7.1).',
  ],
  'the proof was made with another key': anotherKey,
  'presented with DPoP': ['The access token is bound to no key.', 'Have the client send it as Authorization: Bearer.'],
  'the proxy does not name': [
    'The proxy did not say which request the proof is for, or it named two.',
    'Have the proxy set X-Forwarded-Method, -Proto, -Host and -Uri, and remove X-Original-* (ops/door).',
  ],
};

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
  otherwise: Words;
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
      'Use urn:service:authz:exchange or refresh_token; in forms also urn:ietf:params:oauth:grant-type:token-exchange, and client_credentials for a connector.',
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
      'Only the client of a connector gets a token by client_credentials, when it authenticates with its own keys.',
      'For a client with users, use another grant. For SCIM: bin/gatehouse connector create NAME --client ID.',
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
