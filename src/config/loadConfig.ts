/** Reads all settings, those of the modules too. No other file reads the environment. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { OperatorError } from '../errors.js';
import { purposes, settings } from '../modules/settings.js';
import { type Config, ownAddress } from './config.js';
import { findJsonFault, findRepeatedName } from './jsonFault.js';
import { limitsFor } from './limits.js';
import { InvalidSetting, isMisspelt, issuerCharactersMax, type Setting, WrongMember } from './parsers.js';
import { refusedInProduction } from './production.js';

/** The name of the setting at the start of a fault. */
const nameIn = (fault: string): string | undefined => /^[A-Z_]+/.exec(fault)?.[0].replace(/_FILE$/, '');

/** Reads all settings. Throws one OperatorError that names every bad one. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const { env, read, default: fallback } = setting;
    let value: string | undefined;
    try {
      // an empty variable counts as not set, as in compose files
      value = environment[env] || readSecretFile(setting, environment) || fallback;
      values[name] = value === undefined ? undefined : read(value);
      requireNamesOnce(value);
      if (value !== undefined && quoted.test(value)) throw new InvalidSetting('without quotes');
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      const path = environment[env] ? undefined : environment[`${env}_FILE`];
      faults.push(
        error instanceof UnusableFile ? error.message : faultOf(`${env}${path ? ` in ${path}` : ''}`, error, value),
      );
    }
  }
  for (const { env, secret } of Object.values(settings) as Setting<unknown>[])
    if (secret && environment[env] && environment[`${env}_FILE`])
      faults.push(`${env}_FILE must not be set beside ${env}.`);
  const config = {
    ...values,
    ...limitsFor({ databasePoolMax: Number(values.databasePoolMax) }),
    production: values.nodeEnv === 'production',
  } as Config;
  // without BASE_PATH it is never too long
  const isIssuerLong = config.basePath && ownAddress(config).length > issuerCharactersMax;
  if (isIssuerLong && !environment.ISSUER_URL)
    faults.push(
      `BASE_PATH must be shorter, or ISSUER_URL be set: an issuer has at most ${issuerCharactersMax} characters.`,
    );
  if (config.adminAudience !== undefined && config.audiences?.includes(config.adminAudience))
    faults.push('ADMIN_AUDIENCE must be none of AUDIENCES.');
  if (config.metricsPort === config.port && config.port > 0)
    faults.push('METRICS_PORT must be another port than PORT.');
  if (config.approvals !== 'none' && config.adminAuth === 'none')
    faults.push('APPROVALS must be none with ADMIN_AUTH=none: without authentication there is no second person.');
  if (config.production) {
    const named = new Set(faults.map(nameIn));
    faults.push(...refusedInProduction(config, environment).filter((refusal) => !named.has(nameIn(refusal))));
  }
  if (faults.length > 0) throw new OperatorError(`Bad settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  return config;
}

/** Throws WrongMember for JSON in which an object has a name twice: the first value would be lost. */
function requireNamesOnce(value = ''): void {
  const repeated = /^\s*[[{]/.test(value) && !findJsonFault(value) ? findRepeatedName(value) : undefined;
  if (repeated) throw new WrongMember(repeated);
}

// files that no shell reads, such as those of kubectl --from-env-file and docker --env-file, keep the quotes
const quoted = /^['"`“„‘].*['"`“”’]$/s;

function faultOf(place: string, error: InvalidSetting, value = ''): string {
  const broken = /^(?:a )?JSON\b/.test(error.message) && findJsonFault(value);
  const message = broken ? `${error.message} (${broken})` : error.message;
  const fault = `${place} ${error instanceof WrongMember ? 'has a fault:' : 'must be'} ${message}.`;
  return quoted.test(value)
    ? `${fault} It has quotes around it, which the file that sets it did not remove: write it without them.`
    : fault;
}

/** The file of a setting cannot be used. The message never contains its content. */
class UnusableFile extends InvalidSetting {}

const fileBytesMax = 1024 * 1024;

/** Returns the text of the file that `…_FILE` names, for a setting that holds a secret. Throws UnusableFile. */
function readSecretFile({ env, secret }: Setting<unknown>, environment: Record<string, string | undefined>) {
  const path = environment[`${env}_FILE`];
  if (!secret || !path) return undefined;
  const unusable = (why: string) => new UnusableFile(`${env}_FILE names ${path}, which ${why}.`);
  if (!isAbsolute(path)) throw unusable('is not an absolute path');
  try {
    const file = statSync(path);
    if (!file.isFile()) throw unusable('is not a file');
    if (file.size > fileBytesMax) throw unusable('is larger than 1 MB');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/[\r\n]+$/, '');
    if (text === '') throw unusable('is empty');
    return text;
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not text in UTF-8' : `can't be read (${code})`);
  }
}

/** Settings of earlier versions. They have no effect. */
const retiredSettings: ReadonlySet<string> = new Set([
  ...['DATABASE_STREAMS_MAX', 'DATABASE_TOKEN_POOL_MAX', 'DATABASE_WAITING_MAX', 'GRAPHIQL', 'GRAPHQL_ALIASES_MAX'],
  ...['GRAPHQL_BODY_BYTES_MAX', 'GRAPHQL_DEPTH_MAX', 'GRAPHQL_PAGE_SIZE_MAX', 'GRAPHQL_ROOT_FIELDS_MAX'],
  ...['GRAPHQL_TOKENS_MAX', 'SLOW_STATEMENT_MS'],
]);

const settingNames = Object.values(settings as Record<string, Setting<unknown>>).flatMap(({ env, secret }) =>
  secret ? [env, `${env}_FILE`] : [env],
);
/** Variables of other programs. */
const namesOfOthers = /^(HTTP|HTTPS|NO|ALL)_PROXY$/i;

/** Returns a sentence for each variable that has no effect: a setting of an earlier version, or a misspelt one. */
export const describeUnknown = (environment: Record<string, string | undefined>): string[] =>
  Object.keys(environment)
    .sort()
    .filter((name) => environment[name] && !settingNames.includes(name) && !namesOfOthers.test(name))
    .flatMap((name) => {
      if (retiredSettings.has(name)) return [`${name} is no longer a setting and has no effect: remove it.`];
      // if the setting itself is set, a similar variable belongs to another program
      const similar = settingNames.find((setting) => !environment[setting] && isMisspelt(name, setting));
      return similar ? [`${name} is not a setting and has no effect: did you mean ${similar}?`] : [];
    });

/** Returns the settings as Markdown, a table for each purpose, for docs/settings.md. */
export function settingsText(): string {
  return Object.entries(purposes)
    .map(([purpose, group]) => {
      const rows = (Object.values(group) as Setting<unknown>[]).map(
        ({ env, default: fallback, doc, secret }) =>
          `| \`${env}\` | ${fallback ? `\`${fallback}\`` : ''} | ${doc}${secret ? ` Or \`${env}_FILE\`.` : ''} |`,
      );
      return [`## ${purpose}`, '', '| setting | default | |', '|---|---|---|', ...rows, ''].join('\n');
    })
    .join('\n');
}
