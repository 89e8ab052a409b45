/** Causes of what a client proves itself with: its assertion, and a proof of its key. */
import { type Causes, notOurClock } from './wording.js';

export const assertionCauses: Causes = {
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

export const proofCauses: Causes = {
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
