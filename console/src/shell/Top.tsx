/** The bar over every page: the menu on small screens, search, and the theme. */
import { Icon } from '../ui/icons';
import { Palette } from './Palette';
import { setPaletteOpen, usePaletteOpen } from './paletteOpen';
import { chooseTheme, useIsDark } from './theme';

export function Top({ isNavOpen, onMenu }: { isNavOpen: boolean; onMenu: () => void }) {
  const isPaletteOpen = usePaletteOpen();
  return (
    <header className="top">
      <button type="button" className="ghost only-small" aria-label="Menu" aria-expanded={isNavOpen} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <button type="button" className="find" aria-haspopup="dialog" onClick={() => setPaletteOpen(true)}>
        <Icon name="search" size={16} />
        <span>Find or do anything, such as “why anna asset”</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span className="grow" />
      <ThemeButton />
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
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
