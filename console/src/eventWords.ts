/** What an audit event is about, in words. */
import type { EventOfFragment } from './operations/generated/graph';
import { capital, fieldWords, fullName } from './words';

export type AuditedEvent = EventOfFragment;

const kinds: Record<string, string> = {
  Application: 'application',
  AccessScope: 'access scope',
  AccessScopeType: 'access scope type',
  AccessScopeApplicationsMapper: 'mapping',
  AccessScopeTypeApplicationsMapper: 'mapping of a type',
  Profile: 'profile',
  ProfileAccessScope: 'scope of a profile',
  Role: 'role',
  User: 'user',
  UserProfile: 'profile of a user',
  Client: 'client',
  Token: 'session',
  SigningKey: 'signing key',
  TranslationGroup: 'texts',
  Translation: 'text',
};

/** Kinds by which the history can be narrowed. */
export const kindsWithHistory = [
  'Application',
  'AccessScopeApplicationsMapper',
  'AccessScopeTypeApplicationsMapper',
  'AccessScope',
  'AccessScopeType',
  'Profile',
  'Role',
  'User',
  'UserProfile',
  'Client',
  'SigningKey',
];

export const kindWords = (subjectType: string): string => kinds[subjectType] ?? fieldWords(subjectType).toLowerCase();

const actions: Record<string, string> = {
  create: 'created',
  update: 'changed',
  delete: 'removed',
  issue: 'issued',
  revoke: 'revoked',
  rotate: 'rotated',
};

export const actionWords = (action: string): string => actions[action] ?? fieldWords(action).toLowerCase();

/** The subject's name; that of a link is of both its ends; undefined of one that is gone and had a number alone. */
export function subjectName({ subject, subjectId }: AuditedEvent): string | undefined {
  const one = subject.application ?? subject.accessScope ?? subject.accessScopeType ?? subject.profile ?? subject.role;
  if (one) return one.name;
  if (subject.client) return subject.client.name;
  if (subject.user) return fullName(subject.user);
  const { accessScopeApplicationsMapper: scopes, accessScopeTypeApplicationsMapper: types } = subject;
  if (scopes) return `${scopes.accessScope.name} → ${scopes.application.name}`;
  if (types) return `All of ${types.accessScopeType.name} → ${types.application.name}`;
  const { profileAccessScope: scope, userProfile: holding } = subject;
  if (scope) return `${scope.accessScope.name} in ${scope.profile.name}`;
  if (holding) return `${fullName(holding.user)} as ${holding.profile.name}`;
  return /^\d+$/.test(subjectId) ? undefined : subjectId;
}

export const subjectWords = (event: AuditedEvent): string =>
  subjectName(event) ?? `a ${kindWords(event.subjectType)} that is gone`;

/** Such as “Mapping changed”. */
export const eventTitle = ({ action, subjectType }: Pick<AuditedEvent, 'action' | 'subjectType'>): string =>
  `${capital(kindWords(subjectType))} ${actionWords(action)}`;
