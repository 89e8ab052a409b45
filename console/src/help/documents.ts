/** The documentation of pages: documents of the repository, of which each is read when it is asked for. */
const files = import.meta.glob<string>(['../../../docs/console/*.md', '../../../docs/access-reviews.md'], {
  query: '?raw',
  import: 'default',
});

const documents = new Map(
  Object.entries(files).map(([path, read]) => [path.slice(path.lastIndexOf('/') + 1, -'.md'.length), read]),
);

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
  return documents.has(name) ? name : undefined;
}

/** Undefined where there is no such document. */
export const readDocument = async (name: string): Promise<string | undefined> => documents.get(name)?.();
