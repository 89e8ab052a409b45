/** Versions as people read them: links by the names of their ends, and fields with names for numbers. */
import { linkName } from '../eventWords';
import type { VersionOfFragment } from '../operations/generated/graph';
import type { Difference } from '../ui/Diff';
import { fullName } from '../words';

export type Version = VersionOfFragment;

const subjectTypes: Record<string, string> = {
  applications: 'Application',
  access_scopes: 'AccessScope',
  access_scope_types: 'AccessScopeType',
  access_scope_applications_mappers: 'AccessScopeApplicationsMapper',
  access_scope_type_applications_mappers: 'AccessScopeTypeApplicationsMapper',
  profiles: 'Profile',
  profile_access_scopes: 'ProfileAccessScope',
  roles: 'Role',
  users: 'User',
  user_profiles: 'UserProfile',
  translations: 'Translation',
};

export const subjectTypeOf = ({ recordTable }: Version): string => subjectTypes[recordTable] ?? recordTable;

/** The table whose versions are of this kind; undefined of a kind without versions. */
export const tableOf = (subjectType: string): string | undefined =>
  Object.keys(subjectTypes).find((table) => subjectTypes[table] === subjectType);

/** Fields of links and texts that their title contains already. */
const titled = ['applicationId', 'accessScopeId', 'accessScopeTypeId', 'profileId', 'userId'];
const places = ['translationGroup', 'fieldName', 'languageCode'];

/** Such as “Harbour → Outage map”; undefined of a record that is no link and no text. */
export const linkTitle = (version: Version): string | undefined =>
  linkName(subjectTypeOf(version), version.namesAfter ?? version.namesBefore ?? {});

/** The name that a record has or had; undefined of a kind without names. */
export function recordedName(version: Version): string | undefined {
  const { changes, namesBefore, namesAfter } = version;
  const subjectType = subjectTypeOf(version);
  const own = `${subjectType[0]!.toLowerCase()}${subjectType.slice(1)}` as 'application' | 'user';
  const present = (namesAfter ?? namesBefore)?.[own];
  if (present) return 'name' in present ? present.name : fullName(present);
  const value = (field: string): unknown => {
    const change = changes.find((each) => each.field === field);
    return change?.after ?? change?.before;
  };
  const words = ['name', 'firstName', 'lastName'].map(value).filter((part) => typeof part === 'string');
  return words.length > 0 ? words.join(' ') : undefined;
}

/** The changes that people can read: no number of the record itself, and nothing that its title says. */
export function readableChanges(version: Version): Difference[] {
  const { changes, namesBefore, namesAfter } = version;
  const isOwnNumber = (field: string) => field.toLowerCase() === `${subjectTypeOf(version)}id`.toLowerCase();
  const said = new Set(linkTitle(version) === undefined ? [] : [...titled, ...places]);
  return changes
    .filter(({ field }) => !said.has(field) && !isOwnNumber(field))
    .map(({ field, before, after }) => ({
      field: field.replace(/Id$/, ''),
      before: nameOf(namesBefore, field) ?? before,
      after: nameOf(namesAfter, field) ?? after,
    }));
}

/** The name of the record that a field names by number or id. */
function nameOf(names: Version['namesAfter'], field: string): string | undefined {
  if (!names || !field.endsWith('Id')) return undefined;
  if (field === 'userId') return names.user ? fullName(names.user) : undefined;
  const named = names[field.slice(0, -2) as 'application' | 'accessScope' | 'accessScopeType' | 'profile' | 'role'];
  return named?.name;
}
