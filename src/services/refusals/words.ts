/** What a refusal means and what to do about it, in words for a help desk: by the check that refused, and the cause that it gave. */

export const refusalChecks = [
  'CLIENT',
  'ID_TOKEN',
  'PROFILE',
  'RENEWAL_TOKEN',
  'ACCESS_TOKEN',
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

type Words = readonly [text: string, advice: string];

interface Check {
  check: RefusalCheck;
  /** Of a cause that none of the others is. */
  otherwise: Words;
  /** By what the cause begins with. */
  causes: { readonly [start: string]: Words };
}

const notASignIn = (text: string): Words => [
  text,
  'Have the client send the ID token of the sign-in itself, not another token that the provider gave it.',
];
const notOurClock = (text: string): Words => [text, 'Set the clocks of the identity provider and of Gatehouse by NTP.'];
const signInAgain = 'The user signs in again.';

const idTokenCauses: Check['causes'] = {
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
  'it was exchanged for this profile before': [
    'The ID token was exchanged for this profile before, and TOKEN_POLICY=hardened takes it once.',
    'The client repeats its requests, or somebody else has the token: the user signs in again, and the client’s owner looks why.',
  ],
};

const renewalCauses: Check['causes'] = {
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

const accessTokenCauses: Check['causes'] = {
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

const checks: { readonly [reason: string]: Check } = {
  invalidClient: {
    check: 'CLIENT',
    otherwise: ['The client could not be authenticated.', 'Compare its id and secret with those under clients.'],
    causes: {
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
      'wrong assertion': [
        'The JWT by which the client proves itself is not good.',
        'The cause names the check: compare the keys under clients with the client’s, iss and sub with its id, aud with ISSUER_URL, and the clocks. Each JWT is good once.',
      ],
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
  invalidTarget: {
    check: 'REQUEST',
    otherwise: [
      'The audience that was asked for is not one that the client, or its session, may have.',
      'Ask for none, or for fewer; allowedAudiences of the client says what it may have.',
    ],
    causes: {
      'the client may have none': [
        'The client may have none of the audiences that the session was made for.',
        'Give it one (allowedAudiences of the client), or have its user sign in again.',
      ],
    },
  },
  invalidScope: {
    check: 'REQUEST',
    otherwise: [
      'A scope was asked for that the profile does not hold, or that the session was not made for.',
      'Ask for none, or for fewer; previewToken says what the profile holds.',
    ],
    causes: {
      'a scope that the profile': [
        'The profile does not hold a scope that was asked for, or the session was made without it.',
        'Ask for fewer; previewToken says what the profile holds. A session that needs more begins with another sign-in.',
      ],
    },
  },
  invalidProof: {
    check: 'REQUEST',
    otherwise: [
      'The proof of the client’s key (DPoP) is not good.',
      'The cause names the check: htu is the public address (ISSUER_URL and the path), htm the method, iat at most a minute old. Each proof is good once.',
    ],
    causes: {
      'there is no proof': [
        'The client must bind its tokens to a key (dpopRequired), or its session is bound to one, and no proof came.',
        'Have the client send the header DPoP.',
      ],
    },
  },
  invalidLogoutToken: {
    check: 'REQUEST',
    otherwise: [
      'The logout token of an identity provider is not good: nobody was signed out by it.',
      'The cause names the check. Compare iss and aud with ID_TOKEN_ISSUERS; a token is good once.',
    ],
    causes: {},
  },
  nonceWanted: {
    check: 'REQUEST',
    otherwise: [
      'The proof of the client’s key (DPoP) has no nonce of ours, and DPOP_NONCE=yes asks for one.',
      'The client tries again with the nonce of the answer; libraries do so by themselves.',
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
  unsupported_token_type: {
    check: 'REQUEST',
    otherwise: ['The token to be revoked is an access token, which ends by itself.', 'Revoke the renewal token.'],
    causes: {},
  },
  invalid_target: {
    check: 'REQUEST',
    otherwise: ['The audience that was asked for is not one of access tokens.', 'Ask for none, or for GRID and IOT.'],
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
  const { check, otherwise, causes } = checks[reason] ?? checks.invalidRequest!;
  const start = Object.keys(causes).find((each) => detail.startsWith(each));
  const [text, advice] = start === undefined ? otherwise : causes[start]!;
  return { check, text, advice };
}
