/** Access scopes and their types: two lists, one item of the menu. */
import { Link } from '@tanstack/react-router';

const tabs = [
  ['/scopes', 'Access scopes'],
  ['/types', 'Types'],
] as const;

export const ScopeTabs = () => (
  <nav className="tabs" aria-label="Parts of this page">
    {tabs.map(([to, label]) => (
      <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
        {label}
      </Link>
    ))}
  </nav>
);
