/** A Node that is too old is refused in one sentence, before anything is loaded that it could not load. */
import { readFileSync } from 'node:fs';
import { nodeFault } from '../../src/config/nodeVersion.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

it.each(['14.21.3', '20.20.2', '22.16.9'])('%s is refused', (version) => {
  expect(nodeFault(version)).toMatch(/^This is Node [\d.]+, but Gatehouse needs 22\.17 or later: .*\.$/);
});

it.each(['22.17.0', '23.0.0', '24.21.0'])('%s is taken', (version) => {
  expect(nodeFault(version)).toBeUndefined();
});

it('the Node version that the program requires is the one in package.json', () => {
  const [, oldest] = /^>=(\d+\.\d+)$/.exec(JSON.parse(read('package.json')).engines.node)!;
  expect(nodeFault(`${oldest}.0`)).toBeUndefined();
  expect(nodeFault('0.0.0')).toContain(`needs ${oldest} `);
});

it('the program loads nothing before it has looked', () => {
  const imports = (path: string) =>
    [...read(path).matchAll(/^(?:import|export) .*from '(.+)'/gm)].map(([, from]) => from);
  expect(imports('src/main.ts')).toEqual(['./config/nodeVersion.js']);
  expect(imports('src/config/nodeVersion.ts')).toEqual([]);
});
