/** npx gatehouse doctor: one line per check, ok or failed with its mend; goes on as far as it can, changes nothing. */
import { type Config, loadConfig } from '../config.js';
import { OperatorError } from '../errors.js';
import { checkDatabase } from './doctorDatabase.js';
import { checkIssuers, checkPort } from './doctorNetwork.js';
import { print } from './session.js';

export interface Finding {
  ok: boolean;
  /** What was looked at. */
  what: string;
  /** What was seen; when it isn't well, in words that tell the mend. */
  text: string;
}

export async function runDoctor(): Promise<void> {
  const findings = await examine(process.env, (finding) => print(lineOf(finding)));
  const failed = findings.filter(({ ok }) => !ok).length;
  await print(failed === 0 ? 'Everything is well.' : `${failed} of ${findings.length} checks failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}

const lineOf = ({ ok, what, text }: Finding): string =>
  `${ok ? 'ok    ' : 'failed'}  ${what.padEnd(19)}  ${text.replaceAll('\n', `\n${' '.repeat(29)}`)}`;

/** All checks in order, each told at once. */
export async function examine(
  environment: Record<string, string | undefined>,
  tell: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = async (finding: Finding): Promise<void> => {
    findings.push(finding);
    await tell(finding);
  };
  await add(checkNode());
  const { config, finding } = checkSettings(environment);
  await add(finding);
  if (!config) return findings;
  for (const each of await checkDatabase(config)) await add(each);
  const neighbour = await checkPort(config);
  await add(neighbour.finding);
  for (const each of await checkIssuers(config, neighbour)) await add(each);
  return findings;
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 22 || (major === 22 && minor >= 17);
  const mend = ok ? '' : ', but 22.17 is needed: npm ci brings one, so start by npm start and npx gatehouse';
  return { ok, what: 'Node', text: `${process.version}${mend}` };
}

/** With bad settings the other checks go on without those. */
function checkSettings(environment: Record<string, string | undefined>): { config?: Config; finding: Finding } {
  const what = 'settings';
  try {
    const config = loadConfig(environment);
    return { config, finding: { ok: true, what, text: kindOf(config) } };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const finding = { ok: false, what, text: error.message };
    const bad = new Set([...error.message.matchAll(/^ {2}- ([A-Z_]+)/gm)].map(([, name]) => name));
    const others = Object.entries(environment).filter(([name]) => name !== 'NODE_ENV' && !bad.has(name));
    try {
      return { config: loadConfig(Object.fromEntries(others)), finding };
    } catch {
      return { finding };
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
