/** The frame of a record's page: where it is, what it is, and its tabs. */
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useAddress } from '../address';
import { useViewer } from '../session';
import { Icon } from '../ui/icons';
import '../theme/record.css';

export interface CrumbsProps {
  to: '/applications' | '/users' | '/profiles' | '/scopes' | '/roles' | '/types' | '/clients';
  label: string;
  name: string;
}

export const Crumbs = ({ to, label, name }: CrumbsProps) => (
  <nav className="crumbs" aria-label="Where this is">
    <ol>
      <li>
        <Link to={to}>{label}</Link>
        <Icon name="right" size={14} />
      </li>
      <li aria-current="page" title={name}>
        {name}
      </li>
    </ol>
  </nav>
);

interface HeadProps {
  tile: ReactNode;
  name: string;
  badge?: ReactNode;
  sub?: ReactNode;
  actions?: ReactNode;
  /** What is done seldom: behind ⋯. */
  more?: ReactNode;
}

export const RecordHead = ({ tile, name, badge, sub, actions, more }: HeadProps) => (
  <div className="head tall">
    {tile}
    <div>
      <h1>
        <span className="record-name" title={name}>
          {name}
        </span>{' '}
        {badge}
      </h1>
      {sub && <p className="sub">{sub}</p>}
    </div>
    {(actions || more) && (
      <div className="head-acts">
        {actions}
        {more}
      </div>
    )}
  </div>
);

export interface Tab {
  key: string;
  label: string;
  count?: number;
  /** The permission without which it would only refuse: then it is not offered. */
  needs?: string;
  content: () => ReactNode;
}

/** The first tab has no member in the address. */
export function Tabs({ tabs: all }: { tabs: readonly Tab[] }) {
  const permissions = useViewer().data?.viewer.permissions;
  const tabs = all.filter(({ needs }) => !needs || (permissions?.includes(needs) ?? true));
  const [search, change] = useAddress<{ tab?: string }>();
  const { tab } = search;
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    tabs.findIndex(({ key }) => key === tab),
  );
  // what was searched for belongs to the tab before
  const none = () => Object.fromEntries(Object.keys(search).map((name) => [name, '']));
  const select = (index: number) => change({ ...none(), tab: index === 0 ? '' : tabs[index]!.key });
  const keys = ({ key }: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = (at + step + tabs.length) % tabs.length;
    select(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  const shown = tabs[at]!;
  useEffect(() => {
    // on small screens there is not room for all of them
    list.current?.querySelector(`#tab-${shown.key}`)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [shown.key]);
  return (
    <>
      <div className="tabs" role="tablist" ref={list} onKeyDown={keys} aria-label="Parts of this page">
        {tabs.map(({ key, label, count }, index) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={index === at}
            aria-controls="tab-content"
            tabIndex={index === at ? 0 : -1}
            onClick={() => select(index)}
          >
            {label}
            {count !== undefined && <em>{count.toLocaleString('en')}</em>}
          </button>
        ))}
      </div>
      <div id="tab-content" role="tabpanel" aria-labelledby={`tab-${shown.key}`}>
        {shown.content()}
      </div>
    </>
  );
}
