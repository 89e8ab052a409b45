/** Finds profiles that few colleagues hold, as hints for a review. */
import type { Context } from '../../context.js';
import { lasts } from '../access/grants.js';

/** Departments with fewer people have no usual profiles. */
const departmentMin = 20;
/** A profile is unusual in a department of which fewer than this share hold it. */
const unusualShare = 0.05;

/** The rule in words, for descriptions. */
export const unusualRule = `fewer than ${unusualShare * 100} % of the people of the user's department hold it; departments with fewer than ${departmentMin} people are left out`;

/**
 * SQL: the departments and profiles of that rule, with the ids of the holders and the number of people.
 * @param condition of the people u @param grants of the grants link: those of other profiles are left out
 */
const unusual = (condition: string, grants = 'true'): string => `
  select department, profile_id, user_ids, people
  from (select department, profile_id, array_agg(user_id) as user_ids
    from (select distinct user_id, profile_id from user_profiles link where ${lasts('link')} and ${grants}) holder join users u using (user_id)
    where ${condition} group by department, profile_id) held
  join (select department, count(*)::int as people from users u
    where ${condition} group by department having count(*) >= ${departmentMin}) size using (department)
  where cardinality(user_ids) < ${unusualShare} * people`;

/** SQL: all departments with the profiles that are unusual in them. */
export const unusualInDepartments = unusual('true');

/** SQL: the ids of the users who hold such a profile. */
export const usersWithUnusualProfiles = `select unnest(user_ids) from (${unusual('true')}) unusual`;

interface UnusualProfile {
  profileId: string;
  /** People of the department who hold it. */
  holders: number;
  /** People of the department. */
  colleagues: number;
}

/** The unusual profiles of each user, rarest first. */
export async function listUnusualProfiles(
  { reads }: Pick<Context, 'reads'>,
  userIds: readonly number[],
): Promise<UnusualProfile[][]> {
  const rows = await reads.rows<UnusualProfile & { userId: number }>(
    `select user_id as "userId", profile_id as "profileId", cardinality(user_ids) as holders, people as colleagues
     from (${unusual(
       'department in (select department from users where user_id = any($1::int[]))',
       'profile_id in (select profile_id from user_profiles where user_id = any($1::int[]))',
     )}) unusual, unnest(user_ids) user_id
     where user_id = any($1::int[]) order by holders, profile_id`,
    [[...userIds]],
  );
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return userIds.map((userId) => byUser.get(userId) ?? []);
}
