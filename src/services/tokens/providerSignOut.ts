/** By what a sign-out at an identity provider and the ID tokens of before know each other. */
import { hash } from 'node:crypto';
import { ageSecondsMax, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Sql } from '../../sql.js';

/** By what a session of a provider is known; null of an ID token without `sid`. */
export const providerSessionHash = (issuer: string, sid: unknown): string | null =>
  typeof sid === 'string' && sid !== '' ? hash('sha256', JSON.stringify([issuer, sid]), 'base64url') : null;

/** By what a user of a provider is known. Guids are compared in any case. */
function providerUserHash({ issuer, sub }: VerifiedIdToken): string {
  const name = issuer.subject === 'userGuid' ? sub.toLowerCase() : sub;
  return hash('sha256', JSON.stringify([issuer.issuer, 'sub', name]), 'base64url');
}

/** Of an ID token, what `isSignedOut` asks for: its session, its user, and when it was issued. */
export const signInOf = (verified: VerifiedIdToken): [string | null, string, Date] => [
  providerSessionHash(verified.issuer.issuer, verified.claims.sid),
  providerUserHash(verified),
  new Date((verified.claims.iat as number) * 1_000),
];

/** SQL: whether the session or the user was signed out after the ID token was issued. `asked` has the columns of `signInOf`. */
export const isSignedOut = (asked: string): string => `exists (select from provider_sign_outs gone
      where gone.name_hash in (${asked}.session_hash, ${asked}.user_hash) and ${asked}.issued_at <= gone.issued_until)`;

const lock = "hashtextextended('gatehouse sign-outs', 0)";
/** SQL, a condition in the statement that inserts: a sign-out that is noted meanwhile waits for its records. */
export const letSignOutsWait = `(select pg_advisory_xact_lock_shared(${lock})) is not null`;
const awaitInserts = `select pg_advisory_xact_lock(${lock})`;

const wasSignedOutStatement = `select ${isSignedOut('asked')} as is_signed_out
  from (values ($1::text, $2::text, $3::timestamptz)) asked(session_hash, user_hash, issued_at)`;

export async function wasSignedOut(sql: Sql, verified: VerifiedIdToken): Promise<boolean> {
  const [row] = await sql.rows<{ is_signed_out: boolean }>(wasSignedOutStatement, signInOf(verified));
  return row!.is_signed_out;
}

const note = `insert into provider_sign_outs as noted (name_hash, issued_until, ends_at) values ($1, $2, $3)
  on conflict (name_hash) do update set issued_until = greatest(noted.issued_until, excluded.issued_until),
    ends_at = greatest(noted.ends_at, excluded.ends_at)
  where noted.issued_until < excluded.issued_until`;

/**
 * From now on the ID tokens of before are refused. Of a session also those of the logout token's own second: who signs in again has
 * another one. Of a user not: it may be a new sign-in. Records of exchanges that did not see it are there when this is done.
 */
export async function noteSignOut(sql: Sql, logout: VerifiedIdToken): Promise<void> {
  const { issuer, claims } = logout;
  const iat = claims.iat as number;
  const session = providerSessionHash(issuer.issuer, claims.sid);
  const [name, until] = session === null ? [providerUserHash(logout), iat - 1] : [session, iat];
  await sql.rows(note, [name, new Date(until * 1_000), new Date((iat + ageSecondsMax(issuer)) * 1_000)]);
  await sql.rows(awaitInserts);
}
