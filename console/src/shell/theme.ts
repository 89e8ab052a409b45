/** Light or dark: as the system has it, until somebody chooses. */
const kept = 'gatehouse.theme';

type Theme = 'light' | 'dark';

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(kept);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(theme: Theme = currentTheme()): void {
  document.documentElement.style.colorScheme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(kept, theme);
  applyTheme(theme);
}
