/** Links of profiles to access scopes, which a file gives as a property of the profile. */
import type { Context } from '../../context.js';
import type { FieldDifference } from './fieldDifference.js';
import type { Version } from './versions.js';

export interface LinkChange {
  profileId: string;
  accessScopeId: number;
  accessScopeGuid: string;
  isAdded: boolean;
  /** All links of the profile as they are now. */
  present: string[];
}

/** Those of the transaction under way, by profile. */
export async function readLinkChanges(
  { sql }: Context,
  versions: readonly Version[],
): Promise<Map<string, LinkChange[]>> {
  const changed = versions.filter(({ table }) => table === 'profile_access_scopes');
  const columnsOf = ({ before, after }: Version) => (after ?? before)!;
  const profileIds = [...new Set(changed.map((version) => String(columnsOf(version).profile_id)))];
  const scopeIds = changed.map((version) => Number(columnsOf(version).access_scope_id));
  const guids = new Map<number, string>();
  for (const { table, before } of versions)
    if (table === 'access_scopes' && before)
      guids.set(Number(before.access_scope_id), String(before.access_scope_guid));
  const scopes = await sql.rows<{ id: number; guid: string }>(
    'select access_scope_id as id, access_scope_guid::text as guid from access_scopes where access_scope_id = any($1::int[])',
    [scopeIds],
  );
  for (const { id, guid } of scopes) guids.set(id, guid);
  const present = await sql.rows<{ profileId: string; guids: string[] }>(
    `select profile_id as "profileId", array_agg(access_scope_guid::text order by access_scope_guid::text collate "C") as guids
     from profile_access_scopes join access_scopes using (access_scope_id) where profile_id = any($1::text[])
     group by profile_id`,
    [profileIds],
  );
  const now = new Map(present.map((each) => [each.profileId, each.guids]));
  const links = changed.map((version) => {
    const { profile_id, access_scope_id } = columnsOf(version);
    return {
      profileId: String(profile_id),
      accessScopeId: Number(access_scope_id),
      accessScopeGuid: guids.get(Number(access_scope_id))!,
      isAdded: version.after !== null,
      present: now.get(String(profile_id)) ?? [],
    };
  });
  return Map.groupBy(links, ({ profileId }) => profileId);
}

/** The whole list before and after; nothing when it is the same. */
export function scopesField(links: readonly LinkChange[]): FieldDifference[] {
  if (links.length === 0) return [];
  const after = links[0]!.present;
  const added = new Set(links.filter(({ isAdded }) => isAdded).map(({ accessScopeGuid }) => accessScopeGuid));
  const removed = links.filter(({ isAdded }) => !isAdded).map(({ accessScopeGuid }) => accessScopeGuid);
  const before = [...after.filter((guid) => !added.has(guid)), ...removed].sort();
  return [{ field: 'accessScopeGuids', before, after }];
}
