/** The filters of the list of people: as the address has them, in words, and as the service takes them. */
import { useQuery } from '@tanstack/react-query';
import type { ListSearch } from '../../address';
import { ask } from '../../graph';
import type { StringFilter, UserFilter, UserProfileFilter } from '../../operations/generated/graph';
import { filterNames } from '../../operations/generated/users';
import { fixedPicks, type Picks } from '../../picks';
import { agoConditions, agoWords } from '../../timeFilters';

export interface UserSearch extends ListSearch {
  /** Its id, or `*`: one at least. */
  profile?: string;
  role?: string;
  department?: string;
  /** Days since the last sign-in, or `never`. */
  seen?: string;
  /** `hand`, `any`, or after `=` a part of the name, after `==` the name. */
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

const byHand = { id: 'hand', label: 'by hand' };
const byAny = { id: 'any', label: 'a file or a connector' };

/** Nobody lists the names of files and connectors: a part of one can be typed. */
export const useManagedPicks = (text = ''): Picks => ({
  ...fixedPicks([byHand, byAny], text),
  ...(text.trim() && { options: [{ id: `=${text.trim()}`, label: text.trim(), hint: 'part of the name' }] }),
});

/** Before the name of one file or connector. */
export const whole = '==';

function managedFilter(managed: string): StringFilter {
  if (managed === byHand.id) return { isNull: true };
  if (managed === byAny.id) return { isNull: false };
  return managed.startsWith(whole)
    ? { eq: managed.slice(whole.length) }
    : { contains: managed.slice(1), ignoreCase: true };
}

const anyProfile = '*';

/** Without the words that are searched for. */
export function userFilters({ profile, role, department, seen, managed }: UserSearch, view: View): UserFilter[] {
  const holding: UserProfileFilter = {
    ...(profile && profile !== anyProfile && { profileId: { eq: profile } }),
    ...(role && { roleId: { eq: role } }),
    ...(managed && { managedBy: managedFilter(managed) }),
  };
  const viewed = viewFilters[view];
  const since = agoConditions(seen);
  return [
    ...(viewed ? [viewed] : []),
    ...(profile || Object.keys(holding).length > 0 ? [{ userProfiles: { some: holding } }] : []),
    ...(department ? [{ department: { eq: department } }] : []),
    ...(since.length > 0 ? [{ or: since.map((lastLoginDate) => ({ lastLoginDate })) }] : []),
  ];
}

const managedWords = (managed: string): string =>
  [byHand, byAny].find(({ id }) => id === managed)?.label ?? managed.replace(/^==?/, '');

/** What each filter holds, in words; undefined: nothing. */
export function useFilterWords({ profile, role, department, seen, managed }: UserSearch) {
  const names = useQuery({
    queryKey: ['filter names', profile, role],
    enabled: Boolean(profile ?? role),
    queryFn: ({ signal }) => ask(filterNames, { profileId: profile ?? '', roleId: role ?? '' }, signal),
  });
  return {
    profile: profile === anyProfile ? 'any' : profile && (names.data?.profile?.name ?? profile),
    role: role && (names.data?.role?.name ?? role),
    department,
    seen: agoWords(seen),
    managed: managed && managedWords(managed),
  };
}
