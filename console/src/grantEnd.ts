/** When a grant ends, in words: the date, and how many days are left. */

export const dayMs = 86_400_000;

/** The days in which an end is soon. */
export const soonDays = 30;

/** The days after which a grant that nobody used is said to be unused. */
export const unusedDays = 90;

/** Such as “31 Dec 2026”. */
export const endDate = (iso: string): string => new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'medium' });

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

/** The end of a day as the person has it, of a date input; null for an empty one. */
export const endOfDay = (date: string): string | null => (date ? new Date(`${date}T23:59:59`).toISOString() : null);

/** As a date input has a day. */
export function dayOf(iso: string): string {
  const time = new Date(iso);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** Days that are often chosen; empty: no end. The third is the end of the next quarter. */
export function endPresets(now = new Date()): { label: string; day: string }[] {
  const inDays = (days: number) => dayOf(new Date(now.getTime() + days * dayMs).toISOString());
  const quarter = new Date(now.getFullYear(), Math.floor(now.getMonth() / 3) * 3 + 6, 0, 12);
  return [
    { label: '30 days', day: inDays(30) },
    { label: '90 days', day: inDays(90) },
    {
      label: quarter.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' }),
      day: dayOf(quarter.toISOString()),
    },
    { label: 'no end', day: '' },
  ];
}
