/** Light, dark, or as the system has it: the default, which is followed as the system changes. */
import { useSyncExternalStore } from 'react';

const kept = 'gatehouse.theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export const themes = ['light', 'dark', 'system'] as const;
type Theme = (typeof themes)[number];

const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(kept)) ?? 'system';

/** Without a choice the style sheet has both, and the browser takes the system's. */
export function applyTheme(): void {
  const theme = chosenTheme();
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(kept, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  systemDark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    systemDark.removeEventListener('change', listener);
  };
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme);

export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => (chosenTheme() === 'system' ? systemDark.matches : chosenTheme() === 'dark'));
