/** The links of a way from a user to an application, and whether each link holds, in sentences for a help desk. */
import { withoutTurns } from '../../../entities/valueForms.js';
import type { Way } from './ways.js';

export type AccessReason =
  | 'USER_BLOCKED'
  | 'PROFILE_NOT_HELD'
  | 'SCOPE_NOT_IN_PROFILE'
  | 'GRANT_ENDED'
  | 'SCOPE_INACTIVE'
  | 'TYPE_INACTIVE'
  | 'MAPPING_STATE'
  | 'APPLICATION_INACTIVE'
  | 'NO_MAPPING';

/** Names of a way's records. */
export interface Names {
  user: string;
  profile: string;
  scope: string;
  type: string;
  application: string;
}

export interface Link {
  part: 'user' | 'profile' | 'scopeOfProfile' | 'scope' | 'type' | 'mapping' | 'application';
  holds: boolean;
  reason: AccessReason | null;
  text: string;
}

/** A way with each of its links. */
export interface ExplainedWay {
  way: Way;
  isOpen: boolean;
  links: Link[];
}

/** Ordered from the user to the application. */
export function linksOf(way: Way, names: Names): Link[] {
  const { user, profile, scope, type, application } = names;
  const link = (part: Link['part'], holds: boolean, reason: AccessReason, yes: string, no: string): Link => ({
    part,
    holds,
    reason: holds ? null : reason,
    text: withoutTurns(holds ? yes : no),
  });
  const { profileEndedAt, scopeEndedAt, mappingState } = way;
  const isMapped = mappingState !== null;
  const mapped = way.typeMappingId === null ? scope : `the type ${type}`;
  return [
    link('user', !way.userIsBlocked, 'USER_BLOCKED', `${user} is not blocked.`, `${user} is blocked.`),
    link(
      'profile',
      way.userProfileId !== null && profileEndedAt === null,
      profileEndedAt ? 'GRANT_ENDED' : 'PROFILE_NOT_HELD',
      `${user} holds ${profile}.`,
      profileEndedAt ? `${user} held ${profile} until ${profileEndedAt}.` : `${user} does not hold ${profile}.`,
    ),
    link(
      'scopeOfProfile',
      way.profileAccessScopeId !== null && scopeEndedAt === null,
      scopeEndedAt ? 'GRANT_ENDED' : 'SCOPE_NOT_IN_PROFILE',
      `${profile} has the access scope ${scope}.`,
      scopeEndedAt
        ? `${profile} had the access scope ${scope} until ${scopeEndedAt}.`
        : `${profile} does not have the access scope ${scope}.`,
    ),
    link('scope', way.scopeIsActive, 'SCOPE_INACTIVE', `${scope} is in use.`, `${scope} is not in use.`),
    link('type', way.typeIsActive, 'TYPE_INACTIVE', `Its type ${type} is in use.`, `Its type ${type} is not in use.`),
    link(
      'mapping',
      way.mappingHolds,
      isMapped ? 'MAPPING_STATE' : 'NO_MAPPING',
      `A mapping of ${mapped} opens ${application}.`,
      isMapped
        ? `The mapping of ${mapped} to ${application} is ${mappingState}.`
        : `No mapping leads from ${scope} to ${application}.`,
    ),
    link(
      'application',
      way.applicationIsActive,
      'APPLICATION_INACTIVE',
      `${application} is in use.`,
      `${application} is not in use.`,
    ),
  ];
}
