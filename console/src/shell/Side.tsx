/** The menu: pages that the profile may use, and who is here. */
import { Link, useMatchRoute } from '@tanstack/react-router';
import type { WaitingQuery } from '../operations/generated/graph';
import { useViewer, useWaiting } from '../session';
import { Icon, Mark } from '../ui/icons';
import { type MenuItem, menus } from './menus';
import { UserMenu } from './UserMenu';

type Waiting = WaitingQuery['viewer']['waiting'];

/** What waits for the viewer on a page. */
const counts: Record<string, (waiting: Waiting) => number> = {
  '/inbox': ({ proposals }) => proposals,
  '/reviews': ({ reviewItems }) => reviewItems,
};

interface SideProps {
  /** When a page was chosen: the one that is there, too. */
  onGo: () => void;
  /** Whether the page is also for those who may use none. */
  isOfNobody: boolean;
}

export function Side({ onGo, isOfNobody }: SideProps) {
  const { permissions = isOfNobody ? [] : undefined } = useViewer().data?.viewer ?? {};
  const waiting = useWaiting();
  return (
    <aside className="side" aria-label="Menu">
      <div className="brand">
        <Mark />
        <strong>Gatehouse</strong>
        <Environment />
      </div>
      <nav aria-label="Main">
        {menus.map(({ title, items }) => {
          const allowed = items.filter(({ needs }) => !permissions || permissions.includes(needs));
          if (allowed.length === 0) return null;
          return (
            <div key={title ?? ''} className="nav-group">
              {title && <h2 id={`menu-${title}`}>{title}</h2>}
              <ul aria-labelledby={title && `menu-${title}`}>
                {allowed.map((item) => (
                  <MenuLink key={item.to} {...item} count={waiting && counts[item.to]?.(waiting)} onGo={onGo} />
                ))}
              </ul>
            </div>
          );
        })}
      </nav>
      <UserMenu />
    </aside>
  );
}

type MenuLinkProps = MenuItem & { count?: number | undefined; onGo: () => void };

const current = { className: 'active', 'aria-current': 'page' } as const;

function MenuLink({ to, label, icon, parts = [], count, onGo }: MenuLinkProps) {
  const matches = useMatchRoute();
  const isPart = parts.some((part) => matches({ to: part as '/types', fuzzy: true }));
  return (
    <li>
      <Link to={to as '/applications'} activeProps={current} {...(isPart && current)} onClick={onGo}>
        <Icon name={icon} />
        <span className="nav-label">{label}</span>
        {!!count && (
          <span className={`menu-count${to === '/inbox' ? '' : ' quiet'}`}>
            {count.toLocaleString('en')}
            <span className="only-heard"> waiting for you</span>
          </span>
        )}
      </Link>
    </li>
  );
}

/** The service names itself in its page: production says nothing. */
function Environment() {
  const name = document.querySelector<HTMLMetaElement>('meta[name="environment"]')?.content;
  return name ? <span className="environment">{name}</span> : null;
}
