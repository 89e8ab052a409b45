declare module '*.css';

interface ImportMeta {
  /** Vite's: the files that match, each read when it is asked for. */
  glob<Content>(patterns: string[], options: { query: string; import: string }): Record<string, () => Promise<Content>>;
}
