/** What documents say of speed is what was measured. */
import { readFileSync } from 'node:fs';
import { withTables } from '../../bench/documents.js';
import type { Results } from '../../bench/results.js';

const results = JSON.parse(readFileSync('bench/results.json', 'utf8')) as Results;

const text = readFileSync('docs/run/sizing.md', 'utf8');

it('the tables of docs/run/sizing.md have the figures of bench/results.json', () => {
  expect(text).toMatch(/<!-- measured: \w+ -->\n\n\|/);
  expect(text).toBe(withTables(text, results));
});

it('each row that docs/run/sizing.md names is one of bench/results.md', () => {
  const sections = [...readFileSync('bench/results.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  const named = [...text.matchAll(/\brows? ((?:`[\w-]+`(?:, | and )?)+)|\| `([\w-]+)` \|$/gm)].flatMap(
    ([, several, one]) => (one ? [one] : [...several!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!)),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !sections.includes(name))).toEqual([]);
});
