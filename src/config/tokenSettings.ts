/** Settings of tokens: who issues them, how they are signed, how long they live. */
import { audience, audienceResources, audiences } from './audiences.js';
import { idTokenIssuers } from './issuers.js';
import { boolean, encryptionKeys, integer, issuerUrl, oneOf } from './parsers.js';
import { optional, setting } from './setting.js';

export const tokenSettings = {
  issuerUrl: optional(
    'ISSUER_URL',
    issuerUrl,
    '`iss` of the tokens, at most 80 characters; not set: `http://HOST:PORT` and `BASE_PATH`. Commands on the embedded database take that of the service that was started there last, whatever their PORT is.',
  ),
  idTokenIssuers: optional(
    'ID_TOKEN_ISSUERS',
    idTokenIssuers,
    'JSON: the identity providers whose ID tokens are accepted, and by which people sign in to the console ([how](identity-providers.md)); not set: a development provider.',
    true,
  ),
  signingAlg: setting(
    'SIGNING_ALG',
    oneOf('ES256', 'RS256', 'PS256', 'EdDSA'),
    'ES256',
    'Algorithm of access tokens: ES256, RS256, PS256 or EdDSA.',
  ),
  keyRotationDays: setting(
    'KEY_ROTATION_DAYS',
    integer(0, 3_650),
    '90',
    'Days after which the next signing key takes over by itself; 0: `keys rotate` alone does it.',
  ),
  accessTokenTyp: setting(
    'ACCESS_TOKEN_TYP',
    oneOf('auto', 'at+jwt', 'JWT'),
    'auto',
    '`typ` of access tokens: auto (JWT with the documented eight claims, at+jwt where those of RFC 9068 are there), at+jwt, or JWT.',
  ),
  keyEncryptionKeys: optional(
    'KEY_ENCRYPTION_KEY',
    encryptionKeys,
    'Encrypts private keys in the database: 32 bytes in base64; further ones after a comma still decrypt, and a start closes all keys with the first. Not set: one is made in `DATA_DIR`.',
    true,
  ),
  tokenPolicy: setting(
    'TOKEN_POLICY',
    oneOf('documented', 'rehearsal', 'hardened'),
    'documented',
    'documented: the contract to the letter; hardened: renewal tokens bound to their client, ID tokens exchanged once for each profile; rehearsal: answers as documented, and counts for each client what hardened would refuse.',
  ),
  sessionMaxDays: setting(
    'SESSION_MAX_DAYS',
    integer(0, 36_500),
    '0',
    'Days after the exchange at which renewals end; 0: they go on for ever, 30 days at a time.',
  ),
  renewalRecoverySeconds: setting(
    'RENEWAL_RECOVERY_SECONDS',
    integer(0, 60),
    '0',
    'Hardened, in forms: seconds in which a renewal without an Idempotency-Key is answered again to its client; a thief who has the used token and the secret too is then answered as well. 0: never.',
  ),
  audiences: setting(
    'AUDIENCES',
    audiences,
    'GRID,IOT',
    'Audiences that access tokens may have, with commas between: `aud` of an exchange that asks for none, in this order ([a change of it](operations.md#audiences)).',
  ),
  adminAudience: optional(
    'ADMIN_AUDIENCE',
    audience,
    'Audience that /api and /graphql ask of a token; none of `AUDIENCES`; forms ask for it by `audience`, and `admin-token` has it. Not set: every access token of ours is taken.',
  ),
  audienceResources: setting(
    'AUDIENCE_RESOURCES',
    audienceResources,
    '{}',
    'JSON: the audience that each `resource` of a form stands for (RFC 8707), such as {"https://grid.example/":"GRID"}; any other is an audience itself.',
  ),
  dpopNonce: setting(
    'DPOP_NONCE',
    boolean,
    'no',
    'yes: proofs of DPoP need a nonce of ours (RFC 9449 §8), so none can be made long before it is used.',
  ),
  bcryptCost: setting('BCRYPT_COST', integer(4, 14), '10', 'Cost of hashes of client secrets.'),
} as const;
