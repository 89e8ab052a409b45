/** Filters by how long ago something was, or how soon it is: choices in words, and conditions that stay the same for a day. */
import type { DateTimeFilter } from './operations/generated/graph';
import { fixedPicks, type Picks } from './picks';

const agoOptions = [
  { id: '30', label: 'over 30 days ago' },
  { id: '90', label: 'over 90 days ago' },
  { id: '180', label: 'over 180 days ago' },
  { id: 'never', label: 'never' },
];
const endOptions = [
  { id: '30', label: 'in 30 days' },
  { id: '90', label: 'in 90 days' },
  { id: 'never', label: 'no end' },
];

export const useAgoPicks = (text: string | undefined): Picks => fixedPicks(agoOptions, text);
export const useEndPicks = (text: string | undefined): Picks => fixedPicks(endOptions, text);

const labelOf = (options: typeof agoOptions) => (value: string | undefined) =>
  options.find(({ id }) => id === value)?.label;
export const agoWords = labelOf(agoOptions);
export const endWords = labelOf(endOptions);

const dayMs = 86_400_000;

/** Days from the beginning of today, UTC. */
const dayFrom = (days: number): string => new Date((Math.floor(Date.now() / dayMs) + days) * dayMs).toISOString();

/** One of these must hold; none: the address says nothing that is known. What never was is long ago, too. */
export function agoConditions(value: string | undefined): DateTimeFilter[] {
  if (value === 'never') return [{ isNull: true }];
  return agoWords(value) ? [{ lt: dayFrom(-Number(value)) }, { isNull: true }] : [];
}

/** As above, of an end. */
export function endConditions(value: string | undefined): DateTimeFilter[] {
  if (value === 'never') return [{ isNull: true }];
  return endWords(value) ? [{ le: dayFrom(Number(value) + 1) }] : [];
}
