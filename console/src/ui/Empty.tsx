/** What a view shows when it has nothing: why, and what to do about it. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons';

interface EmptyProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export const Empty = ({ icon = 'search', title, children, action }: EmptyProps) => (
  <div className="empty">
    <span className="tile plain" aria-hidden="true">
      <Icon name={icon} size={24} />
    </span>
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
);

export const NotFound = () => (
  <Empty title="There is no such page">It may have been removed, or the address is mistyped.</Empty>
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
