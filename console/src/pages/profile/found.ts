/** Whom an administrator means, by each way to say it: who gets the profile, who holds it already, who is blocked, and what is not known. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readRecipients } from '../../giving';
import { ask } from '../../graph';
import { assignedMax, type HoldingPerson } from '../../holdingDraft';
import { matchEmails } from '../../operations/generated/giving';
import type { MatchEmailsQuery } from '../../operations/generated/graph';
import { pickPeople } from '../../operations/generated/pickers';
import { userGuids } from '../../operations/generated/users';
import { readToEnd } from '../../readToEnd';
import type { Option } from '../../ui/Picker';
import { useDebounced } from '../../ui/SearchField';
import { pastedMax, readPasted, replaced } from './pasted';

export interface FoundPerson extends HoldingPerson {
  department: string | null;
}

export interface Holder {
  person: HoldingPerson;
  roleId: string;
  roleName: string;
  validUntil: string | null;
}

export interface Found {
  /** Guids of those who get it. */
  receive: readonly string[];
  /** Those of them whose names are known here. */
  people: readonly FoundPerson[];
  holds: number;
  /** Those who hold it, where their assignments were read. */
  holders: readonly Holder[];
  blocked: readonly FoundPerson[];
  blockedCount: number;
  unknown: readonly { email: string; suggestion: string | null }[];
  isReading: boolean;
  error: Error | null;
  retry: () => unknown;
  /** Why nothing of it can be done. */
  problem?: string;
  /** Where all of them are listed. */
  department?: string;
}

const nobody: Omit<Found, 'isReading' | 'error' | 'retry'> = {
  receive: [],
  people: [],
  holds: 0,
  holders: [],
  blocked: [],
  blockedCount: 0,
  unknown: [],
};

type Match = MatchEmailsQuery['matchEmails'][number];

export function usePasted(text: string, profileId: string) {
  const { lines, emails, others } = readPasted(text);
  const isTooMuch = emails.length > pastedMax;
  const wanted = useDebounced(emails.join('\n'));
  const matched = useQuery({
    queryKey: ['match e-mails', profileId, wanted],
    enabled: wanted !== '' && !isTooMuch,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await ask(matchEmails, { emails: wanted.split('\n'), profileId }, signal)).matchEmails,
  });
  const isRead = emails.length === 0 || (wanted === emails.join('\n') && !matched.isPlaceholderData);
  const matches = emails.length > 0 ? (matched.data ?? []) : [];
  return {
    lines,
    withReplaced: (email: string, by: string) => replaced(text, email, by),
    ...nobody,
    ...sorted(matches),
    unknown: [
      ...matches
        .filter(({ user }) => !user)
        .map(({ email, suggestion }) => ({ email, suggestion: suggestion?.email ?? null })),
      ...others.map((email) => ({ email, suggestion: null })),
    ],
    isReading: !isRead || matched.isFetching,
    error: matched.error,
    retry: () => matched.refetch(),
    ...(isTooMuch && {
      problem: `${emails.length.toLocaleString('en')} addresses; ${pastedMax.toLocaleString('en')} fit at once. Add them in parts.`,
    }),
  };
}

/** Each person once, though two addresses may lead to one. */
function sorted(matches: readonly Match[]) {
  const persons = new Map(
    matches.flatMap(({ user, userProfile }) => (user ? [[user.userGuid, { user, userProfile }]] : [])),
  );
  const all = [...persons.values()];
  const held = all.filter(({ userProfile }) => userProfile);
  const people = all.filter(({ user, userProfile }) => !userProfile && !user.isBlocked).map(({ user }) => user);
  const blocked = all.filter(({ user, userProfile }) => !userProfile && user.isBlocked).map(({ user }) => user);
  return {
    receive: people.map(({ userGuid }) => userGuid),
    people,
    holds: held.length,
    holders: held.flatMap(({ user, userProfile }): Holder[] =>
      userProfile
        ? [
            {
              person: user,
              roleId: userProfile.role.roleId,
              roleName: userProfile.role.name,
              validUntil: userProfile.validUntil,
            },
          ]
        : [],
    ),
    blocked,
    blockedCount: blocked.length,
  };
}

export function useDepartment(department: string | undefined, profileId: string): Found {
  const filter = { department: { eq: department ?? '' } };
  const read = useQuery({
    queryKey: ['people of department', department, profileId],
    enabled: department !== undefined,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const first = (await ask(pickPeople, { filter }, signal)).users;
      if (first.totalCount > assignedMax) return { total: first.totalCount, people: [], recipients: undefined };
      const guids = await readToEnd(async (page) => (await ask(userGuids, { ...page, filter }, signal)).users);
      const recipients = await readRecipients(
        guids.map(({ userGuid }) => userGuid),
        profileId,
        signal,
      );
      return { total: first.totalCount, people: first.nodes, recipients };
    },
  });
  const { total = 0, people = [], recipients } = read.data ?? {};
  const receive = recipients?.receive ?? [];
  const gets = new Set(receive);
  return {
    ...nobody,
    receive,
    people: people.filter(({ userGuid }) => gets.has(userGuid)),
    holds: recipients?.hold.length ?? 0,
    blockedCount: recipients?.blocked ?? 0,
    isReading: read.isFetching,
    error: read.error,
    retry: () => read.refetch(),
    ...(department !== undefined && { department }),
    ...(total > assignedMax && {
      problem: `${total.toLocaleString('en')} people; ${assignedMax.toLocaleString('en')} fit in one change. Find some of them in Users, and give it there.`,
    }),
  };
}

export function useChosen(chosen: readonly Option[], profileId: string): Found {
  const guids = chosen.map(({ id }) => id);
  const read = useQuery({
    queryKey: ['chosen people', guids, profileId],
    enabled: guids.length > 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readRecipients(guids, profileId, signal),
  });
  const { receive = [], hold = [], blocked = 0 } = guids.length > 0 ? (read.data ?? {}) : {};
  return {
    ...nobody,
    receive,
    holds: hold.length,
    blockedCount: blocked,
    isReading: guids.length > 0 && read.isFetching,
    error: read.error,
    retry: () => read.refetch(),
  };
}
