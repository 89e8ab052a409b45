/** The types of events: those of webhooks, and those of security event tokens with the URIs of their specifications. */

const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
const ssf = 'https://schemas.openid.net/secevent/ssf/event-type/';

/** CAEP 1.0 §3.1 and §3.2. */
export const tokenTypes = {
  'session-revoked':
    'A session ended, or a person lost a profile or is blocked: access tokens until that moment are void.',
  'token-claims-change': 'The role of a person in a profile, or the scopes of a profile, have changed.',
} as const;

/** SSF 1.0 §8.1.4 and §8.1.5: sent whatever the receiver asked for. */
const streamTypes = ['verification', 'stream-updated'];

export const webhookTypes = {
  'change_set.applied': 'An administrative change was made.',
  'proposal.created': 'Changes were proposed.',
  'proposal.decided':
    'A proposal was approved, rejected or withdrawn, or has expired; or a scheduled one was applied, or has failed.',
  'grant.ending': 'Grants of a profile end in 7 days, or in one day.',
  'grant.ended': 'Grants of a profile have ended.',
  'review.started': 'An access review was started.',
  'review.finished': 'An access review was finished or cancelled.',
  'client.secret_ending': 'The previous secret of a client stops working in 7 days, or in one day.',
  'key.rotated': 'A new key signs access tokens.',
  'stream.gap': 'Events for this stream were dropped, because they could not be delivered in time.',
} as const;

export type StreamKind = 'webhook' | 'push' | 'poll';

/** The name of a type in a security event token; a webhook has the type itself. */
export const uriOf = (type: string): string => `${streamTypes.includes(type) ? ssf : caep}${type}`;

export const supportedUris = Object.keys(tokenTypes).map(uriOf);

/** The types that a stream of the kind may want. */
export const typesOf = (kind: StreamKind): string[] => Object.keys(kind === 'webhook' ? webhookTypes : tokenTypes);

/** The types of a stream: those that it wants and that there are. URIs are accepted too. @param wanted null: all */
export function deliveredTypes(kind: StreamKind, wanted: readonly string[] | null): string[] {
  const types = typesOf(kind);
  return wanted ? types.filter((type) => wanted.includes(type) || wanted.includes(uriOf(type))) : types;
}
