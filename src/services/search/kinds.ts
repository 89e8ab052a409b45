/** What a search finds: of each kind of record which columns have its words, and what it is called. */
import type { Permission } from '../../auth/caller.js';

export const searchKinds = [
  'APPLICATION',
  'USER',
  'PROFILE',
  'ACCESS_SCOPE',
  'ACCESS_SCOPE_TYPE',
  'ROLE',
  'CLIENT',
  'CHANGE_SET',
] as const;
export type SearchKind = (typeof searchKinds)[number];

export interface Searched {
  kind: SearchKind;
  permission: Permission;
  table: string;
  /** Columns with words; absent: found by guid or trace id alone. */
  words?: readonly string[];
  /** Whether the migration indexed them; the others are few. */
  isIndexed?: boolean;
  /** SQL of the id, the label and the hint. */
  id: string;
  label: string;
  hint: string;
  /** The column that is a guid, where there is one. */
  guid?: string;
  /** The column with trace ids. */
  traceId?: string;
}

const read = 'admin:read';

export const searched: readonly Searched[] = [
  {
    kind: 'APPLICATION',
    permission: read,
    table: 'applications',
    words: ['name'],
    isIndexed: true,
    id: 'application_guid',
    label: 'name',
    hint: 'app_type',
    guid: 'application_guid',
  },
  {
    kind: 'USER',
    permission: read,
    table: 'users',
    words: ['first_name', 'last_name', 'email', 'idpid'],
    isIndexed: true,
    id: 'user_guid',
    label: "coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email, user_guid::text)",
    hint: 'email',
    guid: 'user_guid',
  },
  {
    kind: 'PROFILE',
    permission: read,
    table: 'profiles',
    words: ['name', 'profile_id'],
    isIndexed: true,
    id: 'profile_id',
    label: 'name',
    hint: 'profile_id',
  },
  {
    kind: 'ACCESS_SCOPE',
    permission: read,
    table: 'access_scopes',
    words: ['name', 'access_scope_key'],
    isIndexed: true,
    id: 'access_scope_guid',
    label: 'name',
    hint: 'access_scope_key',
    guid: 'access_scope_guid',
  },
  {
    kind: 'ACCESS_SCOPE_TYPE',
    permission: read,
    table: 'access_scope_types',
    words: ['name'],
    id: 'access_scope_type_guid',
    label: 'name',
    hint: 'null',
    guid: 'access_scope_type_guid',
  },
  {
    kind: 'ROLE',
    permission: read,
    table: 'roles',
    words: ['name', 'role_id'],
    id: 'role_id',
    label: 'name',
    hint: 'role_id',
  },
  {
    kind: 'CLIENT',
    permission: 'admin:security',
    table: 'clients',
    words: ['name', 'client_id'],
    isIndexed: true,
    id: 'client_id',
    label: 'name',
    hint: 'client_id',
  },
  {
    kind: 'CHANGE_SET',
    permission: 'admin:security',
    table: 'change_sets',
    id: 'change_set_guid',
    label: "to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')",
    hint: 'coalesce(note, face)',
    guid: 'change_set_guid',
    traceId: 'trace_id',
  },
];
