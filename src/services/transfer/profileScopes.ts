/** The access scopes of the profiles of an import file: a list that is given is the whole of them. */
import { AccessScope } from '../../entities/AccessScope.js';
import { describe } from '../../entities/description.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import type { Author } from '../records/auditLog.js';
import { readGuid } from '../records/fieldInput.js';
import type { Faults } from './faults.js';
import { nameOf } from './fileLists.js';
import type { ImportRow } from './parseRows.js';
import { existenceCheck } from './references.js';
import { audited, batchesOf, type Query } from './statements.js';

/** The places of the guids in each row's list; rows without a list keep what their profiles have. */
export type ScopeLists = Map<ImportRow, Map<string, number>>;

interface ProfileScope {
  profileId: string;
  accessScopeGuid: string;
}

export interface ProfileScopesPlan {
  added: ProfileScope[];
  removed: ProfileScope[];
}

const link = describe(ProfileAccessScope);
const scope = describe(AccessScope);

export function readScopeLists(rows: ImportRow[], faults: Faults): ScopeLists {
  const lists: ScopeLists = new Map();
  for (const row of rows) {
    const given = row.extras.accessScopeGuids;
    const path = `${row.path}.accessScopeGuids`;
    if (Array.isArray(given)) lists.set(row, readGuids(given, path, faults));
    else if (given !== undefined) faults.add(path, 'must be an array of guids');
  }
  return lists;
}

function readGuids(given: unknown[], path: string, faults: Faults): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, value] of given.entries()) {
    const read = readGuid(value);
    const guid = 'value' in read ? String(read.value) : undefined;
    if ('problem' in read) faults.add(`${path}[${index}]`, read.problem);
    else if (places.has(guid!)) faults.add(`${path}[${index}]`, `is the same as [${places.get(guid!)}]`);
    else places.set(guid!, index);
  }
  return places;
}

/** Which links make the profiles have exactly what is listed. */
export async function planProfileScopes(
  query: Query,
  lists: ScopeLists,
  inFile: ReadonlyMap<string, unknown> | undefined,
  faults: Faults,
): Promise<ProfileScopesPlan> {
  const guids = new Set([...lists.values()].flatMap((places) => [...places.keys()]));
  const isKnown = await existenceCheck(query, scope, nameOf(scope)!, guids, inFile);
  for (const [row, places] of lists)
    for (const [guid, index] of places)
      if (!isKnown(guid))
        faults.add(
          `${row.path}.accessScopeGuids[${index}]`,
          'names no AccessScope, neither in the file nor in the database',
        );
  return compareLinks(lists, await readLinks(query, lists));
}

function readLinks(query: Query, lists: ScopeLists): Promise<ProfileScope[]> {
  return query(
    `select t.profile_id as "profileId", s.access_scope_guid as "accessScopeGuid"
     from ${link.table} t join ${scope.table} s using (access_scope_id) where t.profile_id = any($1)`,
    [[...lists.keys()].map(({ values }) => values.profileId ?? null)],
  );
}

function compareLinks(lists: ScopeLists, present: ProfileScope[]): ProfileScopesPlan {
  const name = ({ profileId, accessScopeGuid }: ProfileScope) => `${profileId}\0${accessScopeGuid}`;
  const listed = [...lists].flatMap(([{ values }, places]) =>
    [...places.keys()].map((accessScopeGuid) => ({ profileId: String(values.profileId), accessScopeGuid })),
  );
  const has = new Set(present.map(name));
  const keeps = new Set(listed.map(name));
  return {
    added: listed.filter((each) => !has.has(name(each))),
    removed: present.filter((each) => !keeps.has(name(each))),
  };
}

const given = `jsonb_to_recordset($1::jsonb) as x ("profileId" text, "accessScopeGuid" uuid)
  join ${scope.table} s on s.access_scope_guid = x."accessScopeGuid"`;
const linkScopes = audited(
  'create',
  { description: link },
  `insert into ${link.table} as t (profile_id, access_scope_id, created_by)
   select x."profileId", s.access_scope_id, $2::uuid from ${given}`,
  'null::jsonb',
);
const unlinkScopes = audited(
  'delete',
  { description: link },
  `delete from ${link.table} t using ${given}
   where t.profile_id = x."profileId" and t.access_scope_id = s.access_scope_id`,
  'null::jsonb',
);

/** After the profiles and access scopes themselves. */
export async function writeProfileScopes(
  query: Query,
  { added, removed }: ProfileScopesPlan,
  { actor, traceId }: Author,
): Promise<void> {
  for (const batch of batchesOf(removed)) await query(unlinkScopes, [JSON.stringify(batch), actor, traceId]);
  for (const batch of batchesOf(added)) await query(linkScopes, [JSON.stringify(batch), actor, traceId]);
}
