/** What a setting is: its name in the environment, its default, one line of doc, and how its text is read. */
export interface Setting<T> {
  env: string;
  doc: string;
  /** As docs/settings.md shows it; undefined: not set. */
  default?: string;
  /** Throws InvalidSetting with what it must be. */
  read(text: string): T;
  /** Never to be shown. */
  secret?: boolean;
}

export function setting<T>(
  env: string,
  read: (text: string) => T,
  fallback: string,
  doc: string,
  secret = false,
): Setting<T> {
  return { env, doc, default: fallback, read, secret };
}

export function optional<T>(
  env: string,
  read: (text: string) => T,
  doc: string,
  secret = false,
): Setting<T | undefined> {
  return { env, doc, read, secret };
}
