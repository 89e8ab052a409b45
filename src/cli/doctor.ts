/** npx gatehouse doctor: one line per check, ok or failed with what to do; goes on as far as it can, changes nothing. */
import { type Config, loadConfig } from '../config/config.js';
import { nodeFault } from '../config/nodeVersion.js';
import { OperatorError } from '../errors.js';
import { checkConsole } from './doctorConsole.js';
import { checkDatabase } from './doctorDatabase.js';
import { checkIssuers, checkPort, checkProxy } from './doctorNetwork.js';
import type { AreGood, Finding } from './finding.js';
import { print } from './session.js';

export async function runDoctor(): Promise<void> {
  const findings = await examine(process.env, (finding) => print(lineOf(finding)));
  const failed = findings.filter(({ ok }) => !ok).length;
  await print(failed === 0 ? 'Everything is well.' : `${failed} of ${findings.length} checks failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}

const lineOf = ({ ok, what, text }: Finding): string =>
  `${ok ? 'ok    ' : 'failed'}  ${what.padEnd(19)}  ${text.replaceAll('\n', `\n${' '.repeat(29)}`)}`;

/** All checks in order, each reported at once. */
export async function examine(
  environment: Record<string, string | undefined>,
  report: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = async (finding: Finding): Promise<void> => {
    findings.push(finding);
    await report(finding);
  };
  await add(checkNode());
  const { config, bad, finding } = checkSettings(environment);
  await add(finding);
  if (!config) return findings;
  const areGood: AreGood = (...names) => !names.some((name) => bad.has(name));
  if (areGood('DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATA_DIR'))
    for (const each of await checkDatabase(config, areGood)) await add(each);
  let runs = false;
  if (areGood('HOST', 'PORT', 'BASE_PATH', 'ISSUER_URL')) {
    const neighbour = await checkPort(config);
    await add(neighbour.finding);
    runs = neighbour.runs;
  }
  if (areGood('ISSUER_URL', 'TRUST_PROXY')) for (const each of checkProxy(config)) await add(each);
  if (areGood('ID_TOKEN_ISSUERS')) for (const each of await checkIssuers(config, runs)) await add(each);
  if (areGood('ID_TOKEN_ISSUERS', 'ISSUER_URL', 'BASE_PATH'))
    for (const each of await checkConsole(config)) await add(each);
  return findings;
}

interface CheckedSettings {
  config?: Config;
  /** Names of those that are bad, or missing. */
  bad: ReadonlySet<string>;
  finding: Finding;
}

function checkNode(): Finding {
  const fault = nodeFault();
  return { ok: !fault, what: 'Node', text: fault ?? process.version };
}

/** With bad settings the checks that need none of them go on. */
function checkSettings(environment: Record<string, string | undefined>): CheckedSettings {
  const what = 'settings';
  try {
    const config = loadConfig(environment);
    return { config, bad: new Set(), finding: { ok: true, what, text: kindOf(config) } };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const finding = { ok: false, what, text: error.message };
    const bad = new Set([...error.message.matchAll(/^ {2}- ([A-Z_]+)/gm)].map(([, name]) => name!));
    const others = Object.entries(environment).filter(([name]) => name !== 'NODE_ENV' && !bad.has(name));
    try {
      return { config: loadConfig(Object.fromEntries(others)), bad, finding };
    } catch {
      return { bad, finding };
    }
  }
}

function kindOf({ production, databaseUrl, idTokenIssuers }: Config): string {
  const defaults = [
    ...(databaseUrl ? [] : ['the embedded PostgreSQL']),
    ...(idTokenIssuers ? [] : ['the development identity provider']),
  ];
  const kind = production ? 'for production' : 'for development';
  return defaults.length > 0 ? `${kind}, with ${defaults.join(' and ')}` : kind;
}
