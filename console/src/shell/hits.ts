/** What the palette finds: records by what is typed, and commands. */
import { all, applicationWords, profileWords, scopeWords, userWords } from '../filters';
import { ask } from '../graph';
import { find } from '../operations/generated/palette';
import type { Permission } from '../session';
import type { IconName } from '../ui/icons';
import { fullName, wordsOf } from '../words';
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

/** Records that hold every word. Throws Refusal. */
export async function findRecords(text: string, signal: AbortSignal): Promise<Hit[]> {
  const { applications, users, accessScopes, profiles } = await ask(
    find,
    {
      applications: all(applicationWords(text)) ?? null,
      people: all(userWords(text)) ?? null,
      scopes: all(scopeWords(text)) ?? null,
      profiles: all(profileWords(text)) ?? null,
    },
    signal,
  );
  return [
    ...applications.nodes.map(({ applicationGuid, name, appType, isActive }) => ({
      group: 'Applications',
      id: applicationGuid,
      label: name,
      hint: isActive ? appType : 'out of use',
      to: `/applications/${applicationGuid}`,
    })),
    ...users.nodes.map((user) => ({
      group: 'People',
      id: user.userGuid,
      label: fullName(user),
      hint: user.email ?? '',
      round: true,
      to: `/users/${user.userGuid}`,
    })),
    ...accessScopes.nodes.map(({ accessScopeGuid, name, accessScopeType }) => ({
      group: 'Access scopes',
      id: accessScopeGuid,
      label: name,
      hint: accessScopeType.name,
      icon: 'scope' as const,
      to: `/scopes/${accessScopeGuid}`,
    })),
    ...profiles.nodes.map(({ profileId, name }) => ({
      group: 'Profiles',
      id: profileId,
      label: name,
      hint: profileId,
      icon: 'profile' as const,
      to: `/profiles/${encodeURIComponent(profileId)}`,
    })),
  ];
}
