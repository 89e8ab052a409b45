/**
 * Decides which TOKEN_POLICY applies to a request. With TOKEN_POLICY=rehearsal, the functions `rehearse…` check answered requests
 * as the hardened policy would, and count what it would refuse. They change no answer and let no request wait. Clients that are
 * hardened already are not rehearsed.
 */
import type { Config } from '../../config/config.js';
import type { Context, Rehearsal, RehearsedVerdict } from '../../context.js';

/** The value of `Client.policy` and of TOKEN_POLICY. */
export const hardened = 'hardened';

/**
 * Whether the hardened policy applies to a request.
 * @param policies `Client.policy` of the requesting client and of the token's client; null: the service's
 */
export const isHardened = (
  { tokenPolicy }: Pick<Config, 'tokenPolicy'>,
  ...policies: readonly (string | null | undefined)[]
): boolean => tokenPolicy === hardened || policies.includes(hardened);

/**
 * Whether requests are answered by the documented policy and also checked by the hardened one. What the hardened policy needs
 * is stored: the client of each record, and which ID tokens were exchanged.
 */
export const isRehearsal = ({ tokenPolicy }: Pick<Config, 'tokenPolicy'>): boolean => tokenPolicy === 'rehearsal';

/** SQL: whether one of these clients has the hardened policy. @param clientIds SQL expressions of type text; null matches no client */
export const isOneHardened = (...clientIds: readonly string[]): string =>
  `exists (select from clients strict where strict.client_id in (${clientIds.join(', ')}) and strict.policy = '${hardened}')`;

/** A client as a request names it, perhaps with its secret. */
interface Named {
  clientId: string | undefined;
  clientSecret?: string | undefined;
}

/** Counts a granted renewal. @param request the profile as the request names it; undefined: any */
export function rehearseRenewal(
  { rehearsal }: Context,
  request: { clientId: string; profileId: string | undefined },
  renewed: { record_client_id?: string | undefined; profile_id: string | null; client_policy: string | null },
): void {
  if (!rehearsal || renewed.client_policy) return;
  rehearsal.note(request.clientId, '/token', judgeRenewal(request, renewed));
}

/** The hardened policy's verdict on a renewal. @param record_client_id undefined: the record has no client */
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

/** The record of a current or used token, as it was before the request. */
export interface RevokedRecord {
  owner_client_id: string | null;
  /** Whether a used token would end the record under the hardened policy. */
  is_reused: boolean;
  /** Null: there is no such record. */
  was_revoked: boolean | null;
}

/**
 * Counts a revocation. A request that names no client counts for the client of the token. A request that names a client without
 * proof counts for it only with a token of ours, so that a stranger can't make a client look worse.
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
  const resolvedClientId = record.was_revoked === null ? '' : (clientId ?? record.owner_client_id ?? '');
  if (isAuthenticated) rehearsal.note(clientId!, '/revoke', judgeFor(clientId!));
  else judgeCredentials(rehearsal, { clientId, clientSecret }, '/revoke', resolvedClientId, judgeFor);
}

/** Counts a validation. @param isOurs whether the token is a valid access token of ours */
export function rehearseValidation({ rehearsal }: Context, named: Named, isOurs: boolean): void {
  if (rehearsal) judgeCredentials(rehearsal, named, '/validate-token', isOurs ? (named.clientId ?? '') : '');
}

/** @param resolvedClientId the client that an unproven request counts for; empty: none @param judgeProven the verdict for a client that proved itself */
function judgeCredentials(
  rehearsal: Rehearsal,
  { clientId, clientSecret }: Named,
  operation: string,
  resolvedClientId: string,
  judgeProven: (clientId: string) => RehearsedVerdict = () => 'passed',
): void {
  if (clientId === undefined || clientSecret === undefined)
    rehearsal.note(resolvedClientId, operation, 'noCredentials');
  else
    rehearsal.proves({ clientId, clientSecret }, (isProven) => {
      if (isProven) rehearsal.note(clientId, operation, judgeProven(clientId));
      else rehearsal.note(resolvedClientId, operation, isProven === undefined ? 'notJudged' : 'wrongCredentials');
    });
}
