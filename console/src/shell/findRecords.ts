/** What the palette finds: records by any part of their names, acts such as “new application”, and acts on records such as “block anna”. */
import { blockingDraft } from '../blockingDraft';
import { putDrafts } from '../drafts';
import { all, applicationWords, profileWords, roleWords, scopeWords } from '../filters';
import { ask } from '../graph';
import type { FindPeopleQuery, FindQuery, SearchKind } from '../operations/generated/graph';
import { find, findApplications, findPeople } from '../operations/generated/palette';
import { reviewDrafts } from '../review/reviewing';
import type { IconName } from '../ui/icons';
import { fullName, holdsWords, wordsOf } from '../words';
import type { Hit } from './hits';

interface Kind {
  group: string;
  icon?: IconName;
  round?: boolean;
  to: (id: string) => string;
  /** The list that finds by the same words. */
  list?: string;
}

/** What each kind is called, how it is shown, and where it is. */
const kinds: Record<SearchKind, Kind> = {
  APPLICATION: { group: 'Applications', to: (id) => `/applications/${id}`, list: '/applications' },
  USER: { group: 'People', round: true, to: (id) => `/users/${id}`, list: '/users' },
  PROFILE: {
    group: 'Profiles',
    icon: 'profile',
    to: (id) => `/profiles/${encodeURIComponent(id)}`,
    list: '/profiles',
  },
  ACCESS_SCOPE: { group: 'Access scopes', icon: 'scope', to: (id) => `/scopes/${id}`, list: '/scopes' },
  ACCESS_SCOPE_TYPE: { group: 'Access scope types', icon: 'type', to: (id) => `/types/${id}`, list: '/types' },
  ROLE: { group: 'Roles', icon: 'role', to: (id) => `/roles/${encodeURIComponent(id)}`, list: '/roles' },
  CLIENT: { group: 'Clients', icon: 'client', to: (id) => `/clients/${encodeURIComponent(id)}`, list: '/clients' },
  CHANGE_SET: { group: 'Changes', icon: 'history', to: (id) => `/history?change=${id}` },
};

/** Maximum of each kind in the answer. */
const hitsMax = 5;

interface Match {
  kind: SearchKind;
  id: string;
  label: string;
  hint: string | null;
}

/** Throws Refusal. */
export async function findRecords(text: string, permissions: readonly string[], signal: AbortSignal): Promise<Hit[]> {
  const [verb = '', ...rest] = wordsOf(text);
  const asked = rest.length > 0 ? verbs[verb.toLowerCase()] : undefined;
  const mayAct = asked && (!asked.writes || permissions.includes('admin:write'));
  const filters = {
    applications: all(applicationWords(text)) ?? null,
    profiles: all(profileWords(text)) ?? null,
    scopes: all(scopeWords(text)) ?? null,
    roles: all(roleWords(text)) ?? null,
  };
  const [answer, acts] = await Promise.all([
    ask(find, { text, ...filters }, signal),
    mayAct ? asked.find(rest, signal) : [],
  ]);
  return [...acts, ...hitsOf(answer, text), ...commands(permissions).filter(({ label }) => holdsWords(label, text))];
}

function hitsOf(answer: FindQuery, text: string): Hit[] {
  const totals: { [kind in SearchKind]?: number } = {
    APPLICATION: answer.listedApplications.totalCount,
    USER: answer.users.totalCount,
    PROFILE: answer.listedProfiles.totalCount,
    ACCESS_SCOPE: answer.listedScopes.totalCount,
    ACCESS_SCOPE_TYPE: answer.accessScopeTypes.totalCount,
    ROLE: answer.listedRoles.totalCount,
  };
  const named: Match[] = [
    ...answer.applications.nodes.map(
      (each): Match => ({ kind: 'APPLICATION', id: each.applicationGuid, label: each.name, hint: each.appType }),
    ),
    ...answer.users.nodes.map(
      (each): Match => ({ kind: 'USER', id: each.userGuid, label: fullName(each), hint: each.email }),
    ),
    ...answer.profiles.nodes.map(
      ({ profileId, name }): Match => ({ kind: 'PROFILE', id: profileId, label: name, hint: profileId }),
    ),
    ...answer.accessScopes.nodes.map(
      (each): Match => ({
        kind: 'ACCESS_SCOPE',
        id: each.accessScopeGuid,
        label: each.name,
        hint: each.accessScopeKey,
      }),
    ),
    ...answer.accessScopeTypes.nodes.map(
      ({ accessScopeTypeGuid: id, name }): Match => ({ kind: 'ACCESS_SCOPE_TYPE', id, label: name, hint: null }),
    ),
    ...answer.roles.nodes.map(({ roleId, name }): Match => ({ kind: 'ROLE', id: roleId, label: name, hint: roleId })),
  ];
  // names of which a word begins so come first
  const matches = new Map([...answer.search, ...named].map((match) => [`${match.kind} ${match.id}`, match]));
  return [...Map.groupBy(matches.values(), ({ kind }) => kind)].flatMap(([kind, own]) => {
    const { to, list, ...shown } = kinds[kind];
    const hits: Hit[] = own.slice(0, hitsMax).map(({ id, label, hint }) => ({
      ...shown,
      id,
      label,
      hint: hint ?? '',
      to: to(id),
    }));
    const total = totals[kind];
    if (list && (total === undefined ? own.length >= hitsMax : total > hits.length))
      hits.push(allHit(shown.group, list, shown.group.toLowerCase(), total, text));
    return hits;
  });
}

const made = {
  application: 'applications',
  person: 'users',
  profile: 'profiles',
  'access scope': 'scopes',
  type: 'types',
  role: 'roles',
};

/** Acts that need no record. */
const commands = (permissions: readonly string[]): Hit[] => [
  ...(permissions.includes('admin:write')
    ? Object.entries(made).map(([one, list]): Hit => {
        const to = `/${list}/new`;
        return { group: 'Do', id: to, label: `New ${one}`, hint: '', icon: 'plus', to };
      })
    : []),
  { group: 'Do', id: 'sign out', label: 'Sign out', hint: '', icon: 'out', act: signOut },
];

function signOut(): Hit[] {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = 'sign-out';
  document.body.append(form);
  form.submit();
  return [];
}

type Found = FindPeopleQuery['users']['nodes'][number];

const personHit = (group: string, user: Found, act: Hit['act']): Hit => ({
  group,
  id: `${group} ${user.userGuid}`,
  label: fullName(user),
  hint: [user.isBlocked && 'blocked', user.email, user.department].filter(Boolean).join(' · '),
  round: true,
  ...(act && { act }),
});

async function blocking(words: readonly string[], isBlocked: boolean, signal: AbortSignal): Promise<Hit[]> {
  const text = words.join(' ');
  const { users } = await ask(findPeople, { text }, signal);
  const group = isBlocked ? 'Block' : 'Unblock';
  const hits = users.nodes
    .filter((user) => user.isBlocked !== isBlocked)
    .map((user) =>
      personHit(group, user, () => {
        putDrafts([blockingDraft(user)]);
        reviewDrafts();
        return [];
      }),
    );
  return [...hits, ...allPeople(group, text, users)];
}

/** Where more people are called so than the palette offers. */
const allPeople = (group: string, text: string, { totalCount, nodes }: FindPeopleQuery['users']): Hit[] =>
  totalCount > nodes.length ? [allHit(group, '/users', 'people', totalCount, text)] : [];

const allHit = (group: string, list: string, what: string, total: number | undefined, text: string): Hit => ({
  group,
  id: `${group} ${list}`,
  label: `All ${total === undefined ? '' : `${total.toLocaleString('en')} `}${what} with “${text}”`,
  hint: '',
  icon: 'search',
  to: `${list}?q=${encodeURIComponent(text)}`,
});

/** The person's name comes first; where it ends, the records say. */
async function why(words: readonly string[], signal: AbortSignal): Promise<Hit[]> {
  for (let end = words.length - 1; end > 0; end--) {
    const [people, targets] = await Promise.all([
      ask(findPeople, { text: words.slice(0, end).join(' ') }, signal),
      ask(findApplications, { text: words.slice(end).join(' ') }, signal),
    ]);
    const { nodes } = targets.applications;
    if (people.users.nodes.length === 0 || nodes.length === 0) continue;
    const name = words.slice(end).join(' ');
    const { totalCount } = targets.applications;
    const rest =
      totalCount > nodes.length ? [allHit('Applications', '/applications', 'applications', totalCount, name)] : [];
    const hits = people.users.nodes.map((user) => {
      const ways = nodes.map(
        ({ applicationGuid, name, appType }): Hit => ({
          group: `Why ${fullName(user)} can open, or not`,
          id: `why ${user.userGuid} ${applicationGuid}`,
          label: name,
          hint: appType,
          to: `/why?user=${user.userGuid}&application=${applicationGuid}`,
        }),
      );
      const [only] = ways;
      const hit = personHit('Why', user, ways.length > 1 ? () => [...ways, ...rest] : undefined);
      return ways.length === 1 ? { ...hit, to: only!.to!, hint: `${hit.hint} → ${only!.label}` } : hit;
    });
    return [...hits, ...allPeople('Why', words.slice(0, end).join(' '), people.users)];
  }
  return [];
}

const verbs: Record<string, { writes: boolean; find: (words: string[], signal: AbortSignal) => Promise<Hit[]> }> = {
  block: { writes: true, find: (words, signal) => blocking(words, true, signal) },
  unblock: { writes: true, find: (words, signal) => blocking(words, false, signal) },
  why: { writes: false, find: why },
};
