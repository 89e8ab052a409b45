/** Keys of every page: Ctrl K finds, `/` searches, `g` and a letter goes to a page, `.` to the dock, F6 to a message, `?` shows all keys. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { menuItems } from './menus';
import { setHelpOpen, setPaletteOpen } from './paletteOpen';
import { areSingleKeysOn } from './singleKeys';

const letterWithinMs = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Letters that could be meant for something else act in a list only. */
function pressInList(selector: string): boolean {
  const list = document.activeElement?.closest('[role=grid]');
  const button = list && document.querySelector<HTMLButtonElement>(`${selector}:enabled`);
  button?.click();
  return !!button;
}

/** To what a message offers, and from there back to the page. */
function goToMessage(): boolean {
  const message = document.querySelector('.toasts');
  const isThere = message?.contains(document.activeElement) ?? false;
  const next = isThere ? document.getElementById('main') : message?.querySelector<HTMLElement>('button');
  next?.focus();
  return !!next;
}

/** What a single key does; false where the page has nothing to do it with. */
const acts: Readonly<Record<string, () => boolean>> = {
  '/': () => {
    const search = document.querySelector<HTMLInputElement>('[data-search]');
    search?.focus();
    search?.select();
    return search !== null;
  },
  '.': () => {
    const button = document.querySelector<HTMLElement>('.dock :is(button, input):enabled');
    button?.focus();
    return button !== null;
  },
  '?': () => {
    setHelpOpen(true);
    return true;
  },
  e: () => pressInList('[data-export]'),
  p: () => pressInList('[data-give]'),
};

export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goingUntil = 0;
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isDialogOpen()) setPaletteOpen(true);
        return;
      }
      if (event.key === 'F6' && goToMessage()) return event.preventDefault();
      if (isTyping(event.target) || isDialogOpen() || event.metaKey || event.ctrlKey || event.altKey) return;
      if (!areSingleKeysOn()) return;
      const isGoing = Date.now() < goingUntil;
      goingUntil = event.key === 'g' ? Date.now() + letterWithinMs : 0;
      const item = isGoing && menuItems.find(({ letter }) => letter === event.key);
      if (item) void navigate({ to: item.to as '/applications' });
      const act = item || event.defaultPrevented ? undefined : acts[event.key];
      if (act?.()) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [navigate]);
}
