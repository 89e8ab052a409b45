/** What an undo may give or take asks the permission that the changes themselves would have asked. */
import type { Context, EntityManager } from '../../context.js';
import { describe } from '../../entities/description.js';
import { permitProfile, permitScopeLinks, permitType, permitUser } from '../adminScopes/guard.js';
import { execute } from '../sql/execute.js';
import type { Undone } from './undone.js';

/** Throws FORBIDDEN where an administration scope is concerned, as things are at the call. */
export async function permitRestoring(em: EntityManager, context: Context, undone: readonly Undone[]): Promise<void> {
  const scopeIds = valuesOf<number>(undone, ['access_scopes', 'profile_access_scopes'], 'access_scope_id');
  const typeIds = valuesOf<number>(undone, ['access_scope_types'], 'access_scope_type_id');
  const ofTypes = await execute<{ id: number }>(
    em,
    'select access_scope_id as id from access_scopes where access_scope_type_id = any($1::int[])',
    [typeIds],
  );
  await permitScopeLinks(em, context, [...scopeIds, ...ofTypes.map(({ id }) => id)]);
  for (const { record, key, before, after } of undone)
    if (describe(record).table === 'access_scope_types')
      permitType(context, key, before?.name as string | undefined, after?.name as string | undefined);
  const profileIds = valuesOf<string>(undone, ['profiles', 'profile_access_scopes', 'user_profiles'], 'profile_id');
  for (const profileId of profileIds) await permitProfile(em, context, profileId);
  for (const userId of valuesOf<number>(undone, ['users'], 'user_id')) await permitUser(em, context, userId);
}

function valuesOf<Value>(undone: readonly Undone[], tables: readonly string[], column: string): Value[] {
  const concerned = undone.filter(({ record }) => tables.includes(describe(record).table));
  const values = concerned.flatMap(({ before, after }) => [before?.[column], after?.[column]]);
  return [...new Set(values.filter((value) => value !== undefined))] as Value[];
}
