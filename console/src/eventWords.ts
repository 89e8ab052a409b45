/** What an audit event is about, in words. */
import type { EventOfFragment } from './operations/generated/graph';
import { fieldWords, nameAndMail } from './words';

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
  'ProfileAccessScope',
  'Role',
  'User',
  'UserProfile',
  'Translation',
  'Token',
  'Client',
  'Connector',
  'EventStream',
  'Review',
  'SigningKey',
];

export const kindWords = (subjectType: string): string => kinds[subjectType] ?? fieldWords(subjectType).toLowerCase();

/** What can be done to a record. */
export const actions: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'removed',
  issue: 'issued',
  revoke: 'revoked',
  rotate: 'rotated',
  test: 'tested',
  replay: 'repeated',
};

interface Named {
  name: string;
}

/** What a link joins, and where a text stands. */
export interface Ends {
  application?: Named | null;
  accessScope?: Named | null;
  accessScopeType?: Named | null;
  profile?: Named | null;
  user?: { firstName: string | null; lastName: string | null; email: string | null } | null;
  fieldName?: string | null;
  languageCode?: string | null;
}

const endName = (end: Named | null | undefined, subjectType: string): string =>
  end?.name ?? `a ${kindWords(subjectType)} that is gone`;

/** Such as “Harbour → Outage map”; undefined of what is no link and no text. */
export function linkName(subjectType: string, ends: Ends): string | undefined {
  const { application, accessScope, accessScopeType, profile, user, fieldName, languageCode } = ends;
  switch (subjectType) {
    case 'AccessScopeApplicationsMapper':
      return `${endName(accessScope, 'AccessScope')} → ${endName(application, 'Application')}`;
    case 'AccessScopeTypeApplicationsMapper':
      return `All of ${endName(accessScopeType, 'AccessScopeType')} → ${endName(application, 'Application')}`;
    case 'ProfileAccessScope':
      return `${endName(accessScope, 'AccessScope')} in ${endName(profile, 'Profile')}`;
    case 'UserProfile':
      return `${user ? nameAndMail(user) : 'a user who is gone'} as ${endName(profile, 'Profile')}`;
    case 'Translation':
      return fieldName ? `${fieldWords(fieldName)}, ${languageCode}` : undefined;
    default:
      return undefined;
  }
}

/** The subject's name; that of a link is of both its ends; undefined of one that is gone. */
export function subjectName({ record, subjectType }: AuditedEvent): string | undefined {
  if (!record) return undefined;
  if ('name' in record) return record.name;
  if ('firstName' in record) return nameAndMail(record);
  return 'connectorId' in record ? record.connectorId : linkName(subjectType, record);
}

/** Of one that is gone: its id, unless that says nothing. */
export const goneWords = ({ subjectType, subjectId }: AuditedEvent): string =>
  /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/.test(subjectId)
    ? `a ${kindWords(subjectType)} that is gone`
    : subjectId;
