/**
 * Who gains and who loses what by a change set: the same SQL that decides what is opened and issued, asked of the tables
 * before and after, for the profiles, applications and users that the set touches.
 */
import type { Context } from '../../context.js';
import { narrowed } from '../history/state.js';
import { diffApplications, diffHoldings, diffScopes, type Side, type Sides } from './accessDiff.js';
import { type AccessDelta, type EffectSize, readPeople } from './effectPeople.js';
import type { Moment } from './moment.js';
import { readTouched } from './touched.js';

export interface Effect {
  gains: AccessDelta;
  loses: AccessDelta;
}

/** Of the transaction under way. */
export async function readEffect(inside: Context, size: EffectSize): Promise<Effect> {
  const [made] = await inside.sql.rows<{ id: string }>('select current_change_set()::text as id');
  const changeSetId = made!.id;
  const before = await narrowed(inside, { before: `later.change_set_id = ${BigInt(changeSetId)}` });
  return effectAt(inside, { changeSetId, before, after: 'present' }, size);
}

/** Of a set that was made: the others since are not in it. */
export async function readPastEffect(context: Context, changeSetId: string, size: EffectSize): Promise<Effect> {
  const id = BigInt(changeSetId);
  const since = (comparison: string) =>
    narrowed(context, {
      before: `(later.occurred_at, later.change_set_id) ${comparison}
        (select occurred_at, change_set_id from change_sets where change_set_id = ${id})`,
    });
  const [before, after] = [await since('>='), await since('>')];
  return effectAt(context, { changeSetId, before, after }, size);
}

async function effectAt(context: Context, moment: Moment, size: EffectSize): Promise<Effect> {
  const touched = await readTouched(context, moment);
  const applications = await diffApplications(context, moment, touched, size.items);
  const scopes = await diffScopes(context, moment, touched, size.items);
  const holdings = await diffHoldings(context, moment, touched, size.items);
  const sides = { applications, scopes, holdings };
  return {
    gains: await readPeople(context, moment, moment.after, sideOf(sides, 'gains'), size),
    loses: await readPeople(context, moment, moment.before, sideOf(sides, 'loses'), size),
  };
}

const sideOf = (
  all: Record<'applications' | 'scopes' | 'holdings', Sides>,
  side: 'gains' | 'loses',
): Record<'applications' | 'scopes' | 'holdings', Side> => ({
  applications: all.applications[side],
  scopes: all.scopes[side],
  holdings: all.holdings[side],
});
