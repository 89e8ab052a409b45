/** Tokens of the limit: put together as text, signed and verified in DER through buffers that are made once. */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

const privateKey = createPrivateKey(process.env.FLOOR_PRIVATE_KEY!);
export const ownKey = createPublicKey(privateKey);
const secret = createSecretKey(Buffer.alloc(32, 1));
export const issuer = process.env.ISSUER_URL!;
const monthMs = 30 * 86_400_000;

const encode = (text: string): string => Buffer.from(text, 'latin1').toString('base64url');
const accessHeader = `${encode('{"alg":"ES256","typ":"at+jwt","kid":"floor"}')}.`;
const renewalHeader = `${encode('{"alg":"HS256","typ":"rt+jwt","kid":"floor"}')}.`;
export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

const half = 32;
const signature = Buffer.alloc(2 * half);
const der = Buffer.alloc(72);

export function signAccess(sub: string, profileId: string, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  const claims = `{"iss":"${issuer}","sub":"${sub}","aud":["GRID","IOT"],"profileId":"${profileId}","roleId":"role","scopes":["bench:s1","bench:s2","bench:s3","bench:s4","bench:s5"],"exp":${iat + 3_600},"iat":${iat}}`;
  const input = accessHeader + encode(claims);
  const made = sign('sha256', Buffer.from(input, 'latin1'), privateKey);
  const rLength = made[3]!;
  signature.fill(0);
  copyHalf(made, 4, rLength, half);
  copyHalf(made, 6 + rLength, made[5 + rLength]!, 2 * half);
  return `${input}.${signature.toString('base64url')}`;
}

/** An integer of up to 33 bytes, the first of them 0 then, to the 32 before `end`. */
function copyHalf(from: Buffer, start: number, length: number, end: number): void {
  const digits = Math.min(length, half);
  from.copy(signature, end - digits, start + length - digits, start + length);
}

interface Times {
  created: string;
  expires: string;
}

export const timesFrom = (nowMs: number): Times => ({
  created: new Date(nowMs).toISOString(),
  expires: new Date(nowMs + monthMs).toISOString(),
});

export function signRenewal(sub: string, jti: string, { created, expires }: Times): string {
  const claims = `{"iss":"${issuer}","sub":"${sub}","created_at":"${created}","expires_at":"${expires}","jti":"${jti}"}`;
  const input = renewalHeader + encode(claims);
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** The payload's text. */
export const payloadOf = (token: string): string =>
  Buffer.from(token.slice(token.indexOf('.') + 1, token.lastIndexOf('.')), 'base64url').toString('latin1');

/** The payload's text of a token whose signature is good. Throws for any other. */
export function openPayload(token: string, key: KeyObject): string {
  const end = token.lastIndexOf('.');
  if (signature.write(token.slice(end + 1), 'base64url') !== 2 * half) throw new Error('signature');
  const rEnd = writeInteger(2, 0);
  const sEnd = writeInteger(rEnd, half);
  der[0] = 0x30;
  der[1] = sEnd - 2;
  if (!verify('sha256', Buffer.from(token.slice(0, end), 'latin1'), key, der.subarray(0, sEnd)))
    throw new Error('signature');
  return payloadOf(token);
}

/** The shortest two's complement of a half of the signature. @returns its end */
function writeInteger(at: number, from: number): number {
  let start = from;
  while (start < from + half - 1 && signature[start] === 0) start++;
  const zeros = signature[start]! >= 0x80 ? 1 : 0;
  const digits = from + half - start;
  der[at] = 0x02;
  der[at + 1] = digits + zeros;
  der[at + 2] = 0;
  signature.copy(der, at + 2 + zeros, start, from + half);
  return at + 2 + zeros + digits;
}
