/**
 * The authorization code flow of the development identity provider: a page of its users, and a code for the one who is
 * chosen. The code is a signed note, so that any process with the key redeems it; it is good for a minute, with PKCE alone.
 */
import { createHash } from 'node:crypto';
import type { DevelopmentUser } from './developmentUser.js';

/** The one client that may ask: the console. */
export interface AuthorizationClient {
  clientId: string;
  /** Where the browser is sent back to, and nowhere else. */
  redirectUri: string;
}

/** Signs claims as a JWT, and reads one of its own; undefined for any other. */
export interface Notes {
  sign(claims: object): string;
  read(note: string): Record<string, unknown> | undefined;
}

const codeSeconds = 60;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Why a request to /authorize is answered with nothing but words; undefined where it is right. */
export function findAuthorizationFault(asked: URLSearchParams, client: AuthorizationClient): string | undefined {
  if (asked.get('client_id') !== client.clientId || asked.get('redirect_uri') !== client.redirectUri)
    return 'client_id or redirect_uri is not the console’s.';
  if (asked.get('response_type') !== 'code' || asked.get('code_challenge_method') !== 'S256')
    return 'response_type=code with PKCE (S256) is all there is.';
  return /^[\w-]{43}$/.test(asked.get('code_challenge') ?? '') ? undefined : 'code_challenge is not that of S256.';
}

/** Where the browser goes back to when a user is chosen (RFC 6749 §4.1.2, RFC 9207). */
export function grantCode(asked: URLSearchParams, user: DevelopmentUser, issuer: string, notes: Notes): string {
  const [redirectUri, challenge] = [asked.get('redirect_uri')!, asked.get('code_challenge')!];
  const at = nowSeconds();
  const nonce = asked.get('nonce') ?? undefined;
  const code = { use: 'code', sub: user.sub, redirectUri, challenge, nonce, auth_time: at, exp: at + codeSeconds };
  const back = new URL(redirectUri);
  back.searchParams.set('code', notes.sign(code));
  const state = asked.get('state');
  if (state !== null) back.searchParams.set('state', state);
  back.searchParams.set('iss', issuer);
  return back.href;
}

/** What a code stands for; undefined for one that is no good for this request (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export function redeemCode(
  form: URLSearchParams,
  client: AuthorizationClient,
  notes: Notes,
): { sub: string; claims: object } | undefined {
  const code = notes.read(form.get('code') ?? '');
  if (code?.use !== 'code' || Number(code.exp) < nowSeconds()) return undefined;
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    form.get('grant_type') === 'authorization_code' &&
    form.get('client_id') === client.clientId &&
    form.get('redirect_uri') === code.redirectUri &&
    challenge === code.challenge;
  const { sub, nonce, auth_time } = code;
  return isRight ? { sub: String(sub), claims: { ...(nonce !== undefined && { nonce }), auth_time } } : undefined;
}
