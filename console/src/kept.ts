/** State that outlives a reload, a sign-in and a look at another page: kept in this tab's sessionStorage. */
import { useCallback, useSyncExternalStore } from 'react';

const prefix = 'gatehouse.';
const listeners = new Set<() => void>();
const parsed = new Map<string, { text: string; value: unknown }>();

/** What is kept under the name; the same object as long as it is unchanged. */
export function readKept<Value>(name: string, absent: Value): Value {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return absent;
  const known = parsed.get(name);
  if (known?.text === text) return known.value as Value;
  try {
    const value = JSON.parse(text) as Value;
    parsed.set(name, { text, value });
    return value;
  } catch {
    return absent;
  }
}

/** Keeps it, or forgets it when undefined. */
export function writeKept(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(prefix + name);
  else sessionStorage.setItem(prefix + name, JSON.stringify(value));
  for (const listener of listeners) listener();
}

/** Forgets all, such as when somebody else has signed in. */
export function forgetKept(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** As useState; `absent` must be the same object at each rendering. */
export function useKept<Value>(name: string, absent: Value): [Value, (value: Value | undefined) => void] {
  const value = useSyncExternalStore(subscribe, () => readKept(name, absent));
  const set = useCallback((next: Value | undefined) => writeKept(name, next), [name]);
  return [value, set];
}
