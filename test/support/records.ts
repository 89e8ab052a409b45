/** Makers of records for tests: each makes what it needs, and says what it made. */
import { randomUUID } from 'node:crypto';
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import type { Context } from '../../src/context.js';
import { reservedScopeKeys } from '../../src/services/adminScopes/reservedNames.js';
import { guidOfHash } from '../../src/services/tokens/renewalToken.js';
import type { Sql } from '../../src/sql.js';

export const systemUser = '00000000-0000-0000-0000-000000000001';

/** Inserts a row; gives it as stored. */
export async function insert<Row extends object>(
  sql: Sql,
  table: string,
  values: Record<string, unknown>,
): Promise<Row> {
  const columns = Object.keys(values);
  const [row] = await sql.rows<Row>(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
    Object.values(values),
  );
  return row!;
}

export async function newClient(
  { sql, secrets }: Context,
  secret = 'client-secret',
  more: object = {},
): Promise<{ clientId: string; clientSecret: string }> {
  const clientId = `client-${randomUUID()}`;
  await insert(sql, 'clients', {
    client_id: clientId,
    client_secret: await secrets.hash(secret),
    name: 'Client',
    ...more,
  });
  return { clientId, clientSecret: secret };
}

/** A user of the test's issuer whose `sub` is the user's guid. */
export const newUser = ({ sql }: Context, more: object = {}): Promise<{ user_id: number; user_guid: string }> =>
  insert(sql, 'users', {
    user_guid: randomUUID(),
    first_name: 'Ada',
    idpname: 'guids',
    created_by: systemUser,
    ...more,
  });

export async function newRole({ sql }: Context, roleId = `role-${randomUUID().slice(0, 8)}`): Promise<string> {
  await sql.rows('insert into roles (role_id, name, created_by) values ($1, $1, $2) on conflict do nothing', [
    roleId,
    systemUser,
  ]);
  return roleId;
}

export async function newProfile({ sql }: Context, profileId = `profile-${randomUUID().slice(0, 8)}`): Promise<string> {
  await insert(sql, 'profiles', { profile_id: profileId, name: profileId, created_by: systemUser });
  return profileId;
}

export async function linkProfile(context: Context, userId: number, profileId: string, roleId: string): Promise<void> {
  await newRole(context, roleId);
  await insert(context.sql, 'user_profiles', {
    user_id: userId,
    profile_id: profileId,
    role_id: roleId,
    created_by: systemUser,
  });
}

/** An active application. */
export const newApplication = (
  { sql }: Pick<Context, 'sql'>,
  more: object = {},
): Promise<{ application_id: number; application_guid: string }> =>
  insert(sql, 'applications', {
    name: 'Portal',
    icon_default: 'i',
    icon_hover: 'h',
    app_type: 'web',
    rendering_mode: 'tile',
    link_type: 'internal',
    created_by: systemUser,
    ...more,
  });

export async function newScopeType({ sql }: Context, name = `type-${randomUUID().slice(0, 8)}`): Promise<number> {
  const row = await insert<{ access_scope_type_id: number }>(sql, 'access_scope_types', {
    name,
    created_by: systemUser,
  });
  return row.access_scope_type_id;
}

/** An access scope that the profile has. */
export async function newScope(
  { sql }: Context,
  typeId: number,
  profileId: string | undefined,
  more: object,
): Promise<{ access_scope_id: number; access_scope_guid: string }> {
  const scope = await insert<{ access_scope_id: number; access_scope_guid: string }>(sql, 'access_scopes', {
    name: 'Scope',
    access_scope_type_id: typeId,
    created_by: systemUser,
    ...more,
  });
  if (profileId)
    await insert(sql, 'profile_access_scopes', {
      profile_id: profileId,
      access_scope_id: scope.access_scope_id,
      created_by: systemUser,
    });
  return scope;
}

/** Gives the profile these access scopes of the administration; without any, all of them. */
export function letAdminister({ rows }: Pick<Sql, 'rows'>, profileId: string, ...keys: string[]): Promise<unknown> {
  const guids = [...reservedScopeKeys].flatMap(([guid, key]) => (keys.length === 0 || keys.includes(key) ? guid : []));
  return rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select $1, access_scope_id, $2 from access_scopes where access_scope_guid = any($3::uuid[])`,
    [profileId, systemUser, guids],
  );
}

/** A user who holds a new profile in the role `member`. */
export async function newHolder(
  context: Context,
  more: object = {},
): Promise<{ userGuid: string; userId: number; profileId: string }> {
  const user = await newUser(context, more);
  const profileId = await newProfile(context);
  await linkProfile(context, user.user_id, profileId, 'member');
  return { userGuid: user.user_guid, userId: user.user_id, profileId };
}

/** The values of the record that an import makes for another system's token. */
export function importedToken(text: string): { token_guid: string; token: Buffer } {
  const token = renewalTokenHash(text);
  return { token_guid: guidOfHash(token), token };
}
