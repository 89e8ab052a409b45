/** What a view shows when it has nothing: why, and what to do about it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { setPaletteOpen } from '../shell/paletteOpen';
import { Icon, type IconName } from './icons';

interface EmptyProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Whether it is all that the page has: then its title is the page's heading. */
  isPage?: boolean;
}

export const Empty = ({ icon = 'search', title, children, action, isPage = false }: EmptyProps) => (
  <div className="empty">
    <span className="tile plain" aria-hidden="true">
      <Icon name={icon} size={24} />
    </span>
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    {children && <p>{children}</p>}
    {action}
  </div>
);

export const NotFound = () => (
  <Empty
    isPage
    title="There is no such page"
    action={
      <span className="chips">
        <Link className="button" to="/applications">
          All applications
        </Link>
        <button type="button" className="button" onClick={() => setPaletteOpen(true)}>
          Find something else
        </button>
      </span>
    }
  >
    It may have been removed, or the address is mistyped.
  </Empty>
);

/** While something is read that was not seen before. */
export const Loading = ({ lines = 7 }: { lines?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of a skeleton have no other identity
      <i key={line} />
    ))}
  </div>
);
