/** A whole service with what tests of the administration over REST need: callers, calls, and records to list. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/sql.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { openCallers } from '../support/callers.js';
import { insert, newApplication as newApplicationIn } from '../support/records.js';

interface CallOptions {
  /** Sent as JSON, unless it is text or bytes already. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Of the caller's token; null sends none. */
  scopes?: string[] | null;
}

export interface RestApp extends TestApp {
  /** Guid of the user in the callers' tokens, who exists. */
  caller: string;
  token(scopes: string[]): string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  sql: Sql;
}

export async function startRestApp(settings: Record<string, string> = {}): Promise<RestApp> {
  const app = await startTestApp(settings);
  const { dependencies } = app.running;
  const caller = randomUUID();
  await insert(dependencies.sql, 'users', { user_guid: caller, first_name: 'Grace', created_by: caller });
  const tokenOf = await openCallers(app.context);
  const token = (scopes: string[]) => tokenOf({ userGuid: caller, profileId: 'p', roleId: 'r', scopes });
  const call = async (
    method: string,
    path: string,
    { body, headers = {}, scopes = ['admin:write'] }: CallOptions = {},
  ) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: {
        'api-version': '1.0',
        ...(scopes && { authorization: `Bearer ${token(scopes)}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    return readAnswer(response);
  };
  return { ...app, caller, token, call, sql: dependencies.sql };
}

/** The smallest right create request. */
export const newApplicationBody = (more: object = {}) => ({
  name: 'Gate',
  iconDefault: 'icon.svg',
  iconHover: 'hover.svg',
  appType: 'web',
  renderingMode: 'tile',
  linkType: 'internal',
  ...more,
});

export const system = '00000000-0000-0000-0000-000000000001';

export const newApplication = (sql: Sql, more: object = {}) => newApplicationIn({ sql }, { name: 'Gate', ...more });

/** That many applications, each with active mappings to the scopes. */
export async function newApplications(sql: Sql, count: number, scopes: readonly string[] = []): Promise<void> {
  await sql.rows(
    `with made as (insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
       select 'A' || i, 'i', 'h', 'web', 'tile', 'internal', $1 from generate_series(1, $2::integer) i returning application_id)
     insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
     select application_id, access_scope_id, $1 from made, access_scopes where access_scope_guid = any($3::uuid[])`,
    [system, count, scopes],
  );
}

/** `count` access scopes of one new type; gives their guids in the order of their numbers. */
export async function newScopes(sql: Sql, count: number): Promise<string[]> {
  const type = await insert<{ access_scope_type_id: number }>(sql, 'access_scope_types', {
    name: `type-${randomUUID()}`,
    created_by: system,
  });
  const rows = await sql.rows<{ guid: string }>(
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 'Scope ' || i, 'key-' || i, $1, $2 from generate_series(1, $3::integer) i returning access_scope_guid guid`,
    [type.access_scope_type_id, system, count],
  );
  return rows.map(({ guid }) => guid);
}

export async function newMapping(
  sql: Sql,
  applicationId: number,
  accessScopeGuid: string,
  more: object = {},
): Promise<number> {
  const [row] = await sql.rows<{ access_scope_id: number }>(
    'select access_scope_id from access_scopes where access_scope_guid = $1',
    [accessScopeGuid],
  );
  const mapping = await insert<{ access_scope_applications_mapper_id: number }>(
    sql,
    'access_scope_applications_mappers',
    {
      application_id: applicationId,
      access_scope_id: row!.access_scope_id,
      created_by: system,
      ...more,
    },
  );
  return mapping.access_scope_applications_mapper_id;
}
