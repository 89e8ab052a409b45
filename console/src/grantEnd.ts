/** When a grant ends: its moment in words, in the zone of the reader, and as it is edited, by its day in the zone of the service. */
import { clockTime, endOfDay, isEndOfDay, momentAt } from '../../src/entities/endOfDay';
import { readKept, writeKept } from './kept';

export const dayMs = 86_400_000;

/** The days in which an end is soon. */
export const soonDays = 30;

/** The days after which a grant that nobody used is said to be unused. */
export const unusedDays = 90;

const kept = 'time zone';

/** The zone in which a day ends, as the service last said. */
export const serviceZone = (): string => readKept(kept, 'UTC');

export function keepTimeZone(zone: string): void {
  if (zone !== serviceZone()) writeKept(kept, zone);
}

const zoneOf = (zone?: string): string => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
const readerZone = zoneOf();

/** Such as “ in UTC” where days end at other times than the reader's; else empty. */
export const inServiceZone = (): string => (zoneOf(serviceZone()) === readerZone ? '' : ` in ${serviceZone()}`);

/** With its zone; the styles of dates and times take no zone beside them. */
const exact: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

export const exactTime = (iso: string): string => new Date(iso).toLocaleString('en-GB', exact);

/** Such as “31 Dec 2026”. */
export const shortDate = (iso: string): string => new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'medium' });

/** Such as “18:30 GMT+1”; undefined for the end of a day of the reader. */
export const timeOfEnd = (iso: string): string | undefined =>
  isEndOfDay(iso, readerZone)
    ? undefined
    : new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** Such as “31 Dec 2026”, with its time and zone where it is not the end of a day of the reader. */
export const endDate = (iso: string): string => (timeOfEnd(iso) === undefined ? shortDate(iso) : exactTime(iso));

/** Such as “in 12 days”. */
export function daysLeft(iso: string, now = Date.now()): string {
  const days = Math.ceil((Date.parse(iso) - now) / dayMs);
  if (days <= 0) return 'ended';
  return days === 1 ? 'in less than a day' : `in ${(days - 1).toLocaleString('en')} ${days === 2 ? 'day' : 'days'}`;
}

export const isSoon = (iso: string, now = Date.now()): boolean => Date.parse(iso) - now < soonDays * dayMs;

export const soonest = (now = Date.now()): string => new Date(now + soonDays * dayMs).toISOString();
export const longAgo = (now = Date.now()): string => new Date(now - unusedDays * dayMs).toISOString();

/** In drafts: “until 31 Dec 2026”. */
export const untilWords = (iso: string | null | undefined): string =>
  iso ? `until ${endDate(iso)}` : 'without an end';

/** An end as it is edited: its day in the zone of the service, and its time there where it is not the end of that day. */
export interface EditedEnd {
  /** Empty: no end. */
  day: string;
  /** Empty: the end of the day. */
  time: string;
}

export const noEnd: EditedEnd = { day: '', time: '' };

export function editedEnd(iso: string | null): EditedEnd {
  if (iso === null) return noEnd;
  const { day, time } = clockTime(iso, serviceZone());
  return { day, time: isEndOfDay(iso, serviceZone()) ? '' : time };
}

/** The moment, ISO 8601; null: no end. */
export function momentOf({ day, time }: EditedEnd): string | null {
  if (!day) return null;
  return time ? momentAt(day, time, serviceZone()) : endOfDay(day, serviceZone());
}

/** The moment at which a day ends. */
export const endOf = (day: string): string => endOfDay(day, serviceZone());

export const isOver = (end: string | null): boolean => end !== null && Date.parse(end) <= Date.now();

export const isSameEnd = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && Date.parse(one) === Date.parse(other));

/** The day in so many days, in the zone of the service. */
export const dayIn = (days: number, now = Date.now()): string =>
  clockTime(new Date(now + days * dayMs).toISOString(), serviceZone()).day;

/** Days that are often chosen; empty: no end. The third is the end of the next quarter. */
export function endPresets(): { label: string; day: string }[] {
  const [year, month] = dayIn(0).split('-').map(Number) as [number, number];
  const quarter = new Date(Date.UTC(year, Math.floor((month - 1) / 3) * 3 + 6, 0));
  return [
    { label: '30 days', day: dayIn(30) },
    { label: '90 days', day: dayIn(90) },
    {
      label: quarter.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      day: quarter.toISOString().slice(0, 10),
    },
    { label: 'no end', day: '' },
  ];
}
