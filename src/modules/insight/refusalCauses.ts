/** What a help desk is told about each cause of a refusal: tables by what was refused, found by the beginning of a log line's `detail`. */

/** What happened, and what to do about it. */
export type CauseWords = readonly [text: string, advice: string];

/** The keys are the beginnings of causes, as the log has them in `detail`. */
export interface Causes {
  readonly [start: string]: CauseWords | ((detail: string) => CauseWords);
}

const invalidSignInToken = (text: string): CauseWords => [
  text,
  'Let the client send the ID token of the sign-in, not another token of the provider.',
];
const clockAdvice = (text: string, owner = 'the identity provider'): CauseWords => [
  text,
  `Synchronize the clocks of ${owner} and of Gatehouse with NTP.`,
];
export const signInAgain = 'The user signs in again.';
export const grantEnded: CauseWords = [
  'The user held the profile until a date that has passed.',
  'If the user still needs it, give the user the profile again, with a new end (assignProfile).',
];

const clientKeyAdvice =
  'The cause names what does not fit the assertion (kty, crv, alg, use, key_ops, the size or the number of keys). Correct the key set of the client (updateClient: jwks, jwksUri).';

export const assertionCauses: Causes = {
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
  "wrong assertion: the client's key of this id": [
    'The client has a key with the id that the assertion names, but it is not for this signature.',
    clientKeyAdvice,
  ],
  "wrong assertion: only 8 of the client's keys": [
    'The assertion names no key id, and the client has more keys than are tried for one assertion.',
    'Let the client write kid into its assertions.',
  ],
  "wrong assertion: none of the client's keys": [
    'The assertion names no key id, and the client has no key for its signature.',
    clientKeyAdvice,
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

const anotherKey: CauseWords = [
  'The DPoP proof was made with another key than that of the token.',
  'Let the client use the key with which it got the token. Otherwise somebody else has the token.',
];

export const proofCauses: Causes = {
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

export const idTokenCauses: Causes = {
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

export const audienceCauses: Causes = {
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

export const renewalCauses: Causes = {
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

export const accessTokenCauses: Causes = {
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
