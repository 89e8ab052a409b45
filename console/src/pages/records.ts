/** The records of pages that show one of them, as these read them. */
import type {
  ApplicationPageQuery,
  ClientPageQuery,
  ProfilePageQuery,
  UserPageQuery,
} from '../operations/generated/graph';

export type ApplicationRecord = NonNullable<ApplicationPageQuery['application']>;
export type ClientRecord = NonNullable<ClientPageQuery['client']>;
export type ClientUsage = Pick<ClientPageQuery, 'usage' | 'usageCount'>;
export type ProfileRecord = NonNullable<ProfilePageQuery['profile']>;
export type UserRecord = NonNullable<UserPageQuery['user']>;
