/**
 * No escalation: whatever could give somebody an administration scope changes only with `admin:security`. That is the
 * reserved type `admin`, the scopes that ADMIN_READ_SCOPES and ADMIN_WRITE_SCOPES name, the links of both to profiles,
 * the links of users to such profiles, and the identity of the users who hold them. Over the console it also needs a fresh
 * sign-in (REAUTHENTICATE).
 */
import type { Context, EntityManager } from '../../context.js';
import { permit, requireFreshSignIn } from '../permit.js';
import { type ScopeParts, scopeEntry, scopeEntryColumn, scopesAndTypes } from '../scopeEntry.js';
import { execute } from '../sql/execute.js';
import { reservedTypeGuid } from './reserved.js';

/** An access scope, by what says whether it grants administration. */
export interface GuardedScope extends ScopeParts {
  accessScopeTypeGuid: string;
}

function permitPower(context: Context): void {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
}

/** Entries that grant administration beside those of the type `admin`. */
export const legacyScopes = ({ config }: Context): string[] => [...config.adminReadScopes, ...config.adminWriteScopes];

/** Asks for `admin:security` when an access scope grants administration, as it is or as it will be. */
export function permitScope(context: Context, ...states: (GuardedScope | undefined)[]): void {
  for (const scope of states) {
    if (!scope) continue;
    const entry = scopeEntry(scope);
    const isNamed = entry !== undefined && legacyScopes(context).includes(entry);
    if (scope.accessScopeTypeGuid === reservedTypeGuid || isNamed) permitPower(context);
  }
}

/** Asks for it when a type is the reserved one, or bears or will bear a name before the colon of an administration scope. */
export function permitType(
  context: Context,
  accessScopeTypeGuid: string | undefined,
  ...names: (string | undefined)[]
): void {
  const prefixes = legacyScopes(context).map((scope) => scope.slice(0, scope.indexOf(':')));
  if (accessScopeTypeGuid === reservedTypeGuid || names.some((name) => name !== undefined && prefixes.includes(name)))
    permitPower(context);
}

/** SQL: whether the access scope `scope` of the type `type` grants administration. @param legacy SQL of `legacyScopes` */
export const administers = (legacy: string): string =>
  `(type.access_scope_type_guid = '${reservedTypeGuid}' or ${scopeEntryColumn} = any(${legacy}::text[]))`;
const links = `profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)`;

async function ask(em: EntityManager, context: Context, condition: string, values: unknown): Promise<void> {
  const found = await execute(em, `select 1 from ${condition} and ${administers('$2')} limit 1`, [
    values,
    legacyScopes(context),
  ]);
  if (found.length > 0) permitPower(context);
}

/** Asks for it when one of the access scopes grants administration: it is linked to a profile, or no longer. */
export const permitScopeLinks = (
  em: EntityManager,
  context: Context,
  accessScopeIds: readonly number[],
): Promise<void> => ask(em, context, `${scopesAndTypes} where scope.access_scope_id = any($1::int[])`, accessScopeIds);

/** Asks for it when the profile has an administration scope: its links to users and scopes change. */
export const permitProfile = (em: EntityManager, context: Context, profileId: string): Promise<void> =>
  ask(em, context, `${links} where has.profile_id = $1`, profileId);

/** Asks for it when the user holds a profile with an administration scope: who signs in as this user administers. */
export const permitUser = (em: EntityManager, context: Context, userId: number): Promise<void> =>
  ask(
    em,
    context,
    `${links} join user_profiles link on link.profile_id = has.profile_id where link.user_id = $1`,
    userId,
  );
