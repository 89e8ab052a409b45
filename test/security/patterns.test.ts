/** The linter keeps repetitions without end away from texts that callers choose. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The files, by name with what is in them, that the project's linter has something against. */
function refused(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lint-'));
  try {
    for (const name of ['biome.json', 'lint', '.gitignore'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return [...new Set([...lint(folder).matchAll(/title=plugin,file=([^,]{1,99}),/g)].map(([, name]) => name!))].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lint(folder: string): string {
  const biome = join(root, 'node_modules/.bin/biome');
  try {
    return execFileSync(biome, ['lint', '--reporter=github', '.'], { cwd: folder }).toString();
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

const endless = ['/a+/', '/^[^"]*$/s', '/(?:ab){2,}/g', '/[*+]\\/x{1,2}y*?/', "new RegExp('a+')", "'a b'.split(/ +/)"];
const ended = ['/a?/', '/[*+]{1,64}/', '/\\+\\*/', '/a{2,3}?/', '/\\{1,}/', '/[\\]+]/'];
const file = (pattern: string): string => `export const pattern = ${pattern};\n`;

it('each pattern that reads callers’ texts bounds its repetitions', () => {
  const rooms = ['http', 'graphql/execution', 'services/tokens', 'rest/odata', 'auth', 'entities'];
  const bad = Object.fromEntries(
    endless.map((pattern, index) => [`src/${rooms[index]}/bad${index}.ts`, file(pattern)]),
  );
  const good = Object.fromEntries(ended.map((pattern, index) => [`src/http/good${index}.ts`, file(pattern)]));
  const elsewhere = {
    'src/cli/options.ts': file('/a+/'),
    'src/http/ours.ts': `// biome-ignore lint/plugin: our own text\n${file('/a+/')}`,
  };
  expect(refused({ ...bad, ...good, ...elsewhere })).toEqual(Object.keys(bad).sort());
});
