/** The bar over every page: the menu on small screens, search, and the theme. */
import { lazy, Suspense } from 'react';
import { Icon } from '../ui/icons';
import { Palette } from './Palette';
import { setHelpOpen, setPaletteOpen, useHelpOpen, usePaletteOpen } from './paletteOpen';
import { chooseTheme, useIsDark } from './theme';

const Help = lazy(() => import('./Help'));

interface TopProps {
  isNavOpen: boolean;
  onMenu: () => void;
  mayFind: boolean;
}

export function Top({ isNavOpen, onMenu, mayFind }: TopProps) {
  const isPaletteOpen = usePaletteOpen();
  const isHelpOpen = useHelpOpen();
  return (
    <header className="top">
      <button type="button" className="ghost only-small" aria-label="Menu" aria-expanded={isNavOpen} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      {mayFind && (
        <button type="button" className="find" aria-haspopup="dialog" onClick={() => setPaletteOpen(true)}>
          <Icon name="search" size={16} />
          <span>Find or do anything, such as “why anna asset”</span>
          <kbd>Ctrl K</kbd>
        </button>
      )}
      <span className="grow" />
      <button
        type="button"
        className="ghost"
        aria-label="Help"
        aria-haspopup="dialog"
        onClick={() => setHelpOpen(true)}
      >
        <Icon name="help" />
      </button>
      <ThemeButton />
      {isPaletteOpen && mayFind && <Palette onClose={() => setPaletteOpen(false)} />}
      <Suspense>{isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}</Suspense>
    </header>
  );
}

function ThemeButton() {
  const isDark = useIsDark();
  return (
    <button
      type="button"
      className="ghost"
      aria-label={isDark ? 'Light colours' : 'Dark colours'}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </button>
  );
}
