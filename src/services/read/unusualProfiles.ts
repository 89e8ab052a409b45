/** Finds profiles that few colleagues hold, as hints for a review. */
import type { Context } from '../../context.js';
import { lasts } from '../grants.js';

/** Departments with fewer people have no usual profiles. */
const departmentMin = 20;
/** A profile is unusual in a department of which fewer than this share hold it. */
const unusualShare = 0.05;

const heldProfiles = `select user_id, profile_id from user_profiles link where ${lasts('link')}`;

/** The rule in words, for descriptions. */
export const unusualRule = `fewer than ${unusualShare * 100} % of the people of the user's department hold it; departments with fewer than ${departmentMin} people are left out`;

/** SQL: the departments and profiles of that rule, with the number of holders and of people. @param condition may name u */
const unusual = (condition: string): string => `
  select department, profile_id, count(distinct held.user_id)::int as holders, min(size.people)::int as people
  from (select department, count(*) as people from users u
    where department is not null and ${condition} group by department having count(*) >= ${departmentMin}) size
  join users colleague using (department) join (${heldProfiles}) held on held.user_id = colleague.user_id
  group by department, profile_id having count(distinct held.user_id) < ${unusualShare} * min(size.people)`;

/** SQL: all departments with the profiles that are unusual in them. */
export const unusualInDepartments = unusual('true');

/** SQL: the ids of the users who hold such a profile. */
export const usersWithUnusualProfiles = `
  select held.user_id from users holder join (${heldProfiles}) held on held.user_id = holder.user_id
  join (${unusual('true')}) unusual on unusual.department = holder.department and unusual.profile_id = held.profile_id`;

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
    `select distinct holder.user_id as "userId", held.profile_id as "profileId", unusual.holders, unusual.people as colleagues
     from users holder join (${heldProfiles}) held on held.user_id = holder.user_id
     join (${unusual('department in (select department from users where user_id = any($1::int[]))')}) unusual
       on unusual.department = holder.department and unusual.profile_id = held.profile_id
     where holder.user_id = any($1::int[]) order by unusual.holders, held.profile_id`,
    [[...userIds]],
  );
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return userIds.map((userId) => byUser.get(userId) ?? []);
}
