/** What the palette finds: records by what is typed, and commands. */
import { ask } from '../graph';
import type { SearchKind } from '../operations/generated/graph';
import { find } from '../operations/generated/palette';
import type { Permission } from '../session';
import type { IconName } from '../ui/icons';
import { wordsOf } from '../words';
import { menuItems } from './menus';

export interface Hit {
  group: string;
  id: string;
  label: string;
  hint: string;
  /** Without one: a tile with initials. */
  icon?: IconName;
  round?: boolean;
  /** Address inside the console. */
  to: string;
}

const commands = (permissions: readonly string[]): Hit[] =>
  menuItems
    .filter(({ needs }: { needs: Permission }) => permissions.includes(needs))
    .map(({ to, label, icon, letter }) => ({
      group: 'Go to',
      id: to,
      label,
      hint: letter ? `G ${letter.toUpperCase()}` : '',
      icon,
      to,
    }));

/** Commands of which the text holds every word; all of them for an empty text. */
export const findCommands = (text: string, permissions: readonly string[]): Hit[] =>
  commands(permissions).filter(({ label }) =>
    wordsOf(text.toLowerCase()).every((word) => label.toLowerCase().includes(word)),
  );

/** What each kind is called, how it is shown, and where it is. */
const kinds: Record<SearchKind, { group: string; icon?: IconName; round?: boolean; to: (id: string) => string }> = {
  APPLICATION: { group: 'Applications', to: (id) => `/applications/${id}` },
  USER: { group: 'People', round: true, to: (id) => `/users/${id}` },
  PROFILE: { group: 'Profiles', icon: 'profile', to: (id) => `/profiles/${encodeURIComponent(id)}` },
  ACCESS_SCOPE: { group: 'Access scopes', icon: 'scope', to: (id) => `/scopes/${id}` },
  ACCESS_SCOPE_TYPE: { group: 'Access scope types', icon: 'type', to: (id) => `/types/${id}` },
  ROLE: { group: 'Roles', icon: 'role', to: (id) => `/roles/${encodeURIComponent(id)}` },
  CLIENT: { group: 'Clients', icon: 'client', to: (id) => `/clients/${encodeURIComponent(id)}` },
  CHANGE_SET: { group: 'Changes', icon: 'history', to: (id) => `/history?change=${id}` },
};

/** Maximum of each kind in the answer. */
const hitsMax = 5;

/** Lists that find by the same words. */
const lists: { [kind in SearchKind]?: string } = {
  APPLICATION: '/applications',
  USER: '/users',
  PROFILE: '/profiles',
  ACCESS_SCOPE: '/scopes',
  ACCESS_SCOPE_TYPE: '/types',
  ROLE: '/roles',
  CLIENT: '/clients',
};

/** Records of which the text's words begin words. Throws Refusal. */
export async function findRecords(text: string, signal: AbortSignal): Promise<Hit[]> {
  const { search } = await ask(find, { text }, signal);
  return [...Map.groupBy(search, ({ kind }) => kind)].flatMap(([kind, found]) => {
    const { to, ...shown } = kinds[kind];
    const hits: Hit[] = found.map(({ id, label, hint }) => ({ ...shown, id, label, hint: hint ?? '', to: to(id) }));
    const list = lists[kind];
    if (list && found.length >= hitsMax)
      hits.push({
        ...shown,
        id: list,
        label: `All ${shown.group.toLowerCase()} with “${text}”`,
        hint: '',
        icon: 'search',
        to: `${list}?q=${encodeURIComponent(text)}`,
      });
    return hits;
  });
}
