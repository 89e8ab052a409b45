/** What differs between the tables before and after a change set: in what is opened, issued and held. */
import type { Context } from '../../context.js';
import { inState } from '../history/state.js';
import { openings } from '../portal/openedApplications.js';
import { heldEntries, heldRole } from '../tokens/claims.js';
import type { Moment } from './moment.js';
import type { Touched } from './touched.js';

/** A profile, and the application, the entry of its scopes or the user that it has on one side alone. */
export interface DiffItem {
  profileId: string;
  applicationId?: number;
  scope?: string;
  userId?: number;
}

export interface Side {
  /** How many applications, entries or users there are, each once. */
  count: number;
  profileIds: string[];
  /** Of holdings alone: all of them. */
  userIds: number[];
  items: DiffItem[];
}
export type Sides = Record<'gains' | 'loses', Side>;

const nothing = (): Sides => ({
  gains: { count: 0, profileIds: [], userIds: [], items: [] },
  loses: { count: 0, profileIds: [], userIds: [], items: [] },
});

/**
 * SQL: both sides of a relation of `profile_id` and `value`, each state of it read once.
 * @param of the relation in a state @param first SQL of the most items
 */
const diff = ({ before, after }: Moment, of: string, first: string): string => {
  const side = (condition: string) => `(
    select jsonb_build_object('count', count(distinct value),
      'profileIds', coalesce(jsonb_agg(distinct profile_id), '[]'),
      'items', (select coalesce(jsonb_agg(jsonb_build_array(profile_id, value)), '[]')
        from (select profile_id, value from differences where ${condition}
          order by value, profile_id collate "C" limit ${first}) listed))
    from differences where ${condition})`;
  return `with differences as materialized (
      select profile_id, value, bool_or(is_after) as is_gained from (
        select profile_id, value, true as is_after from (${inState(after, of)}) state_after
        union all select profile_id, value, false from (${inState(before, of)}) state_before) states
      group by profile_id, value having bool_and(is_after) or not bool_or(is_after))
    select ${side('is_gained')} as gains, ${side('not is_gained')} as loses`;
};

interface DeltaRow {
  count: number;
  profileIds: string[];
  items: [string, string | number][];
}

async function readSides(
  { sql }: Context,
  text: string,
  values: readonly unknown[],
  itemOf: (profileId: string, value: never) => DiffItem,
): Promise<Sides> {
  const [row] = await sql.rows<Record<'gains' | 'loses', DeltaRow>>(text, values);
  const side = ({ count, profileIds, items }: DeltaRow): Side => ({
    count,
    profileIds,
    userIds: [],
    items: items.map(([profileId, value]) => itemOf(profileId, value as never)),
  });
  return { gains: side(row!.gains), loses: side(row!.loses) };
}

const opened = `select opening.profile_id, opening.application_id as value
  from (${openings('has.profile_id = any($2::text[]) and m.application_id = any($3::int[])')}) opening
  join applications a on a.application_id = opening.application_id and a.is_active
  where a.application_id = any($3::int[])`;

export function diffApplications(context: Context, moment: Moment, touched: Touched, first: number): Promise<Sides> {
  const { profileIds, applicationIds } = touched;
  if (profileIds.length === 0 || applicationIds.length === 0) return Promise.resolve(nothing());
  const values = [context.config.mappingActiveStates, profileIds, applicationIds, first];
  return readSides(context, diff(moment, opened, '$4::int'), values, (profileId, applicationId) => ({
    profileId,
    applicationId,
  }));
}

const issued = heldEntries('has.profile_id = any($1::text[])');

export function diffScopes(
  context: Context,
  moment: Moment,
  { scopedProfileIds }: Touched,
  first: number,
): Promise<Sides> {
  if (scopedProfileIds.length === 0) return Promise.resolve(nothing());
  const text = diff(moment, issued, '$2::int');
  return readSides(context, text, [scopedProfileIds, first], (profileId, scope) => ({ profileId, scope }));
}

const held = `select link.profile_id, u.user_id as value from users u join user_profiles link on link.user_id = u.user_id
  where u.user_id = any($1::int[]) and link.user_id = any($1::int[]) and not u.is_blocked
    and ${heldRole('u.user_id', 'link.profile_id')} is not null`;

/** All of them are given: who gains and loses is counted by users. */
export async function diffHoldings(
  context: Context,
  moment: Moment,
  { userIds }: Touched,
  _first: number,
): Promise<Sides> {
  if (userIds.length === 0) return nothing();
  const sides = await readSides(context, diff(moment, held, 'null'), [userIds], (profileId, userId) => ({
    profileId,
    userId,
  }));
  for (const side of [sides.gains, sides.loses]) side.userIds = side.items.map(({ userId }) => userId!);
  return sides;
}
