/**
 * No escalation: whatever could give somebody an administration scope changes only with `admin:security`. That is the
 * reserved type `admin`, the scopes that ADMIN_READ_SCOPES and ADMIN_WRITE_SCOPES name, the links of both to profiles,
 * the links of users to such profiles, and the identity of the users who hold them. Over the console it also needs a fresh
 * sign-in (REAUTHENTICATE). The entities say which records and fields are guarded, and `requirePower` asks at the end of every
 * change, whichever door it came by.
 */
import { managedBy } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { describe, describedRecords, type Guard, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { type ScopeParts, scopeEntry, scopeEntryColumn, scopesAndTypes } from '../access/scopeEntry.js';
import { execute, ownChangeSet } from '../execute.js';
import { permit, permitDirectly, requireFreshSignIn } from '../permit.js';

/** Guid of the access scope type `admin`. */
export const reservedTypeGuid = 'ad300000-0000-4000-8000-000000000000';

/** The fields of an access scope that decide whether it grants administration. */
export interface GuardedScope extends ScopeParts {
  accessScopeTypeGuid: string;
}

export function permitPower(context: Context): void {
  permit(context, 'admin:security');
  permitDirectly(context, 'admin:security');
  requireFreshSignIn(context);
}

/** Entries that grant administration in addition to those of the type `admin`. */
export const legacyScopes = ({ config }: Context): string[] => [...config.adminReadScopes, ...config.adminWriteScopes];

const typesOf = (entries: readonly string[]): string[] => entries.map((entry) => entry.slice(0, entry.indexOf(':')));

/** Requires `admin:security` when an access scope grants administration, as it is or as it will be. */
export function permitScope(context: Context, ...states: (GuardedScope | undefined)[]): void {
  for (const scope of states) {
    if (!scope) continue;
    const entry = scopeEntry(scope);
    const isNamed = entry !== undefined && legacyScopes(context).includes(entry);
    if (scope.accessScopeTypeGuid === reservedTypeGuid || isNamed) permitPower(context);
  }
}

/** Requires `admin:security` if the type is the reserved one, or if its old or new name is that of the type of an administration scope. */
export function permitType(
  context: Context,
  accessScopeTypeGuid: string | undefined,
  ...names: (string | undefined)[]
): void {
  const prefixes = typesOf(legacyScopes(context));
  if (accessScopeTypeGuid === reservedTypeGuid || names.some((name) => name !== undefined && prefixes.includes(name)))
    permitPower(context);
}

/** SQL: whether the access scope `scope` of the type `type` grants administration. @param legacy SQL of `legacyScopes` */
export const administers = (legacy: string): string =>
  `(type.access_scope_type_guid = '${reservedTypeGuid}' or ${scopeEntryColumn} = any(${legacy}::text[]))`;
const links = `profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)`;
/** SQL: the ids of the profiles that have administration scopes. @param legacy SQL of `legacyScopes` */
export const administeringProfiles = (legacy: string): string =>
  `select distinct has.profile_id from ${links} where ${administers(legacy)}`;

async function ask(em: EntityManager, context: Context, condition: string, values: unknown): Promise<void> {
  const administrators = await execute(em, `select 1 from ${condition} and ${administers('$2')} limit 1`, [
    values,
    legacyScopes(context),
  ]);
  if (administrators.length > 0) permitPower(context);
}

/** The names of the fields of a record that only `admin:security` changes, in every record or while it concerns administration. */
export const guardedNames = (record: RecordClass, guard?: Guard): string[] =>
  describe(record).fields.flatMap((field) =>
    field.guard !== undefined && (guard === undefined || field.guard === guard) ? field.name : [],
  );

const granting = '(select access_scope_id from granting)';
const administering = '(select profile_id from administering)';
const number = (side: string, column: string): string => `(${side}->>'${column}')::int`;
const eitherSide = (condition: (side: string) => string): string => `(${condition('before')} or ${condition('after')})`;

/**
 * SQL: whether a version of a guarded record concerns administration. $1 are `legacyScopes`, $2 the types that they name, $3 is
 * the `managedBy` of the connector that makes the change, $4 the SYSTEM_USER_GUID: tokens of commands are this user's, and a user
 * who is blocked or signs in as it would take them.
 */
const versionConcerns = new Map<RecordClass, string>([
  [
    AccessScopeType,
    eitherSide(
      (side) => `${side}->>'access_scope_type_guid' = '${reservedTypeGuid}' or ${side}->>'name' = any($2::text[])`,
    ),
  ],
  [
    AccessScope,
    `exists (select from (values (before), (after)) sides (side) cross join jsonb_populate_record(null::access_scopes, side) scope
       join access_scope_types type on type.access_scope_type_id = scope.access_scope_type_id where ${administers('$1')})`,
  ],
  [ProfileAccessScope, eitherSide((side) => `${number(side, 'access_scope_id')} in ${granting}`)],
  [
    UserProfile,
    // a connector takes back what it gave, and gives what administrators let it give
    `(${eitherSide((side) => `${side}->>'profile_id' in ${administering}`)} and ($3::text is null
       or not (after is null and before->>'managed_by' = $3 or exists (
         select from profiles p where p.profile_id = coalesce(after, before)->>'profile_id' and p.external_group_administers))))`,
  ],
]);

/** SQL: whether an audit event says that a guarded field was changed in a record that concerns administration. */
const eventConcerns = new Map<RecordClass, string>([
  [
    User,
    // a connector may block administrators
    `exists (select from users u where u.user_guid = subject_id::uuid
         and (u.user_guid = $4::text::uuid
           or exists (select from user_profiles link where link.user_id = u.user_id and link.profile_id in ${administering}))
         and ($3::text is null or not u.is_blocked or detail->'fields' ?| '{${guardedNames(User)
           .filter((name) => name !== 'isBlocked')
           .join(',')}}'))`,
  ],
  [
    Profile,
    `exists (select from profiles p where p.profile_id = subject_id
       and (p.external_group_administers or p.profile_id in ${administering}))`,
  ],
]);

/** SQL: whether the new record has another value in a field that is guarded in every record than the default. */
const startsGuarded = (record: RecordClass): string[] => {
  const { table, fields } = describe(record);
  const guarded = fields.filter(({ guard }) => guard === 'every');
  return guarded.map(
    ({ column, default: fallback = 'null' }) =>
      `record_table = '${table}' and before is null and after->>'${column}' is distinct from (${fallback})::text`,
  );
};

const isEvent = (record: RecordClass, guard: Guard): string =>
  `subject_type = '${describe(record).name}' and detail->'fields' ?| '{${guardedNames(record, guard).join(',')}}'`;

let made: string | undefined;
/** Made when the first change asks: all records are known then, because the ORM is made of them. */
function guardedChanges(): string {
  if (made !== undefined) return made;
  const records = describedRecords().filter((record) => !describe(record).isView);
  const partlyGuarded = records.filter((record) => guardedNames(record).length > 0);
  made = `with granting as materialized (
    select scope.access_scope_id from ${scopesAndTypes} where ${administers('$1')}),
  administering as materialized (select distinct profile_id from profile_access_scopes where access_scope_id in ${granting})
  select from record_versions where change_set_id = ${ownChangeSet} and (${[
    ...records
      .filter((record) => describe(record).isGuarded)
      .map((record) => `record_table = '${describe(record).table}' and ${required(versionConcerns, record)}`),
    ...partlyGuarded.flatMap(startsGuarded),
    `record_table = '${describe(User).table}' and before is null and after->>'user_guid' = $4::text`,
  ].join(' or ')})
  union all select from audit_events where change_set_id = ${ownChangeSet} and action = 'update' and (${partlyGuarded
    .flatMap((record) => [
      isEvent(record, 'every'),
      `${isEvent(record, 'administration')} and ${required(eventConcerns, record)}`,
    ])
    .join(' or ')})
  limit 1`;
  return made;
}

function required(rules: ReadonlyMap<RecordClass, string>, record: RecordClass): string {
  const rule = rules.get(record);
  if (rule === undefined) throw new Error(`nothing says when a ${record.name} concerns administration`);
  return rule;
}

/**
 * Requires `admin:security` if the transaction has changed what decides who administers, by whichever door: every change ends
 * with it. Which fields and records are guarded, their entities say. Some operations ask earlier, to name the place of the change.
 */
export async function requirePower(em: EntityManager, context: Context): Promise<void> {
  const refusal = findRefusal(context);
  if (!refusal) return;
  const { caller } = context;
  const connector = caller.kind === 'connector' ? managedBy(caller.connector) : null;
  const legacy = legacyScopes(context);
  const values = [legacy, typesOf(legacy), connector, context.config.systemUserGuid.toLowerCase()];
  const changes = await execute(em, guardedChanges(), values);
  if (changes.length > 0) throw refusal;
}

/** Why the caller may not change what is guarded; undefined if the caller may. */
function findRefusal(context: Context): unknown {
  try {
    permitPower(context);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Requires `admin:security` if one of the access scopes, which are linked to or unlinked from a profile, grants administration. */
export const permitScopeLinks = (
  em: EntityManager,
  context: Context,
  accessScopeIds: readonly number[],
): Promise<void> => ask(em, context, `${scopesAndTypes} where scope.access_scope_id = any($1::int[])`, accessScopeIds);

/** Requires `admin:security` if the profile, whose links to users or scopes change, has an administration scope. */
export const permitProfile = (em: EntityManager, context: Context, profileId: string): Promise<void> =>
  ask(em, context, `${links} where has.profile_id = $1`, profileId);

/** Requires `admin:security` if the user holds a profile with an administration scope. */
export const permitUser = (em: EntityManager, context: Context, userId: number): Promise<void> =>
  ask(
    em,
    context,
    `${links} join user_profiles link on link.profile_id = has.profile_id where link.user_id = $1`,
    userId,
  );
