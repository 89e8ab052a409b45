/** One user, one profile and two clients in a real database: what the model's operations do there, and what is stored then. */
import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import { decodeJwt } from 'jose';
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import type { Context } from '../../src/context.js';
import type { Sql } from '../../src/sql.js';
import type { TestApp } from '../support/app.js';
import { linkProfile, newProfile, newRole, newScope, newScopeType, newUser } from '../support/records.js';
import type { HeldToken, ModelState, Operation, Seen } from './modelOracle.js';

export interface Secret {
  clear: string;
  hash: string;
  /** Of another cost than the configured one. */
  otherHash: string;
}

export interface World {
  app: TestApp;
  context: Context;
  userId: number;
  userGuid: string;
  profileId: string;
  /** Where the user's link is while there is none to the profile. */
  otherProfileId: string;
  scopeId: number;
  clientIds: string[];
  secrets: readonly Secret[];
  idToken(): string;
}

export const roles = ['member', 'keeper'];
const scopeKey = 'door';
/** The first secret of each client. */
const firstSecrets = [0, 1];

export const makeSecrets = (count: number): Promise<Secret[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const clear = `secret ${number}`;
      return { clear, hash: await bcrypt.hash(clear, 4), otherHash: await bcrypt.hash(clear, 5) };
    }),
  );

/** A new world, and the model's state of it. */
export async function makeWorld(app: TestApp, secrets: readonly Secret[], isOtherCost: boolean, policy: string | null) {
  const { context } = app;
  const user = await newUser(context);
  const profileId = await newProfile(context);
  await linkProfile(context, user.user_id, profileId, roles[0]!);
  await newRole(context, roles[1]!);
  const scope = await newScope(context, await newScopeType(context, `type-${randomUUID()}`), profileId, {
    access_scope_key: scopeKey,
  });
  const clientIds = firstSecrets.map(() => `client-${randomUUID()}`);
  for (const [index, number] of firstSecrets.entries())
    await context.sql.rows('insert into clients (client_id, client_secret, name, policy) values ($1, $2, $1, $3)', [
      clientIds[index],
      isOtherCost ? secrets[number]!.otherHash : secrets[number]!.hash,
      index === 0 ? policy : null,
    ]);
  const world: World = {
    app,
    context,
    userId: user.user_id,
    userGuid: user.user_guid,
    profileId,
    otherProfileId: await newProfile(context),
    scopeId: scope.access_scope_id,
    clientIds,
    secrets,
    idToken: () => app.idToken({ sub: user.user_guid }),
  };
  const state: ModelState = {
    isHardened: context.config.tokenPolicy === 'hardened',
    isRehearsal: context.config.tokenPolicy === 'rehearsal',
    isBlocked: false,
    role: roles[0]!,
    hasScope: true,
    clients: firstSecrets.map((current, index) => ({
      isHardened: policy !== null && index === 0,
      isActive: true,
      current,
      previous: null,
    })),
    families: {},
    orphans: 0,
  };
  return { world, state };
}

/** The statement of a change, as an administrator's or the clock's. */
export async function change(world: World, sql: Sql, operation: Operation): Promise<void> {
  const run = (text: string, ...values: unknown[]) => sql.rows(text, values);
  switch (operation.kind) {
    case 'block':
      await run('update users set is_blocked = $2 where user_id = $1', world.userId, operation.isBlocked);
      return;
    case 'role':
      // one row, so that of two changes at the same moment the later one counts
      await run(
        `update user_profiles set role_id = coalesce($2, role_id), profile_id = case when $2::text is null then $3 else $4 end
         where user_id = $1`,
        world.userId,
        operation.role,
        world.otherProfileId,
        world.profileId,
      );
      return;
    case 'scope':
      await run(
        'update access_scopes set is_active = $2 where access_scope_id = $1',
        world.scopeId,
        operation.hasScope,
      );
      return;
    case 'expire':
      await run(`update tokens set expires_at = now() - interval '1 second' where token_guid = $1`, operation.guid);
      return;
    case 'activate':
      await run(
        'update clients set is_active = $2 where client_id = $1',
        world.clientIds[operation.client],
        operation.isActive,
      );
      return;
    case 'rotate': {
      const { hash, otherHash } = world.secrets[operation.secret]!;
      await run(
        `update clients set client_secret = $2, previous_secret = case when $3 then client_secret end,
           previous_secret_ends_at = case when $3 then now() + interval '1 hour' end where client_id = $1`,
        world.clientIds[operation.client],
        operation.isOtherCost ? otherHash : hash,
        operation.keepsPrevious,
      );
      return;
    }
    default:
      throw new Error(`no change: ${operation.kind}`);
  }
}

/** What the two tokens of an answer say. */
export function readIssued(accessToken: string, refreshToken: string): Seen {
  const access = decodeJwt(accessToken) as { roleId: string; scopes: string[] };
  const [guid, generation] = (decodeJwt(refreshToken).jti ?? '').split('.');
  const held: HeldToken = { token: refreshToken, guid: guid!, generation: Number(generation) };
  const hasScope = access.scopes.length === 1 && access.scopes[0]!.endsWith(`:${scopeKey}`);
  return { kind: 'issued', accessToken, role: access.roleId, hasScope, held };
}

interface StoredRecord {
  guid: string;
  generation: number;
  is_revoked: boolean;
  is_expired: boolean;
  is_whole: boolean;
  token: Buffer;
  client_id: string | null;
}

/** A function that says whether what is stored is what a state of the model says. */
export async function readStored({ context, userGuid, profileId, clientIds }: World) {
  const rows = await context.sql.rows<StoredRecord>(
    `select token_guid as guid, generation, is_revoked, expires_at <= now() as is_expired, token, client_id,
       is_revoked = (revoked_at is not null) and profile_id = $2 and token_type = 'refresh'
         and (expires_at <= now() or expires_at = created_at + interval '720 hours') as is_whole
     from tokens where user_id = $1`,
    [userGuid, profileId],
  );
  const isWhole = rows.every(({ is_whole }) => is_whole);
  return {
    rows,
    fits({ families, orphans }: ModelState): boolean {
      const known = rows.filter(({ guid }) => guid in families);
      if (!isWhole || known.length !== Object.keys(families).length || rows.length - known.length !== orphans)
        return false;
      return known.every((row) => {
        const { token, generation, isRevoked, isExpired, boundTo } = families[row.guid]!;
        const client = row.client_id === null ? null : clientIds.indexOf(row.client_id);
        return (
          row.generation === generation &&
          row.is_revoked === isRevoked &&
          row.is_expired === isExpired &&
          (token === undefined || row.token.equals(renewalTokenHash(token))) &&
          client === boundTo
        );
      });
    },
  };
}
