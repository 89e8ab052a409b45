/** Reads all settings. No other file reads the environment. */
import { readFileSync } from 'node:fs';
import { OperatorError } from '../errors.js';
import { limitsFor } from './limits.js';
import { ownAddress } from './ownAddress.js';
import { InvalidSetting, issuerCharactersMax, type Setting } from './parsers.js';
import { refusedInProduction } from './production.js';
import { type Config, purposes, settings } from './settings.js';

export type { ConsoleClient } from './consoleClient.js';
export type { IdTokenIssuer } from './issuers.js';
export type { Config } from './settings.js';

/** The setting's name, with which a fault begins. */
const nameIn = (fault: string): string | undefined => /^[A-Z_]+/.exec(fault)?.[0];

/** Reads all settings. Throws one OperatorError that names every bad one. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, { env, read, default: fallback }] of Object.entries(settings) as [string, Setting<unknown>][]) {
    // an empty variable counts as not set, as in compose files
    const value = environment[env] || fallback;
    try {
      values[name] = value === undefined ? undefined : read(value);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      faults.push(`${env} must be ${error.message}.`);
    }
  }
  const config = {
    ...values,
    ...limitsFor({ databasePoolMax: Number(values.databasePoolMax) }),
    production: values.nodeEnv === 'production',
  } as Config;
  // a host's name alone is never so long
  const isIssuerLong = config.basePath && ownAddress(config).length > issuerCharactersMax;
  if (isIssuerLong && !environment.ISSUER_URL)
    faults.push(
      `BASE_PATH must be shorter, or ISSUER_URL be set: an issuer has at most ${issuerCharactersMax} characters.`,
    );
  if (config.adminAudience !== undefined && config.audiences?.includes(config.adminAudience))
    faults.push('ADMIN_AUDIENCE must be none of AUDIENCES.');
  if (config.approvals !== 'none' && config.adminAuth === 'none')
    faults.push('APPROVALS must be none with ADMIN_AUTH=none: without authentication there is no second person.');
  if (config.production) {
    const named = new Set(faults.map(nameIn));
    faults.push(...refusedInProduction(config).filter((refusal) => !named.has(nameIn(refusal))));
  }
  if (faults.length > 0) throw new OperatorError(`Bad settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  return config;
}

/** Settings of earlier versions. They have no effect. */
const retiredSettings = [
  'DATABASE_STREAMS_MAX',
  'DATABASE_TOKEN_POOL_MAX',
  'DATABASE_WAITING_MAX',
  'GRAPHIQL',
  'GRAPHQL_ALIASES_MAX',
  'GRAPHQL_BODY_BYTES_MAX',
  'GRAPHQL_DEPTH_MAX',
  'GRAPHQL_PAGE_SIZE_MAX',
  'GRAPHQL_ROOT_FIELDS_MAX',
  'GRAPHQL_TOKENS_MAX',
  'SLOW_STATEMENT_MS',
] as const;

/** Returns a sentence for each setting of an earlier version that is still set. */
export const describeRetired = (environment: Record<string, string | undefined>): string[] =>
  retiredSettings
    .filter((name) => environment[name])
    .map((name) => `${name} is no longer a setting and has no effect: remove it.`);

/** Returns the settings as Markdown, a table for each purpose, for docs/settings.md. */
export function settingsText(): string {
  return Object.entries(purposes)
    .map(([purpose, group]) => {
      const rows = (Object.values(group) as Setting<unknown>[]).map(
        ({ env, default: fallback, doc }) => `| \`${env}\` | ${fallback ? `\`${fallback}\`` : ''} | ${doc} |`,
      );
      return [`## ${purpose}`, '', '| setting | default | |', '|---|---|---|', ...rows, ''].join('\n');
    })
    .join('\n');
}

/** The version in package.json, found from the compiled file's place. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;
