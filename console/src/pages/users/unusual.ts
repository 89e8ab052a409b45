/** Which profiles of the people in sight few colleagues hold: only for them, because each is compared with a department. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { ask } from '../../graph';
import type { UnusualProfilesQuery } from '../../operations/generated/graph';
import { unusualProfiles } from '../../operations/generated/users';
import type { Pages } from '../../pages';
import { useDebounced } from '../../ui/SearchField';

export type Unusual = UnusualProfilesQuery['users']['nodes'][number];

/** Rows that are asked for together, so that scrolling by a row asks nothing; those of a window at first. */
const block = 40;
/** Most rows of a question: more than are on a screen. */
const rowsMax = 80;

/** The list, which now notes what is in sight, and what is unusual of people by their guid. */
export function useUnusual<Row extends { userGuid: string }, First>(
  pages: Pages<Row, First>,
): [Pages<Row, First>, ReadonlyMap<string, Unusual>] {
  const { want: wantRows, at } = pages;
  const [sight, setSight] = useState<[from: number, to: number]>();
  const want = useCallback(
    (from: number, to: number) => {
      wantRows(from, to);
      const [start, end] = [Math.floor(from / block) * block, Math.ceil((to + 1) / block) * block];
      setSight((before) => (before?.[0] === start && before[1] === end ? before : [start, end]));
    },
    [wantRows],
  );
  // what is scrolled past is not asked for; what is there first is asked for at once
  const rested = useDebounced(sight) ?? sight;
  const users = useMemo(() => {
    if (!rested) return [];
    const [from, to] = rested;
    const rows = Array.from({ length: Math.min(to - from, rowsMax) }, (_, index) => at(from + index));
    return rows.flatMap((row) => row?.userGuid ?? []);
  }, [rested, at]);
  const { data } = useQuery({
    queryKey: ['unusual profiles', users],
    enabled: users.length > 0 && !pages.isStale,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await ask(unusualProfiles, { users, first: rowsMax }, signal);
      return new Map(found.users.nodes.map((user) => [user.userGuid, user]));
    },
  });
  return [{ ...pages, want }, data ?? none];
}

const none: ReadonlyMap<string, Unusual> = new Map();
