/** The bar over every page: the menu on small screens, search, and the theme. */
import { useState } from 'react';
import { Icon } from '../ui/icons';
import { Palette } from './Palette';
import { setPaletteOpen, usePaletteOpen } from './paletteOpen';
import { chooseTheme, currentTheme } from './theme';

export function Top({ isNavOpen, onMenu }: { isNavOpen: boolean; onMenu: () => void }) {
  const isPaletteOpen = usePaletteOpen();
  return (
    <header className="top">
      <button type="button" className="ghost only-small" aria-label="Menu" aria-expanded={isNavOpen} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <button type="button" className="find" aria-haspopup="dialog" onClick={() => setPaletteOpen(true)}>
        <Icon name="search" size={16} />
        <span>Find an application, a person, a scope…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span className="grow" />
      <ThemeButton />
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </header>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = () => {
    chooseTheme(other);
    setTheme(other);
  };
  return (
    <button
      type="button"
      className="ghost"
      aria-label={`${other === 'dark' ? 'Dark' : 'Light'} colours`}
      onClick={change}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}
