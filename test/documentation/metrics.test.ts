/** The metrics of the service and those that docs/run/watch.md says how to read are the same. */
import { readdirSync, readFileSync } from 'node:fs';

const names = (text: string): string[] => [...new Set(text.match(/\bgatehouse_\w+[a-z]\b/g) ?? [])].sort();

const code = readdirSync('src', { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(`src/${path}`, 'utf8'));
const counted = names((code.join('\n').match(/name: 'gatehouse_\w+'/g) ?? []).join('\n'));

/** In the tables, so beside what to do. */
const explained = names(
  readFileSync('docs/run/watch.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `gatehouse_'))
    .join('\n'),
);

it('every metric has a row that says when to act, and every row is about a metric', () => {
  expect(counted.length).toBeGreaterThan(20);
  expect(explained).toEqual(counted);
});
