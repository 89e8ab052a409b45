/** What is around every page: menu, search, theme, pending changes; and what is said on every page alike. */
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isUnavailable } from '../comeback';
import { Refusal } from '../graph';
import { Dock } from '../review/Dock';
import { ReviewSheet } from '../review/ReviewSheet';
import { signIn, signInOnce, useViewer } from '../session';
import { Failure } from '../ui/Failure';
import { Icon } from '../ui/icons';
import { useIsSmall } from '../ui/isSmall';
import { Toasts } from '../ui/Toasts';
import { menuItems } from './menus';
import { useIsOnline } from './online';
import { Side } from './Side';
import { Top } from './Top';

import { useShortcuts } from './useShortcuts';

export function Shell() {
  const [isNavOpen, setNavOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isSmall = useIsSmall();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page was gone to, so the drawer closes
  useEffect(() => setNavOpen(false), [path]);
  useDrawer(isNavOpen, setNavOpen);
  useShortcuts();
  useTitle(path);
  const viewer = useViewer();
  const isOfNobody = path.endsWith('/no-access');
  const isSignedOut =
    viewer.error instanceof Refusal && viewer.error.code === 'UNAUTHENTICATED' && !viewer.data && !isOfNobody;
  useEffect(() => {
    if (isSignedOut) signInOnce();
  }, [isSignedOut]);
  // nothing was read yet: it is said once, and not by each part of the page
  const isAway = isUnavailable(viewer.error) && !viewer.data;
  const refusal =
    viewer.error instanceof Refusal && ((viewer.error.code === 'FORBIDDEN' && !isOfNobody) || isSignedOut)
      ? viewer.error
      : viewer.data && refusalOf(path, viewer.data.viewer.permissions);
  return (
    <div className={`shell${isNavOpen ? ' nav-open' : ''}`}>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Side onGo={() => setNavOpen(false)} isOfNobody={isOfNobody} />
      <button
        type="button"
        className="veil"
        aria-label="Close menu"
        hidden={!isNavOpen}
        onClick={() => setNavOpen(false)}
      />
      {/* what lies behind the drawer takes no focus */}
      <div className="body" inert={isNavOpen && isSmall}>
        <Top
          isNavOpen={isNavOpen}
          onMenu={() => setNavOpen(!isNavOpen)}
          mayFind={viewer.data !== undefined || !isOfNobody}
        />
        <Standing />
        <div className="content">
          <main id="main" tabIndex={-1}>
            {isAway ? (
              <Failure isPage error={viewer.error} retry={() => void viewer.refetch()} />
            ) : refusal ? (
              <Failure isPage error={refusal} />
            ) : (
              <Outlet />
            )}
          </main>
          <Dock />
        </div>
      </div>
      {/* what is kept of somebody else is forgotten as soon as it is known who is here: nothing is asked of it before */}
      {viewer.data && <ReviewSheet />}
      <Toasts />
    </div>
  );
}

/** Of a page that the viewer may not read: it offers nothing. */
function refusalOf(path: string, permissions: readonly string[]): Refusal | undefined {
  const page = menuItems.find(({ to }) => `${path}/`.includes(`${to}/`));
  return page && !permissions.includes(page.needs) ? new Refusal('FORBIDDEN', page.needs) : undefined;
}

/** The menu on small screens: the focus is in it while it is open, Escape closes it, and the focus returns. */
function useDrawer(isOpen: boolean, setOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const { activeElement: before } = document;
    const side = document.querySelector('.side');
    side?.querySelector<HTMLElement>('nav a')?.focus();
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      // where it led to a page, the focus is there already
      if (before instanceof HTMLElement && side?.contains(document.activeElement)) before.focus();
    };
  }, [isOpen, setOpen]);
}

/** Offline, or signed out: said once, over what is there. */
function Standing() {
  const isOnline = useIsOnline();
  const { error, data } = useViewer();
  const isSignedOut = error instanceof Refusal && error.code === 'UNAUTHENTICATED' && data !== undefined;
  if (isSignedOut)
    return (
      <div className="offline" role="alert">
        <Icon name="lock" size={16} />
        You are signed out. What you have typed is kept.
        <button type="button" className="button small" onClick={signIn}>
          Sign in
        </button>
      </div>
    );
  if (!isOnline)
    return (
      <div className="offline" role="status">
        <Icon name="alert" size={16} />
        You are offline. You can go on; saving waits until you are back.
      </div>
    );
  return null;
}

/** The page's heading is the window's title, and where a screen reader goes on. */
function useTitle(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    const read = () => {
      const heading = document.querySelector('#main h1')?.textContent;
      document.title = heading ? `${heading} · Gatehouse` : 'Gatehouse';
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.getElementById('main')!, { childList: true, subtree: true, characterData: true });
    if (before.current !== path) document.getElementById('main')?.focus();
    before.current = path;
    return () => observer.disconnect();
  }, [path]);
}
