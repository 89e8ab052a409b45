/** The documentation of pages: docs/console of the repository, of which each document is read when it is asked for. */
const documents = import.meta.glob<string>('../../../docs/console/*.md', { query: '?raw', import: 'default' });

const pathOf = (name: string): string => `../../../docs/console/${name}.md`;

/** Documents whose names are not those of the pages. */
const others: Readonly<Record<string, string>> = {
  profiles: 'profiles-and-scopes',
  roles: 'profiles-and-scopes',
  scopes: 'profiles-and-scopes',
  types: 'profiles-and-scopes',
  ending: 'profiles-and-scopes',
  compare: 'profiles-and-scopes',
  reviews: 'access-reviews',
};

/** The document of the page at a path; undefined where there is none. */
export function documentOf(path: string): string | undefined {
  const [, first = ''] = path.split('/');
  const name = others[first] ?? first;
  return pathOf(name) in documents ? name : undefined;
}

/** Undefined where there is no such document. */
export const readDocument = async (name: string): Promise<string | undefined> => documents[pathOf(name)]?.();
