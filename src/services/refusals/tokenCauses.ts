/** Causes of the tokens that are presented: ID tokens, renewal tokens, access tokens. */
import { type Causes, notASignIn, notOurClock, signInAgain } from './wording.js';

export const idTokenCauses: Causes = {
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

export const audienceCauses: Causes = {
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

export const renewalCauses: Causes = {
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

export const accessTokenCauses: Causes = {
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
