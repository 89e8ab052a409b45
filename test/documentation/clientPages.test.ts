/** docs/clients/javascript.md and README.md: each program runs as it stands there, and prints what stands below it. */

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ClientWorld, pageOf, root, startClientWorld } from '../support/clientWorld.js';

const text = ['README.md', 'javascript.md'].map(pageOf).join('\n');
const programs = [
  ...text.matchAll(
    /^#{2,3} ([^\n]+)\n\n(?:(?!##|```)[^\n]*\n)*?(?:```(?!js)\w+\n.*?^```\n(?:(?!##|```)[^\n]*\n)*?)?```js\n(.*?)^```\n\n```text\n(.*?)^```/gms,
  ),
].map(([, title, program, printed]) => ({ title: title!, program: program!, printed: printed! }));

let world: ClientWorld;
let folder: string;
beforeAll(async () => {
  // the typ that the program with validateJwtAccessToken requires, and all others accept
  world = await startClientWorld({ ACCESS_TOKEN_TYP: 'at+jwt' });
  // below the project, so that its libraries are found
  folder = mkdtempSync(join(root, 'dist/examples-'));
  cpSync(join(root, 'docs/clients/javascript/typePolicies.mjs'), join(folder, 'typePolicies.mjs'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.app.close();
});

it('every program has an output below it', () => {
  expect(programs.length).toBe(text.split('```js\n').length - 1);
  expect(programs.length).toBeGreaterThan(15);
});

it('the API with Express answers 503, and not 401, while the keys cannot be fetched', async () => {
  const program = programs.find(({ title }) => title === 'An API with Express')!;
  const file = join(folder, 'away.mjs');
  writeFileSync(file, program.program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...world.environment, GATEHOUSE: 'http://127.0.0.1:1' },
  });
  expect([stdout, stderr]).toEqual(['503 503\n503 503\n503\n', '']);
});

it.each(programs)('$title', async ({ title, program, printed }) => {
  const file = join(folder, `${title.replaceAll(/\W+/g, '-')}.mjs`);
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, ...world.environment },
  });
  expect(stdout).toBe(printed);
});
