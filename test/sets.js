/**
 * The sets of tests. What a file is called and imports says which of them it belongs to:
 * - `npm test`: all but the long trials
 * - `npm test -- fast`: of these, what starts no process and no browser, and waits for nothing
 * - `npm run test:long`: the long trials (`*.long.test.ts`), which is most of what takes over 15 seconds: pages in a browser, processes
 *   that are killed or starved, walks through all permissions. And more of what draws its schedules
 * - `npm run test:all`: both in one run, in which what draws its schedules runs once
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const textOf = (path) => readFileSync(folder + path, 'utf8');
const tests = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.test.ts'));

/** Debian's, or the one that CHROMIUM names: tests of the console's pages need it. */
const hasChromium = existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium');
const canRun = (path) => hasChromium || !path.startsWith('browser/');

/** A file of test/, and those of test/ that it imports, directly or not. */
function withImports(path, found = new Set()) {
  if (found.has(path) || !existsSync(folder + path)) return found;
  found.add(path);
  for (const [, name] of textOf(path).matchAll(/from '(\.[^']+)\.js'/g))
    withImports(new URL(`${name}.ts`, `file:///${path}`).pathname.slice(1), found);
  return found;
}
const isLong = (path) => path.endsWith('.long.test.ts');
const draws = (path) => textOf(path).includes("support/schedules.js'");
const processes = /from '(node:child_process|playwright-core|[./]+\/src\/dev\/postgres\/\w+\.js)'/;
const isSlow = (path) =>
  textOf(path).includes("support/until.js'") || [...withImports(path)].some((each) => processes.test(textOf(each)));

const sets = {
  fast: (path) => !isLong(path) && !draws(path) && !isSlow(path),
  long: (path) => isLong(path) || draws(path),
  all: () => true,
};
export const isSet = (word) => Object.hasOwn(sets, word);

/** The tests that the words of a command mean; jest takes those whose paths hold one of the words that name no set. */
export function testsOf(words) {
  if (!hasChromium) process.stderr.write('The tests of test/browser did not run: there is no /usr/bin/chromium.\n');
  const set = words.find(isSet);
  // a word that fits long trials only means them
  const fits = (path, word) => `dist/test/${path}`.includes(word);
  const named = words.filter((word) => !tests.some((path) => !isLong(path) && fits(path, word)));
  const isNamed = (path) => named.some((word) => fits(path, word));
  const isIn = set ? sets[set] : (path) => !isLong(path) || isNamed(path);
  return tests.filter((path) => canRun(path) && isIn(path));
}
