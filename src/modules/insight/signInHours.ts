/** Counts sign-ins and refusals by the hour, for the chart of the overview. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { type CurrentRequest, endpointOf, grantOf, methodOf } from '../../observability/currentRequest.js';
import type { Log } from '../../observability/log.js';
import { permit } from '../../services/permit.js';
import { asColumns, startPeriodicWork } from '../../services/recorders.js';
import { type Sql, timeText } from '../../sql.js';

interface Options {
  /** Background connections. */
  sql: Sql;
  log: Log;
  clock: { now(): Date };
}

interface HourCount {
  /** Hours since 1970, UTC. */
  hour: number;
  signIns: number;
  refusals: number;
}

interface SignInHourRecorder {
  note(kind: 'signIns' | 'refusals'): void;
  close(): Promise<void>;
}

const writeIntervalMs = 2_000;
const hourMs = 3_600_000;
/** Two weeks; older ones are removed by the next write. */
export const hoursKept = 336;

const write = `with gone as (delete from sign_in_hours where hour < (select max(hour) from unnest($1::bigint[]) hour) - ${hoursKept})
  insert into sign_in_hours (hour, sign_ins, refusals)
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) counted (hour, sign_ins, refusals) order by hour
  on conflict (hour) do update set sign_ins = sign_in_hours.sign_ins + excluded.sign_ins,
    refusals = sign_in_hours.refusals + excluded.refusals`;

export function openSignInHours({ sql, log, clock }: Options): SignInHourRecorder {
  let counts = new Map<number, HourCount>();
  const add = ({ hour, signIns, refusals }: HourCount) => {
    const count = counts.get(hour) ?? { hour, signIns: 0, refusals: 0 };
    counts.set(hour, { hour, signIns: count.signIns + signIns, refusals: count.refusals + refusals });
  };
  const writes = startPeriodicWork<HourCount>({
    intervalMs: writeIntervalMs,
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    work: async (taken) => {
      await sql.rows(write, asColumns(taken.map(({ hour, signIns, refusals }) => [hour, signIns, refusals])));
    },
    giveBack: add,
    log,
    failure: 'sign-ins could not be counted',
  });
  return {
    note(kind) {
      const hour = Math.floor(clock.now().getTime() / hourMs);
      add({ hour, signIns: Number(kind === 'signIns'), refusals: Number(kind === 'refusals') });
      writes.due();
    },
    close: writes.close,
  };
}

/** Counts a request after it has ended: exchanges of ID tokens, refused token requests, and sign-ins to the console. */
export const countSignIns =
  ({ note }: SignInHourRecorder) =>
  (ended: CurrentRequest): void => {
    const kind = kindOf(ended);
    if (kind) note(kind);
  };

function kindOf(current: CurrentRequest): 'signIns' | 'refusals' | undefined {
  const { response, isBrownout } = current;
  const endpoint = endpointOf(current);
  const isToken = endpoint === '/token' && methodOf(current) === 'POST';
  const isConsole = endpoint === '/console/callback' && methodOf(current) === 'GET';
  if ((!isToken && !isConsole) || isBrownout || !response.headersSent || response.statusCode >= 500) return undefined;
  if (response.statusCode >= 400) return 'refusals';
  return isConsole || /exchange$/.test(grantOf(current, endpoint)) ? 'signIns' : undefined;
}

interface SignInHour {
  /** ISO 8601. */
  hour: string;
  signIns: number;
  refusals: number;
}

/**
 * The last hours, oldest first, the present one among them; hours before the first that was counted are left out. Null if
 * usage is not counted (USAGE_RETENTION_DAYS). Throws BAD_USER_INPUT.
 */
export async function listSignInHours(context: Context, hours: number): Promise<SignInHour[] | null> {
  permit(context, 'admin:security');
  if (!(hours >= 1 && hours <= hoursKept)) throw badInput({ hours: [`Must be from 1 to ${hoursKept} hours.`] });
  if (context.config.usageRetentionDays === 0) return null;
  return context.sql.rows<SignInHour>(
    `with present as (select floor(extract(epoch from now()) / 3600)::bigint as hour)
     select ${timeText('to_timestamp(series * 3600)')} as hour, coalesce(sign_ins, 0)::float8 as "signIns",
       coalesce(refusals, 0)::float8 as refusals
     from present cross join generate_series(
       greatest(present.hour - $1::int + 1, (select coalesce(min(hour), present.hour) from sign_in_hours)), present.hour) series
     left join sign_in_hours counted on counted.hour = series order by series`,
    [hours],
  );
}
