/**
 * The sets of tests. What a file is called and imports says which of them it belongs to:
 * - `npm test`: all but the trials
 * - `npm test -- fast`: of these, what waits for nothing and takes less than about five seconds
 * - `npm run test:long`: the trials: what starts a process or a browser, what draws what it plays, and `*.long.test.ts`, most of what
 *   else takes over 15 seconds. What is drawn is drawn ten times
 * - `npm run test:all`: both in one run, in which what is drawn is drawn once
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const textOf = (path) => readFileSync(folder + path, 'utf8');
const tests = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.test.ts'));

/** Tests of the console's pages need one that CHROMIUM names, or Debian's: the one without windows takes a seventh less of the processor. */
process.env.CHROMIUM ??= ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? '';
const hasChromium = existsSync(process.env.CHROMIUM);
const withoutChromium =
  'The tests of test/browser did not run: install chromium-headless-shell or chromium of Debian, or name one in CHROMIUM.\n';
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
const processes = /from '(node:child_process|playwright-core|[./]+\/dev\/postgres\/\w+\.js)'/;
const startsProcesses = (path) => [...withImports(path)].some((each) => processes.test(textOf(each)));
const isTrial = (path) => isLong(path) || draws(path) || startsProcesses(path);
const waits = (path) => textOf(path).includes("support/until.js'");

/** Of those that wait for nothing: a ninth of the files, half of the time. */
const slow = new Set(
  [
    'auth/clientSecret',
    'cli/doctor',
    'database/hottestStatements',
    'graphql/authority',
    'modules/changes/effectOfPeople',
    'modules/changes/remedies',
    'modules/console/authority',
    'modules/governance/reviews',
    'modules/governance/subject',
    'modules/scim/understood',
    'modules/transfer/importCost',
    'operations/answerCache',
    'operations/health',
    'operations/housekeeping',
    'rest/compression',
    'rest/filters',
    'security/providerNetwork',
    'security/webHygiene',
    'services/keyLife',
    'support/costCeiling',
    'token/failureLimit',
    'token/faultsTogether',
    'token/hardened',
    'token/narrowTokens',
    'token/refusals',
  ].map((name) => `${name}.test.ts`),
);

for (const path of slow)
  if (!tests.includes(path)) throw new Error(`test/sets.js names ${path}, which does not exist.`);

const sets = {
  fast: (path) => !isTrial(path) && !waits(path) && !slow.has(path),
  long: isTrial,
  all: () => true,
};
export const isSet = (word) => Object.hasOwn(sets, word);

/** The tests that the words of a command mean; jest takes those whose paths hold one of the words that name no set. */
export function testsOf(words) {
  if (!hasChromium) process.stderr.write(withoutChromium);
  const set = words.find(isSet);
  if (set) return tests.filter((path) => canRun(path) && sets[set](path));
  const parts = words.filter((word) => !word.startsWith('-'));
  if (parts.length === 0) return tests.filter((path) => canRun(path) && !isTrial(path));
  const fits = (path, word) => `dist/test/${path}`.includes(word);
  // a word that fits long trials only means them
  const ofLong = parts.filter((word) => !tests.some((path) => !isLong(path) && fits(path, word)));
  const isNamed = (path) => ofLong.some((word) => fits(path, word));
  return tests.filter((path) => canRun(path) && (!isLong(path) || isNamed(path)));
}
