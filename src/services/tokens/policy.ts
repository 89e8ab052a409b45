/** TOKEN_POLICY: which policy judges a request, and what the rehearsal of `hardened` notes. */
import type { Config } from '../../config/config.js';
import type { Context, Rehearsal, RehearsedVerdict } from '../../context.js';

/** Which policy a request is judged by: the service's (TOKEN_POLICY), or the hardened one of a client whose record says so. */

/** The value of `Client.policy` and of TOKEN_POLICY. */
export const hardened = 'hardened';

/**
 * Whether a request is judged as hardened.
 * @param policies of the records of the clients that it is about: who asks, and whose the token is; null: the service's
 */
export const isHardened = (
  { tokenPolicy }: Pick<Config, 'tokenPolicy'>,
  ...policies: readonly (string | null | undefined)[]
): boolean => tokenPolicy === hardened || policies.includes(hardened);

/**
 * Whether requests are answered as documented and judged as hardened too. What that policy would know is gathered: which
 * client a record is of, and which ID tokens were exchanged.
 */
export const isRehearsal = ({ tokenPolicy }: Pick<Config, 'tokenPolicy'>): boolean => tokenPolicy === 'rehearsal';

/** SQL: whether one of these clients is hardened. @param clientIds expressions of text; null is nobody */
export const isOneHardened = (...clientIds: readonly string[]): string =>
  `exists (select from clients strict where strict.client_id in (${clientIds.join(', ')}) and strict.policy = '${hardened}')`;

/**
 * TOKEN_POLICY=rehearsal: what was answered as documented is judged here as the hardened policy would judge it. Counted is
 * what that one would refuse, or answer with another reason, and a used token by which it would end a session. Nothing here
 * changes an answer or waits for anything, and a client that is hardened already is judged where everybody is.
 */

/** A client as a request names it, perhaps with what it proves itself by. */
interface Named {
  clientId: string | undefined;
  clientSecret?: string | undefined;
}

/** Of a renewal that was granted. @param asked with the profile as the request names it; undefined: any */
export function rehearseRenewal(
  { rehearsal }: Context,
  asked: { clientId: string; profileId: string | undefined },
  renewed: { record_client_id?: string | undefined; profile_id: string | null; client_policy: string | null },
): void {
  if (!rehearsal || renewed.client_policy) return;
  rehearsal.note(asked.clientId, '/token', judgeRenewal(asked, renewed));
}

/** By whose the record is; undefined: nobody's. */
export function judgeRenewal(
  { clientId, profileId }: { clientId: string; profileId: string | undefined },
  {
    record_client_id: owner = clientId,
    profile_id,
  }: { record_client_id?: string | undefined; profile_id: string | null },
): RehearsedVerdict {
  if (owner !== clientId) return 'anotherClient';
  return profileId !== undefined && profileId !== profile_id ? 'anotherProfile' : 'passed';
}

/** Of an exchange that was granted. @param isFirst whether its ID token was not exchanged for the profile before */
export function rehearseExchange({ rehearsal }: Context, clientId: string, isFirst: boolean): void {
  rehearsal?.note(clientId, '/token', isFirst ? 'passed' : 'repeatedIdToken');
}

/** Of a renewal that was refused. @param verdict undefined: hardened it would be refused alike */
export function rehearseRefusal({ rehearsal }: Context, clientId: string, verdict: RehearsedVerdict = 'passed'): void {
  rehearsal?.note(clientId, '/token', verdict);
}

/** A record that a token is of, or was of, as it was before the request. */
export interface RevokedRecord {
  owner_client_id: string | null;
  /** Whether hardened a used token would end it. */
  is_reused: boolean;
  /** Null: there is no such record. */
  was_revoked: boolean | null;
}

/**
 * Of a revocation. The token alone says whose it is where nobody is named, and who names a client without proof counts as
 * that one beside a token of ours alone: so no stranger makes a client look worse.
 */
export function rehearseRevocation(
  { rehearsal }: Context,
  { clientId, clientSecret, isAuthenticated }: Named & { isAuthenticated: boolean },
  record: RevokedRecord,
  isRevoked: boolean,
): void {
  if (!rehearsal) return;
  const judgeFor = (presenter: string): RehearsedVerdict => {
    const isOthers = record.owner_client_id !== null && record.owner_client_id !== presenter;
    if (isRevoked) return isOthers ? 'anotherClient' : 'passed';
    return record.is_reused && !isOthers ? 'reuse' : 'passed';
  };
  const known = record.was_revoked === null ? '' : (clientId ?? record.owner_client_id ?? '');
  if (isAuthenticated) rehearsal.note(clientId!, '/revoke', judgeFor(clientId!));
  else judgeCredentials(rehearsal, { clientId, clientSecret }, '/revoke', known, judgeFor);
}

/** Of a validation. @param isOurs whether the token is an access token of ours that is good */
export function rehearseValidation({ rehearsal }: Context, named: Named, isOurs: boolean): void {
  if (rehearsal) judgeCredentials(rehearsal, named, '/validate-token', isOurs ? (named.clientId ?? '') : '');
}

/** @param known whom the request counts for without proof; empty: nobody @param judgeProven what is left to judge of who proved itself */
function judgeCredentials(
  rehearsal: Rehearsal,
  { clientId, clientSecret }: Named,
  operation: string,
  known: string,
  judgeProven: (clientId: string) => RehearsedVerdict = () => 'passed',
): void {
  if (clientId === undefined || clientSecret === undefined) rehearsal.note(known, operation, 'noCredentials');
  else
    rehearsal.proves({ clientId, clientSecret }, (isProven) => {
      if (isProven) rehearsal.note(clientId, operation, judgeProven(clientId));
      else rehearsal.note(known, operation, isProven === undefined ? 'notJudged' : 'wrongCredentials');
    });
}

/** Of a renewal token that a form asks about. */
export function rehearseIntrospection({ rehearsal }: Context, clientId: string, isOwn: boolean): void {
  rehearsal?.note(clientId, '/introspect', isOwn ? 'passed' : 'anotherClient');
}
