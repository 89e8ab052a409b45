/** What a date without a time means where something ends: the end of that day in one time zone. The console uses this file too. */

const secondMs = 1_000;
const dayMs = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes long. Throws RangeError for an unknown zone. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  clocks.set(zone, clock);
  return clock;
}

/** Whether it is a name of the IANA time zone database; an offset such as `+02:00` is none, because it has no summer time. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** What a clock in the zone shows, as if it were UTC, in milliseconds of the epoch; to the second. */
function shownAt(ms: number, zone: string): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
}

/** The moments at which clocks in the zone may show that; one, or two where clocks are changed at that time. */
function candidates(shown: number, zone: string): number[] {
  const around = [shown - dayMs, shown + dayMs].map((near) => shown - (shownAt(near, zone) - near));
  return [...new Set(around)].sort((one, other) => one - other);
}

/** Such as `{ day: '2027-02-24', time: '18:29:59' }`: what a clock in the zone shows. */
export function clockTime(iso: string, zone: string): { day: string; time: string } {
  const [day, time] = new Date(shownAt(Date.parse(iso), zone)).toISOString().split('T');
  return { day: day!, time: time!.slice(0, 8) };
}

/** The last second of a day in the zone, in ISO 8601; not always 23:59:59, because clocks are changed at midnight somewhere. */
export function endOfDay(day: string, zone: string): string {
  const next = Date.parse(`${day}T00:00:00Z`) + dayMs;
  const ends = candidates(next, zone).filter((ms) => shownAt(ms - secondMs, zone) < next);
  // the first year has a day before it that no clock shows so
  return new Date((ends.length > 0 ? Math.max(...ends) : next) - secondMs).toISOString();
}

/** The first second of a day in the zone, in ISO 8601. */
export function startOfDay(day: string, zone: string): string {
  const before = new Date(Date.parse(`${day}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
  return new Date(Date.parse(endOfDay(before, zone)) + secondMs).toISOString();
}

/** The moment at which clocks in the zone show that, in ISO 8601: the later one of two. */
export function momentAt(day: string, time: string, zone: string): string {
  const shown = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  const moments = candidates(shown, zone);
  return new Date(moments.findLast((ms) => shownAt(ms, zone) === shown) ?? moments[0]!).toISOString();
}

/** Whether the moment lies in the last second of a day in the zone. */
export function isEndOfDay(iso: string, zone: string): boolean {
  const end = Date.parse(endOfDay(clockTime(iso, zone).day, zone));
  const ms = Date.parse(iso);
  return ms >= end && ms < end + secondMs;
}
