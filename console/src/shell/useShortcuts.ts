/** Keys that hold on every page: Ctrl K finds, `/` searches, `g` and a letter goes to a page. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { menuItems } from './menus';
import { setPaletteOpen } from './paletteOpen';
import { areSingleKeysOn } from './singleKeys';

const letterWithinMs = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

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
      if (isTyping(event.target) || isDialogOpen() || event.metaKey || event.ctrlKey || event.altKey) return;
      if (!areSingleKeysOn()) return;
      const isGoing = Date.now() < goingUntil;
      goingUntil = event.key === 'g' ? Date.now() + letterWithinMs : 0;
      const item = isGoing && menuItems.find(({ letter }) => letter === event.key);
      if (item) void navigate({ to: item.to as '/applications' });
      if (event.key !== '/') return;
      const search = document.querySelector<HTMLInputElement>('[data-search]');
      if (!search) return;
      event.preventDefault();
      search.focus();
      search.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [navigate]);
}
