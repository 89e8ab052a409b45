/** The documents show pictures that exist, and every picture of the console is shown somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'docs');
const documents = [
  join(root, 'README.md'),
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
];
const shown = documents.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)]
    .filter(([, target]) => !/^https?:/.test(target!))
    .map(([, target]) => join(dirname(path), target!)),
);

it('every picture of a document exists', () => {
  expect(shown.filter((path) => !existsSync(path))).toEqual([]);
});

it('every picture of the console is in a document, and is made by npm run pictures', () => {
  const made = readFileSync(join(root, 'test/browser/pictures.ts'), 'utf8');
  const pictures = readdirSync(join(folder, 'console')).filter((name) => name.endsWith('.png'));
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((name) => !shown.includes(join(folder, 'console', name)))).toEqual([]);
  expect(
    pictures.filter((name) => !made.includes(`'${name.replace('.png', '')}'`) && !made.includes(`'${name}'`)),
  ).toEqual([]);
});
