/** Owners: the holders of the profile that owns an application or a profile may decide about changes that concern only it. */
import type { Permission } from '../../../auth/caller.js';
import type { Context } from '../../../context.js';
import { lasts } from '../../../services/access/grants.js';
import { heldRole, heldScopes } from '../../../services/access/held.js';
import { actorOf } from '../../../services/permit.js';
import { kindNamed, readChange } from '../../changes/kinds/all.js';
import { distinct } from '../../changes/words.js';

/** Guids of the applications and ids of the profiles that the changes of a proposal concern. */
interface Subjects {
  applications: string[];
  profiles: string[];
}

/** Null unless an owner may decide about each of the changes. */
export function subjectsOf(changes: readonly object[]): Subjects | null {
  const owned = changes.map(readChange).map(({ name, value }) => kindNamed(name).ownedBy?.(value));
  const subjects = owned.filter((subject) => subject !== undefined);
  if (subjects.length < owned.length) return null;
  return {
    applications: distinct(subjects.flatMap(({ application }) => application ?? [])),
    profiles: distinct(subjects.flatMap(({ profile }) => profile ?? [])),
  };
}

const holds = (person: string, owner: string): string =>
  `exists (select from users u where u.user_guid = ${person} and not u.is_blocked and ${heldRole('u.user_id', owner)} is not null)`;

/** SQL: whether each subject of a proposal now has an owner that meets the condition. */
const isOwned = (alias: string, condition: (owner: string) => string): string => `(${alias}.subjects is not null
  and not exists (
    select from jsonb_array_elements_text(${alias}.subjects->'applications') subject (guid)
    where not exists (
      select from applications a where a.application_guid = subject.guid::uuid and a.owner_profile_id is not null
        and ${condition('a.owner_profile_id')}))
  and not exists (
    select from jsonb_array_elements_text(${alias}.subjects->'profiles') subject (id)
    where not exists (
      select from profiles owned where owned.profile_id = subject.id and owned.owner_profile_id is not null
        and ${condition('owned.owner_profile_id')})))`;

/** SQL: whether the person now owns each subject of a proposal. Nobody owns a record without an owner. */
export const ownedBy = (alias: string, person: string): string => isOwned(alias, (owner) => holds(person, owner));

/**
 * Whether the person may approve the proposal by what the database says now: by a profile, or as the owner of all subjects. False
 * for a person whose permission is only in an operator's token.
 */
export async function hasRight(
  { sql, config }: Context,
  { proposalGuid, permission }: { proposalGuid: string; permission: Permission },
  person: string,
): Promise<boolean> {
  const entries = permission === 'admin:write' ? [permission, ...config.adminWriteScopes] : [permission];
  const rows = await sql.rows(
    `select from proposals p where proposal_guid = $1::uuid and (
       permission = 'admin:write' and ${ownedBy('p', '$2::uuid')}
       or exists (
         select from users u join user_profiles link using (user_id)
         where u.user_guid = $2::uuid and not u.is_blocked and ${lasts('link')} and $3::text[] && ${heldScopes('link.profile_id')}))`,
    [proposalGuid, person, entries],
  );
  return rows.length > 0;
}

/** For each proposal: whether the caller owns all its subjects. */
export async function findOwned(context: Context, guids: readonly string[]): Promise<boolean[]> {
  const rows = await context.sql.rows<{ guid: string }>(
    `select proposal_guid::text as guid from proposals p
     where proposal_guid = any($1::uuid[]) and ${ownedBy('p', '$2::uuid')}`,
    [guids, actorOf(context)],
  );
  const owned = new Set(rows.map(({ guid }) => guid));
  return guids.map((guid) => owned.has(guid));
}

/** For each proposal: ids of the profiles that own its subjects; none if owners may not decide about it. */
export async function listOwners({ sql }: Context, guids: readonly string[]): Promise<string[][]> {
  const rows = await sql.rows<{ guid: string; ids: string[] }>(
    `select proposal_guid::text as guid, array(
       select a.owner_profile_id from applications a join profiles on profile_id = a.owner_profile_id
       where a.application_guid::text in (select jsonb_array_elements_text(p.subjects->'applications'))
       union select owned.owner_profile_id from profiles owned join profiles owner on owner.profile_id = owned.owner_profile_id
       where owned.profile_id in (select jsonb_array_elements_text(p.subjects->'profiles')) order by 1) as ids
     from proposals p where proposal_guid = any($1::uuid[]) and permission = 'admin:write' and ${isOwned('p', () => 'true')}`,
    [guids],
  );
  const ids = new Map(rows.map((row) => [row.guid, row.ids]));
  return guids.map((guid) => ids.get(guid) ?? []);
}
