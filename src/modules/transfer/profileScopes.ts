/** The access scopes of the profiles in an import file: a list replaces all of them. */
import { AccessScope } from '../../entities/AccessScope.js';
import { describe, fieldOf } from '../../entities/description.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { isJsonObject } from '../../jsonObject.js';
import { endHasPassed } from '../../services/access/grants.js';
import { readFieldValue, readGuid, shorten } from '../../services/records/input.js';
import { timeText } from '../../sql.js';
import type { Faults } from './findings.js';
import { namingField } from './importLists.js';
import type { ImportRow } from './readRows.js';
import { existenceCheck } from './references.js';
import { batchesOf, type Query } from './statements.js';

interface ListedScope {
  /** Its place in the list. */
  place: number;
  /** ISO 8601; null: no end; undefined: unchanged. */
  validUntil: string | null | undefined;
}

/** The access scopes of each row's list by their guids; rows without a list keep what their profiles have. */
export type ScopeLists = Map<ImportRow, Map<string, ListedScope>>;

interface ProfileScope {
  profileId: string;
  accessScopeGuid: string;
  validUntil: string | null;
}

export interface ProfileScopesPlan {
  added: ProfileScope[];
  /** Links that get another end. */
  changed: ProfileScope[];
  removed: ProfileScope[];
  /** How many of the listed links exist already. */
  unchanged: number;
}

const link = describe(ProfileAccessScope);
const scope = describe(AccessScope);

export function readScopeLists(rows: ImportRow[], faults: Faults, timeZone: string): ScopeLists {
  const lists: ScopeLists = new Map();
  for (const row of rows) {
    const guids = row.extras.accessScopeGuids;
    const path = `${row.path}.accessScopeGuids`;
    if (Array.isArray(guids)) lists.set(row, readGuids(guids, path, faults));
    else if (guids !== undefined) faults.add(path, 'must be an array of guids');
    if (row.extras.accessScopeEnds !== undefined) readEnds(row, lists.get(row), faults, timeZone);
  }
  return lists;
}

function readGuids(guids: unknown[], path: string, faults: Faults): Map<string, ListedScope> {
  const listed = new Map<string, ListedScope>();
  for (const [place, value] of guids.entries()) {
    const read = readGuid(value);
    const guid = 'value' in read ? String(read.value) : undefined;
    if ('problem' in read) faults.add(`${path}[${place}]`, read.problem);
    else if (listed.has(guid!)) faults.add(`${path}[${place}]`, `is the same as [${listed.get(guid!)!.place}]`);
    else listed.set(guid!, { place, validUntil: undefined });
  }
  return listed;
}

const validUntil = fieldOf(ProfileAccessScope, 'validUntil');

/** The ends in the file are all ends of the profile's access scopes. */
function readEnds(
  { path: row, extras }: ImportRow,
  listed: Map<string, ListedScope> | undefined,
  faults: Faults,
  timeZone: string,
) {
  const path = `${row}.accessScopeEnds`;
  if (!isJsonObject(extras.accessScopeEnds)) return faults.add(path, 'must be an object of guids and date-times');
  if (!listed) return faults.add(path, 'requires the list accessScopeGuids');
  for (const scope of listed.values()) scope.validUntil = null;
  const named = new Set<ListedScope>();
  for (const [key, value] of Object.entries(extras.accessScopeEnds)) {
    const guid = readGuid(key);
    const end = readFieldValue(validUntil, value, timeZone);
    const scope = 'value' in guid ? listed.get(String(guid.value)) : undefined;
    if (!scope) faults.add(`${path}.${shorten(key)}`, 'is none of accessScopeGuids');
    else if (named.has(scope)) faults.add(`${path}.${key}`, 'is there in another spelling, too');
    else if ('problem' in end) faults.add(`${path}.${key}`, end.problem);
    else scope.validUntil = end.value as string | null;
    if (scope) named.add(scope);
  }
}

/** The links to add and remove so that the profiles have exactly the listed access scopes. */
export async function planProfileScopes(
  query: Query,
  lists: ScopeLists,
  inFile: ReadonlyMap<string, unknown> | undefined,
  { faults, now }: { faults: Faults; now: string },
): Promise<ProfileScopesPlan> {
  const guids = new Set([...lists.values()].flatMap((places) => [...places.keys()]));
  const isKnown = await existenceCheck(query, scope, namingField(scope)!, guids, inFile);
  for (const [row, places] of lists)
    for (const [guid, { place }] of places)
      if (!isKnown(guid))
        faults.add(
          `${row.path}.accessScopeGuids[${place}]`,
          'refers to no AccessScope, neither in the file nor in the database',
        );
  return compareLinks(lists, await readLinks(query, lists), { faults, now });
}

function readLinks(query: Query, lists: ScopeLists): Promise<ProfileScope[]> {
  return query(
    `select t.profile_id as "profileId", s.access_scope_guid as "accessScopeGuid", ${timeText('t.valid_until')} as "validUntil"
     from ${link.table} t join ${scope.table} s using (access_scope_id) where t.profile_id = any($1)`,
    [[...lists.keys()].map(({ values }) => values.profileId ?? null)],
  );
}

function compareLinks(
  lists: ScopeLists,
  present: ProfileScope[],
  { faults, now }: { faults: Faults; now: string },
): ProfileScopesPlan {
  const name = ({ profileId, accessScopeGuid }: ProfileScope) => `${profileId}\0${accessScopeGuid}`;
  const byName = new Map(present.map((presentLink) => [name(presentLink), presentLink]));
  const plan: ProfileScopesPlan = { added: [], changed: [], removed: [], unchanged: 0 };
  const listedNames = new Set<string>();
  for (const [{ path, values }, listed] of lists)
    for (const [accessScopeGuid, { validUntil: listedEnd }] of listed) {
      const link = { profileId: String(values.profileId), accessScopeGuid, validUntil: listedEnd ?? null };
      const before = byName.get(name(link));
      listedNames.add(name(link));
      // an ended grant that is listed is given again
      const isEnded = before?.validUntil != null && before.validUntil <= now;
      if (before && (listedEnd === undefined ? !isEnded : listedEnd === before.validUntil)) {
        plan.unchanged += 1;
        continue;
      }
      if (link.validUntil !== null && link.validUntil <= now)
        faults.add(`${path}.accessScopeEnds.${accessScopeGuid}`, endHasPassed);
      plan[before ? 'changed' : 'added'].push(link);
    }
  plan.removed = present.filter((presentLink) => !listedNames.has(name(presentLink)));
  return plan;
}

const listedLinks = `jsonb_to_recordset($1::jsonb) as x ("profileId" text, "accessScopeGuid" uuid, "validUntil" timestamptz)
  join ${scope.table} s on s.access_scope_guid = x."accessScopeGuid"`;
const linkScopes = `insert into ${link.table} (profile_id, access_scope_id, valid_until)
  select x."profileId", s.access_scope_id, x."validUntil" from ${listedLinks}`;
const endScopes = `update ${link.table} t set valid_until = x."validUntil" from ${listedLinks}
  where t.profile_id = x."profileId" and t.access_scope_id = s.access_scope_id`;
const unlinkScopes = `delete from ${link.table} t using ${listedLinks}
  where t.profile_id = x."profileId" and t.access_scope_id = s.access_scope_id`;

/** After the profiles and access scopes themselves. */
export async function writeProfileScopes(query: Query, { added, changed, removed }: ProfileScopesPlan): Promise<void> {
  for (const batch of batchesOf(removed)) await query(unlinkScopes, [JSON.stringify(batch)]);
  for (const batch of batchesOf(changed)) await query(endScopes, [JSON.stringify(batch)]);
  for (const batch of batchesOf(added)) await query(linkScopes, [JSON.stringify(batch)]);
}
