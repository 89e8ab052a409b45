/** The bundle that `npm run build` makes: when a start runs it, and that it finds its files and names ours. */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap, type SourceOrigin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

describe('of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-bundle-'));
    for (const name of ['dist/src', 'dist/bundle/src']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    copyFileSync(join(root, 'dist/src/bundled.js'), join(folder, 'dist/src/bundled.js'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string, at: number) => {
    writeFileSync(join(folder, 'dist', path), `console.log('${path}')`);
    utimesSync(join(folder, 'dist', path), at, at);
  };
  /** The file that a start runs. */
  async function start(...nodeOptions: string[]): Promise<string> {
    const words = `const { findProgram } = await import('${pathToFileURL(join(folder, 'dist/src/bundled.js'))}'); await import(findProgram('serve'));`;
    const { stdout } = await run(process.execPath, [...nodeOptions, '--input-type=module', '--eval', words]);
    return stdout.trim();
  }

  it.each([
    ['the bundle was made after the last compilation', 100, 200, 'bundle/src/serve.js'],
    ['something was compiled after the bundle was made', 200, 100, 'src/serve.js'],
    ['there is no bundle', 100, undefined, 'src/serve.js'],
    ['there is only the bundle, as in the image', undefined, 100, 'bundle/src/serve.js'],
  ])('if %s', async (_, compiledAt, bundledAt, started) => {
    write('src/serve.js', compiledAt ?? 0);
    if (compiledAt !== undefined) write('.tsbuildinfo', compiledAt);
    if (bundledAt !== undefined) write('bundle/src/serve.js', bundledAt);
    expect(await start()).toBe(started);
  });

  it('a debugger gets the plain files', async () => {
    write('src/serve.js', 100);
    write('bundle/src/serve.js', 200);
    expect(await start('--inspect=127.0.0.1:0')).toBe('src/serve.js');
  });

  it('without the bundler nothing is bundled, and a sentence says so', async () => {
    write('.tsbuildinfo', 100);
    mkdirSync(join(folder, 'bin'));
    copyFileSync(join(root, 'bin/bundle.js'), join(folder, 'bin/bundle.js'));
    const { stderr } = await run(process.execPath, [join(folder, 'bin/bundle.js')]);
    expect(stderr).toMatch(/^The service is not bundled, .*\.\n$/);
  });
});

it('the bundle finds its files, and its stacks name ours', async () => {
  await run(process.execPath, ['bin/bundle.js'], { cwd: root });
  const words = `
    const { findProgram } = await import('${new URL('../../src/bundled.js', import.meta.url)}');
    const { programFile, projectFile } = await import(findProgram('places'));
    const stackOf = (act) => { try { act(); } catch (error) { return error.stack; } };
    console.log(JSON.stringify({
      files: [programFile('src/auth/bcryptWork'), programFile('dev/postgres/keeper'), projectFile('package.json')],
      stack: stackOf(() => programFile(Symbol())),
    }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', words], { cwd: root });
  const { files, stack }: { files: string[]; stack: string } = JSON.parse(stdout);
  expect(files).toEqual(
    ['dist/bundle/src/auth/bcryptWork.js', 'dist/bundle/dev/postgres/keeper.js', 'package.json'].map(
      (path) => pathToFileURL(join(root, path)).href,
    ),
  );
  expect(files.map((file) => existsSync(new URL(file)))).toEqual([true, true, true]);
  const [, line = ''] = new RegExp(`at programFile \\(${root}src/places\\.ts:(\\d+):\\d+\\)`).exec(stack) ?? [];
  expect(readFileSync(join(root, 'src/places.ts'), 'utf8').split('\n')[Number(line) - 1]).toContain('path');
});

it('the bundle refuses a setting in the words of its sources', async () => {
  await run(process.execPath, ['bin/bundle.js'], { cwd: root });
  const env = { DATABASE_URL: 'postgresql://gh:100%@127.0.0.1:1/gh' };
  const refusals = [[], ['--inspect=127.0.0.1:0']].map((options) =>
    run(process.execPath, [...options, 'dist/src/main.js'], { cwd: root, env }).catch(
      (error) => error.stderr as string,
    ),
  );
  for (const refusal of await Promise.all(refusals)) {
    expect(refusal).toContain(
      'DATABASE_URL must be percent-encoded where a name or password contains special characters',
    );
    expect(refusal).not.toContain('    at ');
  }
});

it('V8 keeps a character of the bundle in one byte: all are ASCII', async () => {
  await run(process.execPath, ['bin/bundle.js'], { cwd: root });
  const bundled = join(root, 'dist/bundle');
  const files = readdirSync(bundled, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => readFileSync(join(bundled, path)).some((byte) => byte > 0x7f))).toEqual([]);
});

it('what throws in a file with escapes has the line and column of its source', async () => {
  const bundled = join(root, 'dist/bundle/src');
  const misplaced: string[] = [];
  let count = 0;
  for (const name of readdirSync(bundled).filter((path) => path.endsWith('.js'))) {
    const code = readFileSync(join(bundled, name), 'utf8');
    if (!code.includes('\\u20') || !existsSync(join(bundled, `${name}.map`))) continue;
    const map = new SourceMap(JSON.parse(readFileSync(join(bundled, `${name}.map`), 'utf8')));
    for (const [index, line] of code.split('\n').entries())
      for (const { 0: thrown, index: column } of line.matchAll(/new \w+(?:Error|Refusal)\(/g)) {
        const origin = map.findOrigin(index + 1, column + 1) as SourceOrigin;
        const source = resolve(bundled, origin.fileName ?? '');
        if (!source.startsWith(join(root, 'src/'))) continue;
        count += 1;
        const written = readFileSync(source, 'utf8').split('\n')[origin.lineNumber - 1] ?? '';
        if (!written.startsWith(thrown, origin.columnNumber - 1)) misplaced.push(`${source}:${origin.lineNumber}`);
      }
  }
  expect(misplaced).toEqual([]);
  expect(count).toBeGreaterThan(50);
});

describe('what only development runs', () => {
  const bundled = join(root, 'dist/bundle');
  beforeAll(() => run(process.execPath, ['bin/bundle.js'], { cwd: root }));

  it('is in a folder of its own', () => {
    const sourcesIn = (folder: string) =>
      readdirSync(join(bundled, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.map'))
        .flatMap((path): string[] => JSON.parse(readFileSync(join(bundled, folder, path), 'utf8')).sources);
    const isOfDevelopment = (path: string) => path.includes('/dev/') && !path.includes('/node_modules/');
    expect(sourcesIn('src').filter(isOfDevelopment)).toEqual([]);
    expect(sourcesIn('dev').filter(isOfDevelopment).length).toBeGreaterThan(8);
  });

  it('is missed in a sentence, where it is left out as in the image', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
    try {
      const parts = [
        'package.json',
        'node_modules',
        'bin',
        'dist/src/cli.js',
        'dist/src/bundled.js',
        'dist/bundle/src',
      ];
      for (const name of ['dist/src', 'dist/bundle']) mkdirSync(join(folder, name), { recursive: true });
      for (const name of parts) {
        if (name === 'node_modules') symlinkSync(join(root, name), join(folder, name));
        else cpSync(join(root, name), join(folder, name), { recursive: true });
      }
      const options = { cwd: folder, env: { DATA_DIR: join(folder, 'data') } };
      const failure = await run(process.execPath, ['dist/src/cli.js', 'admin-token'], options).catch((error) => error);
      expect(failure.stderr).toMatch(/^This installation is for production only: set DATABASE_URL, .*\.$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
