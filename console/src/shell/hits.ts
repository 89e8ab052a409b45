/** What the palette offers at once: pages by their names. */
import type { Permission } from '../session';
import type { IconName } from '../ui/icons';
import { holdsWords } from '../words';
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
  to?: string;
  /** Absent: it goes there. Answers what is to be chosen next. */
  act?: () => Hit[] | Promise<Hit[]>;
}

const goes = (permissions: readonly string[]): Hit[] =>
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

/** Pages of whose names the text holds every word; all of them for an empty text. */
export const findPages = (text: string, permissions: readonly string[]): Hit[] =>
  goes(permissions).filter(({ label }) => holdsWords(label, text));
