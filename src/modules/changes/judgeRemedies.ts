/** Judges what would open an application for somebody: each remedy is tried, as any change is before it is saved. */
import { type Permission, writerPermissions } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { GatehouseError } from '../../errors.js';
import { asService } from '../../services/permit.js';
import { applyChanges } from './applyChanges.js';
import { differenceOf } from './effectSides.js';
import type { Judge } from './explaining/remedies.js';
import { planChanges } from './planChanges.js';

export function judgeRemedies(context: Context): Judge {
  const gainsOf = async (changes: readonly object[], permissions?: ReadonlySet<Permission>) => {
    const { effect } = await applyChanges(asService(context, permissions), planChanges(changes), {
      dryRun: true,
      isSmall: true,
      details: { events: false, effect: true, outcomes: false },
    });
    return effect!.gains;
  };
  return async (userGuid, changes) => {
    try {
      let grantsAdministration = false;
      const gains = await gainsOf(changes, writerPermissions).catch((error: unknown) => {
        if (!(error instanceof GatehouseError) || error.code !== 'FORBIDDEN') throw error;
        grantsAdministration = true;
        return gainsOf(changes);
      });
      const [user] = await context.sql.rows<{ id: number }>(
        'select user_id as id from users where user_guid = $1::uuid',
        [userGuid],
      );
      const own = gains.groups.find(({ userIds }) => userIds.includes(user!.id));
      const gained = own ? differenceOf(gains.counted, own, 'gains').size : 0;
      return { grantsAdministration, othersGaining: gains.users - (own ? 1 : 0), gained };
    } catch (error) {
      // somebody changed the records meanwhile
      if (error instanceof GatehouseError && error.status < 500) return undefined;
      throw error;
    }
  };
}
