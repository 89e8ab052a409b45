/** The filters of the list of people: as the address has them, in words, and as the service takes them. */
import { useQuery } from '@tanstack/react-query';
import type { ListSearch } from '../../address';
import { ask } from '../../graph';
import type { StringFilter, UserFilter, UserProfileFilter } from '../../operations/generated/graph';
import { filterNames } from '../../operations/generated/users';
import { fixedPicks, type Picks } from '../../picks';

export interface UserSearch extends ListSearch {
  profile?: string;
  role?: string;
  department?: string;
  /** Days since the last sign-in, or `never`. */
  seen?: string;
  /** `hand`, `any`, or after `=` a part of the name. */
  managed?: string;
}

export const views = [
  ['', 'All'],
  ['blocked', 'Blocked'],
  ['none', 'Without a profile'],
  ['never', 'Never seen'],
  ['unusual', 'More than colleagues'],
] as const;
export type View = (typeof views)[number][0];

const viewFilters: { [view in View]?: UserFilter } = {
  blocked: { isBlocked: { eq: true } },
  none: { userProfiles: { none: {} } },
  never: { lastLoginDate: { isNull: true } },
  unusual: { hasUnusualProfiles: true },
};

const seenOptions = [
  { id: '30', label: 'over 30 days ago' },
  { id: '90', label: 'over 90 days ago' },
  { id: '180', label: 'over 180 days ago' },
  { id: 'never', label: 'never' },
];
const byHand = { id: 'hand', label: 'by hand' };
const byAny = { id: 'any', label: 'a file or a connector' };

export const useSeenPicks = (text: string | undefined): Picks => fixedPicks(seenOptions, text);

/** Nobody lists the names of files and connectors: a part of one can be typed. */
export const useManagedPicks = (text = ''): Picks => ({
  ...fixedPicks([byHand, byAny], text),
  ...(text.trim() && { options: [{ id: `=${text.trim()}`, label: text.trim(), hint: 'part of the name' }] }),
});

const dayMs = 86_400_000;

/** The beginning of today, UTC: the same question for a day. */
const today = (): number => Math.floor(Date.now() / dayMs) * dayMs;

function seenFilter(seen: string | undefined): UserFilter[] {
  if (seen === 'never') return [{ lastLoginDate: { isNull: true } }];
  if (!seenOptions.some(({ id }) => id === seen)) return [];
  const before = new Date(today() - Number(seen) * dayMs).toISOString();
  return [{ or: [{ lastLoginDate: { lt: before } }, { lastLoginDate: { isNull: true } }] }];
}

function managedFilter(managed: string): StringFilter {
  if (managed === byHand.id) return { isNull: true };
  if (managed === byAny.id) return { isNull: false };
  return { contains: managed.slice(1), ignoreCase: true };
}

/** Without the words that are searched for. */
export function userFilters({ profile, role, department, seen, managed }: UserSearch, view: View): UserFilter[] {
  const holding: UserProfileFilter = {
    ...(profile && { profileId: { eq: profile } }),
    ...(role && { roleId: { eq: role } }),
    ...(managed && { managedBy: managedFilter(managed) }),
  };
  const viewed = viewFilters[view];
  return [
    ...(viewed ? [viewed] : []),
    ...(Object.keys(holding).length > 0 ? [{ userProfiles: { some: holding } }] : []),
    ...(department ? [{ department: { eq: department } }] : []),
    ...seenFilter(seen),
  ];
}

const managedWords = (managed: string): string =>
  [byHand, byAny].find(({ id }) => id === managed)?.label ?? managed.replace(/^=/, '');

/** What each filter holds, in words; undefined: nothing. */
export function useFilterWords({ profile, role, department, seen, managed }: UserSearch) {
  const names = useQuery({
    queryKey: ['filter names', profile, role],
    enabled: Boolean(profile ?? role),
    queryFn: ({ signal }) => ask(filterNames, { profileId: profile ?? '', roleId: role ?? '' }, signal),
  });
  return {
    profile: profile && (names.data?.profile?.name ?? profile),
    role: role && (names.data?.role?.name ?? role),
    department,
    seen: seenOptions.find(({ id }) => id === seen)?.label,
    managed: managed && managedWords(managed),
  };
}
