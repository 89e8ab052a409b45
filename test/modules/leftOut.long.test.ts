/** Each module can be left out: without its folder and its lines in the lists, everything else still passes the type check. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const lists = readdirSync(join(root, 'src/modules'), { withFileTypes: true });
const modules = lists.filter((entry) => entry.isDirectory()).map(({ name }) => name);

/** The text of a list without the lines of these modules: their imports, and the entries that name what they import. */
function withoutModules(text: string, left: readonly string[]): string {
  const imported: string[] = [];
  const kept = text.replaceAll(
    /^import (?:\* as (\w+)|\{([^}]*)\}) from '\.\/(\w+)\/[^']*';\n/gm,
    (all, one, names, name) => {
      if (!left.includes(name)) return all;
      imported.push(
        ...(one
          ? [one]
          : names
              .split(',')
              .map((each: string) => each.trim())
              .filter(Boolean)),
      );
      return '';
    },
  );
  const isNamed = (line: string) => imported.some((name) => new RegExp(`\\b${name}\\b`).test(line));
  return kept
    .split('\n')
    .flatMap((line) => {
      if (!isNamed(line)) return [line];
      // the only entry of its kind: `export const load: … | undefined = importFile;`
      return / = \w+;$/.test(line) ? [line.replace(/ = \w+;$/, ' = undefined;')] : [];
    })
    .join('\n');
}

const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: { noEmit: true, incremental: false, composite: false, rootDir: '.', types: ['node'] },
  include: ['src', 'dev'],
};

/** What the type check of src says without the modules. @param changed further texts of files */
async function faultsWithout(left: readonly string[], changed: Record<string, string> = {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-left-out-'));
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    for (const name of ['package.json', 'dev', 'compare'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const name of left) rmSync(join(folder, 'src/modules', name), { recursive: true });
    for (const { name } of lists.filter((entry) => entry.isFile())) {
      const path = join(folder, 'src/modules', name);
      writeFileSync(path, withoutModules(readFileSync(path, 'utf8'), left));
    }
    for (const [path, text] of Object.entries(changed)) writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/.bin/tsc');
    const said = await promisify(execFile)(tsc, ['-p', folder, '--singleThreaded'], { cwd: folder }).catch(
      (error) => error,
    );
    return (said.stdout as string).split('\n').filter((line) => line.includes('error TS'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The modules that a module imports. */
const needs = new Map(
  modules.map((name) => {
    const folder = join(root, 'src/modules', name);
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
    return [name, modules.filter((other) => other !== name && texts.some((text) => text.includes(`../${other}/`)))];
  }),
);
/** The module, and those that cannot be without it. */
function withUsers(name: string): string[] {
  const found = new Set([name]);
  for (const each of found) for (const other of modules) if (needs.get(other)!.includes(each)) found.add(other);
  return [...found];
}

it.each(modules)('the service without %s and the modules that need it passes the type check', async (name) => {
  expect(await faultsWithout(withUsers(name))).toEqual([]);
});

it('an import of a module that was left out is found', async () => {
  const planted = { 'src/services/planted.ts': "export type { A } from '../modules/scim/settings.js';\n" };
  expect(await faultsWithout(['scim'], planted)).toEqual([expect.stringContaining('src/services/planted.ts(1,')]);
});
