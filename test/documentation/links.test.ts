/** Links of the documents, and paths of documents in code, lead to files and headings that are there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const find = (patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => path.endsWith('node_modules') });
const documents = find(['*.md', '{docs,bench,ops,src,test}/**/*.md']);
const sources = find([
  '{src,console,test,bench,ops,compare,bin,dev}/**/*.{ts,tsx,js,mjs,yaml,service,example,sh,cfg}',
]).filter((path) => path !== 'test/documentation/links.test.ts');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(root, path));

const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```/gms, '');

/** The names by which GitHub lets a link lead to the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The links of a document that lead nowhere. */
function brokenLinks(page: string, text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path ? relative(root, join(root, dirname(page), path)) : page;
      if (!isThere(file)) return true;
      return anchor !== undefined && !anchorsOf(file === page ? text : textOf(file)).has(anchor);
    });
}

/** The documents that a source names and that are not there; a decision may be named by its number. */
function missingDocuments(text: string): string[] {
  return [...text.matchAll(/(?<![\w/.:-])docs\/[\w/.-]*\w(?:#[\w-]+)?/g)]
    .map(([path]) => path)
    .filter((named) => {
      const [path = '', anchor] = named.split('#');
      if (/^docs\/decisions\/\d{4}$/.test(path)) return globSync(`${path}-*`, { cwd: root }).length === 0;
      if (!isThere(path) && !isThere(`${path}.md`)) return true;
      return anchor !== undefined && !anchorsOf(textOf(path)).has(anchor);
    });
}

it('every link of a document leads to a file and a heading that are there', () => {
  expect(documents.length).toBeGreaterThan(80);
  const broken = documents.flatMap((page) => brokenLinks(page, textOf(page)).map((target) => `${page}: ${target}`));
  expect(broken).toEqual([]);
});

it('every document that code, tests or files for operators name is there', () => {
  expect(sources.length).toBeGreaterThan(500);
  const missing = sources.flatMap((path) => missingDocuments(textOf(path)).map((named) => `${path}: ${named}`));
  expect(missing).toEqual([]);
});

it('planted violations are found', () => {
  expect(
    brokenLinks('docs/apis.md', '# A b\n[a](gone.md) [b](#a-b) [c](#gone) [d](settings.md#gone) [e](settings.md)'),
  ).toEqual(['gone.md', '#gone', 'settings.md#gone']);
  expect(missingDocuments('// docs/gone.md docs/decisions/9999 docs/settings.md docs/settings.md#gone')).toEqual([
    'docs/gone.md',
    'docs/decisions/9999',
    'docs/settings.md#gone',
  ]);
});
