/** What the menu has, and which permission each page needs. */
import type { Permission } from '../session';
import type { IconName } from '../ui/icons';

export interface MenuItem {
  to: string;
  label: string;
  icon: IconName;
  needs: Permission;
  /** The letter that goes there after `g`. */
  letter?: string;
  /** Other pages that belong to it. */
  parts?: string[];
}

interface Menu {
  /** Absent: the first items stand without a heading. */
  title?: string;
  items: MenuItem[];
}

export const menus: Menu[] = [
  {
    items: [
      { to: '/overview', label: 'Overview', icon: 'home', needs: 'admin:read', letter: 'o' },
      { to: '/inbox', label: 'Inbox', icon: 'inbox', needs: 'admin:read', letter: 'i' },
    ],
  },
  {
    title: 'Access',
    items: [
      { to: '/applications', label: 'Applications', icon: 'apps', needs: 'admin:read', letter: 'a' },
      { to: '/scopes', label: 'Access scopes', icon: 'scope', needs: 'admin:read', letter: 's', parts: ['/types'] },
      { to: '/matrix', label: 'Matrix', icon: 'matrix', needs: 'admin:read', letter: 'm' },
      { to: '/why', label: 'Check access', icon: 'why', needs: 'admin:read', letter: 'w' },
    ],
  },
  {
    title: 'People',
    items: [
      { to: '/users', label: 'Users', icon: 'users', needs: 'admin:read', letter: 'u', parts: ['/compare/users'] },
      {
        to: '/profiles',
        label: 'Profiles',
        icon: 'profile',
        needs: 'admin:read',
        letter: 'p',
        parts: ['/compare/profiles', '/ending'],
      },
      { to: '/roles', label: 'Roles', icon: 'role', needs: 'admin:read' },
    ],
  },
  {
    title: 'Oversight',
    items: [
      { to: '/reviews', label: 'Access reviews', icon: 'review', needs: 'admin:read', letter: 'r' },
      { to: '/history', label: 'History', icon: 'history', needs: 'admin:security', letter: 'h' },
    ],
  },
  {
    title: 'Programs',
    items: [
      { to: '/clients', label: 'Clients', icon: 'client', needs: 'admin:security', letter: 'c' },
      { to: '/connectors', label: 'Connectors', icon: 'link', needs: 'admin:security' },
      { to: '/events', label: 'Events', icon: 'out', needs: 'admin:security' },
      { to: '/usage', label: 'API usage', icon: 'usage', needs: 'admin:security' },
      { to: '/keys', label: 'Signing keys', icon: 'key', needs: 'admin:security', letter: 'k' },
    ],
  },
  {
    title: 'Content',
    items: [{ to: '/translations', label: 'Translations', icon: 'translate', needs: 'admin:read', letter: 't' }],
  },
];

/** Pages that other pages lead to; the palette and keys lead to them, too. */
const besideMenu: MenuItem[] = [
  { to: '/types', label: 'Access scope types', icon: 'type', needs: 'admin:read' },
  { to: '/ending', label: 'Ending', icon: 'clock', needs: 'admin:read', letter: 'e' },
];

export const menuItems: MenuItem[] = [...menus.flatMap(({ items }) => items), ...besideMenu];
