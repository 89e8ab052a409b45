/** What client assertions and DPoP proofs have in common: JWTs that clients sign with keys of their own, each good once. */

// RFC 9864: what libraries of before call EdDSA
export const clientAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'];
/** Longest assertion or proof, in characters. */
export const clientJwtLengthMax = 8_192;

// each is remembered until its JWT expires
const jtiLengthMax = 256;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

export const isClientAlgorithm = (alg: unknown): alg is string =>
  typeof alg === 'string' && clientAlgorithms.includes(alg);

/** What is wrong with the `jti`, in words for the log; undefined when nothing is. */
export const findJtiProblem = (jti: unknown): string | undefined =>
  typeof jti === 'string' && jti !== '' && jti.length <= jtiLengthMax ? undefined : 'jti is missing or too long';

/** Whether a JWK has members of a private or shared key (RFC 7518 §6): a client that sends one has given its key away. */
export const holdsPrivateKey = (jwk: object): boolean => privateMembers.some((member) => Object.hasOwn(jwk, member));
