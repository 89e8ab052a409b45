/** Options of pickers as one types: what the graph finds of profiles, roles, people, departments. */
import { useQuery } from '@tanstack/react-query';
import { all, profileWords, roleWords, userWords } from './filters';
import { ask } from './graph';
import { suggest } from './operations/generated/giving';
import { pickPeople, pickProfiles, pickRoles } from './operations/generated/pickers';
import type { Option } from './ui/Picker';
import { fullName } from './words';

export interface Picks {
  options: readonly Option[];
  total?: number | undefined;
  /** Whether there are more, where nobody counts them. */
  isCut?: boolean;
  found: { isFetching: boolean; error: Error | null };
}

/** @param text what is typed; undefined: nothing is asked yet */
type UsePicks = (text: string | undefined) => Picks;

export const useProfilePicks: UsePicks = (text) => {
  const found = useQuery({
    queryKey: ['pick profiles', text],
    enabled: text !== undefined,
    queryFn: ({ signal }) => ask(pickProfiles, { filter: all(profileWords(text)) ?? null }, signal),
  });
  const { nodes = [], totalCount } = found.data?.profiles ?? {};
  return {
    options: nodes.map(({ profileId, name }) => ({ id: profileId, label: name, hint: profileId })),
    total: totalCount,
    found,
  };
};

export const useRolePicks: UsePicks = (text) => {
  const found = useQuery({
    queryKey: ['pick roles', text],
    enabled: text !== undefined,
    queryFn: ({ signal }) => ask(pickRoles, { filter: all(roleWords(text)) ?? null }, signal),
  });
  const { nodes = [], totalCount } = found.data?.roles ?? {};
  return {
    options: nodes.map(({ roleId, name }) => ({ id: roleId, label: name, hint: roleId })),
    total: totalCount,
    found,
  };
};

/** With what tells namesakes apart: e-mail and department. */
export const usePeoplePicks: UsePicks = (text) => {
  const found = useQuery({
    queryKey: ['pick people', text],
    enabled: text !== undefined,
    queryFn: ({ signal }) => ask(pickPeople, { filter: all(userWords(text)) ?? null }, signal),
  });
  const { nodes = [], totalCount } = found.data?.users ?? {};
  return {
    options: nodes.map(({ userGuid, department, isBlocked, ...person }) => ({
      id: userGuid,
      label: fullName(person),
      hint: [person.email, department, isBlocked && 'blocked'].filter(Boolean).join(' · '),
    })),
    total: totalCount,
    found,
  };
};

/** Most values that the service suggests. */
const suggestionsMax = 50;

export const useDepartmentPicks: UsePicks = (text) => {
  const found = useQuery({
    queryKey: ['suggest departments', text],
    enabled: text !== undefined,
    queryFn: ({ signal }) => ask(suggest, { field: 'DEPARTMENT', text: text || null, first: suggestionsMax }, signal),
  });
  const values = found.data?.suggestions ?? [];
  return {
    options: values.map(({ value, count }) => ({ id: value, label: value, hint: count.toLocaleString('en') })),
    isCut: values.length === suggestionsMax,
    found,
  };
};

const nothing = { isFetching: false, error: null };

/** A choice of few that are known. */
export const fixedPicks = (options: readonly Option[], text: string | undefined): Picks => {
  const words = (text ?? '').toLowerCase();
  return { options: options.filter(({ label }) => label.toLowerCase().includes(words)), found: nothing };
};
