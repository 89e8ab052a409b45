/** A time as how long ago or how soon it is; the exact one is in its title. */
import { dayMs, exactTime, unusedDays } from '../grantEnd';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number, below: number][] = [
  ['minute', 60, 3_600],
  ['hour', 3_600, 86_400],
  ['day', 86_400, 60 * 86_400],
  ['month', 30 * 86_400, 730 * 86_400],
  ['year', 365 * 86_400, Number.POSITIVE_INFINITY],
];

/** Such as “2 days ago” or “in 3 hours”. */
function relativeTime(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  if (Math.abs(seconds) < 60) return seconds > 0 ? 'in a moment' : 'just now';
  const [unit, size] = steps.find(([, , below]) => Math.abs(seconds) < below)!;
  return relative.format(Math.trunc(seconds / size), unit);
}

export { exactTime };

export const Time = ({ iso, absent = '—' }: { iso: string | null | undefined; absent?: string }) =>
  iso ? (
    <time dateTime={iso} title={exactTime(iso)}>
      {relativeTime(iso)}
    </time>
  ) : (
    <span>{absent}</span>
  );

/** A day as it is in UTC, in the form of all dates. */
export const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a last use, which is known by its day in UTC. */
export function LastUse({ iso }: { iso: string | null }) {
  if (!iso) return <span className="near-text">never</span>;
  const days = Math.floor(Date.now() / dayMs) - Math.floor(Date.parse(iso) / dayMs);
  return (
    <time dateTime={iso} title={dayOf(iso)} className={days > unusedDays ? 'near-text' : undefined}>
      {days < 60 ? relative.format(-days, 'day') : relativeTime(iso)}
    </time>
  );
}
