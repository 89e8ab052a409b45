/** Lists of the console that are records found by the record's own filter, and what is said of any list. */
import type { Permission } from '../../../auth/caller.js';
import type { Context } from '../../../context.js';
import { AccessScope } from '../../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../../entities/Application.js';
import { Client } from '../../../entities/Client.js';
import type { RecordClass } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { ProfileAccessScope } from '../../../entities/ProfileAccessScope.js';
import { Role } from '../../../entities/Role.js';
import { User } from '../../../entities/User.js';
import { UserProfile } from '../../../entities/UserProfile.js';
import type { CsvValue } from '../../../services/csvLine.js';
import type { RecordFilter, RecordOrder } from '../../../services/read/graphInputs.js';
import type { Condition } from '../../../services/read/readPages.js';
import type { Statement } from '../../../services/read/select.js';
import { timeText } from '../../../sql.js';

/** What the list was asked for, as the graph has read it. */
export interface ExportWish {
  filter: RecordFilter | null;
  orderBy: readonly RecordOrder[];
  /** Ids of what it is about, such as the review. */
  of: Readonly<Record<string, string>>;
}

export interface RecordList {
  record: RecordClass;
  /** SQL by the heading of the column. @param open SQL of the states in which a mapping opens */
  columns: (open: string) => Readonly<Record<string, string>>;
  /** The type of its filter in the graph; absent: that of the record. */
  filterType?: string;
  /** Which rows of the record it has, in place of what the record's own filter says. Throws BAD_USER_INPUT, NOT_FOUND. */
  find?: (context: Context, wish: ExportWish) => Promise<Found>;
  /** SQL of a relation `cell` for each row `r`: the list has a line for each of its rows. Throws BAD_USER_INPUT. */
  cells?: (statement: Statement, wish: ExportWish) => string;
  /** Adds what is computed of many rows at once. */
  complete?: (context: Context, rows: Record<string, CsvValue>[]) => Promise<void>;
}

/** A list whose rows are no records. */
interface PlainList {
  readWith: Permission;
  headings: readonly string[];
  /** One statement, whose column `#` is the number of all rows. Throws BAD_USER_INPUT. */
  select: (context: Context, wish: ExportWish) => { text: string; values: readonly unknown[] };
}

export type List = RecordList | PlainList;

export interface Found {
  condition: Condition;
  /** SQL of further columns of `r`, before the others. */
  columns?: (statement: Statement) => Readonly<Record<string, string>>;
}

/** SQL: values of other rows in one cell, each once for each row. */
const joined = (value: string, from: string): string =>
  `(select string_agg(${value}, '; ' order by ${value}) from ${from})`;
const countOf = (from: string): string => `(select count(*) from ${from})`;
const own = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(
    columns.map((name) => [name, `r.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`]),
  );
const times = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(own(...columns)).map(([name, sql]) => [name, timeText(sql)]));
const stamps = { ...own('managedBy'), ...times('createdDate', 'modifiedDate') };

/** A mapping, and the application that it opens. */
const mapped = (record: RecordClass, more: Record<string, string>): RecordList => ({
  record,
  columns: () => {
    const ofApplication = (column: string) =>
      `(select a.${column} from applications a where a.application_id = r.application_id)`;
    return {
      application: ofApplication('name'),
      applicationGuid: ofApplication('application_guid'),
      isActive: ofApplication('is_active'),
      ...own('state'),
      ...more,
      ...stamps,
    };
  },
});
const ofScope = (column: string): string =>
  `(select s.${column} from access_scopes s where s.access_scope_id = r.access_scope_id)`;

/** `r` is the row. */
export const recordLists: Readonly<Record<string, RecordList>> = {
  users: {
    record: User,
    columns: () => ({
      ...own('userGuid', 'firstName', 'lastName', 'email', 'jobTitle', 'department', 'isBlocked'),
      ...times('lastLoginDate'),
      profileCount: countOf('user_profiles link where link.user_id = r.user_id'),
      profiles: joined(
        `p.name || ' as ' || role.name || coalesce(' until ' || ${timeText('link.valid_until')}, '')`,
        'user_profiles link join profiles p using (profile_id) join roles role using (role_id) where link.user_id = r.user_id',
      ),
    }),
  },
  applications: {
    record: Application,
    columns: (open) => ({
      ...own('applicationGuid', 'name', 'description', 'appType', 'isActive', 'isRequestable', 'ownerProfileId'),
      ...stamps,
      accessScopes: joined(
        's.name',
        `access_scope_applications_mappers m join access_scopes s using (access_scope_id)
         where m.application_id = r.application_id and m.state = any(${open})`,
      ),
      accessScopeTypes: joined(
        't.name',
        `access_scope_type_applications_mappers m join access_scope_types t using (access_scope_type_id)
         where m.application_id = r.application_id and m.state = any(${open})`,
      ),
    }),
  },
  accessScopes: {
    record: AccessScope,
    columns: (open) => ({
      ...own('accessScopeGuid', 'name', 'accessScopeKey', 'concreteId', 'isWildcard', 'isActive'),
      accessScopeType:
        '(select t.name from access_scope_types t where t.access_scope_type_id = r.access_scope_type_id)',
      ...stamps,
      applicationCount: countOf(
        `access_scope_applications_mappers m where m.access_scope_id = r.access_scope_id and m.state = any(${open})`,
      ),
      profiles: joined(
        'p.name',
        'profile_access_scopes has join profiles p using (profile_id) where has.access_scope_id = r.access_scope_id',
      ),
    }),
  },
  accessScopeTypes: {
    record: AccessScopeType,
    columns: (open) => ({
      ...own('accessScopeTypeGuid', 'name', 'description', 'isActive'),
      ...stamps,
      accessScopeCount: countOf('access_scopes s where s.access_scope_type_id = r.access_scope_type_id'),
      applicationCount: countOf(
        `access_scope_type_applications_mappers m
         where m.access_scope_type_id = r.access_scope_type_id and m.state = any(${open})`,
      ),
    }),
  },
  profiles: {
    record: Profile,
    columns: () => ({
      ...own('profileId', 'name', 'description', 'ownerProfileId'),
      ...stamps,
      grantCount: countOf('user_profiles link where link.profile_id = r.profile_id'),
      accessScopes: joined(
        `s.name || coalesce(' until ' || ${timeText('has.valid_until')}, '')`,
        'profile_access_scopes has join access_scopes s using (access_scope_id) where has.profile_id = r.profile_id',
      ),
    }),
  },
  roles: {
    record: Role,
    columns: () => ({
      ...own('roleId', 'name', 'description'),
      ...stamps,
      grantCount: countOf('user_profiles link where link.role_id = r.role_id'),
    }),
  },
  userProfiles: {
    record: UserProfile,
    columns: () => {
      const ofUser = (column: string) => `(select u.${column} from users u where u.user_id = r.user_id)`;
      return {
        firstName: ofUser('first_name'),
        lastName: ofUser('last_name'),
        email: ofUser('email'),
        department: ofUser('department'),
        isBlocked: ofUser('is_blocked'),
        userGuid: ofUser('user_guid'),
        profile: '(select p.name from profiles p where p.profile_id = r.profile_id)',
        ...own('profileId'),
        role: '(select role.name from roles role where role.role_id = r.role_id)',
        ...own('roleId', 'managedBy'),
        ...times('createdDate', 'validUntil'),
        lastUsed: `to_char(r.last_used_at at time zone 'UTC', 'YYYY-MM-DD')`,
      };
    },
  },
  accessScopeApplicationsMappers: mapped(AccessScopeApplicationsMapper, {
    accessScope: ofScope('name'),
    accessScopeGuid: ofScope('access_scope_guid'),
    ...own('individualExternalLink'),
  }),
  accessScopeTypeApplicationsMappers: mapped(AccessScopeTypeApplicationsMapper, {
    accessScopeType: '(select t.name from access_scope_types t where t.access_scope_type_id = r.access_scope_type_id)',
  }),
  profileAccessScopes: {
    record: ProfileAccessScope,
    columns: () => ({
      profile: '(select p.name from profiles p where p.profile_id = r.profile_id)',
      ...own('profileId'),
      accessScope: ofScope('name'),
      accessScopeGuid: ofScope('access_scope_guid'),
      accessScopeKey: ofScope('access_scope_key'),
      isActive: ofScope('is_active'),
      accessScopeType: `(select t.name from access_scopes s join access_scope_types t using (access_scope_type_id)
        where s.access_scope_id = r.access_scope_id)`,
      ...times('createdDate', 'validUntil'),
    }),
  },
  clients: {
    record: Client,
    columns: () => ({
      ...own('clientId', 'name', 'description', 'isActive'),
      ...times('createdAt', 'secretLastUsedAt', 'keysLastUsedAt', 'previousSecretEndsAt'),
    }),
  },
};
