/** Runs a command on the services, and prints its result or failure. */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/loadConfig.js';
import { nodeFault } from '../config/nodeVersion.js';
import type { Context } from '../context.js';
import { GatehouseError, OperatorError, opensslWords, type Problems, toGatehouseError } from '../errors.js';

/** Texts of files and requests must not move a terminal. */
const withoutControls = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** Notices go to standard error, so that standard output holds the result alone. */
export const notice = (line: string): void => {
  process.stderr.write(`${withoutControls(line)}\n`);
};

/** Resolves when the line was written, also to a pipe. */
export function print(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${line}\n`, () => resolve());
  });
}

/** Prints a new secret. That of a dry run is worth nothing, so a notice takes its place. */
export async function printSecret({ isDryRun }: Context, secret: string, inItsPlace: string): Promise<void> {
  if (isDryRun) notice(inItsPlace);
  else await print(secret);
}

/** Writes a part of a long result. Resolves when standard output takes more. */
export async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Runs the work as the service itself. Loads the libraries only now, because help and usage errors need none. */
export async function withContext(
  work: (context: Context) => Promise<void>,
  options: { keysMayBeLost?: boolean } = {},
): Promise<void> {
  const fault = nodeFault();
  if (fault) throw new OperatorError(fault);
  const config = loadConfig(process.env);
  const [{ openApp }, { openLog }] = await Promise.all([import('../app.js'), import('../observability/log.js')]);
  const app = await openApp({ ...options, config, notice, log: openLog(logLevelOf(config)) });
  try {
    await work(app.commandContext());
  } finally {
    await app.close();
  }
}

const ownThreads = '/proc/self/task';

/**
 * Gives requests of a service on the same machine priority over this command. On Linux each thread has a priority of its own,
 * also those that collect garbage, which already run. A priority that is lower stays.
 */
export function yieldToRequests(): void {
  const threads = existsSync(ownThreads) ? readdirSync(ownThreads).map(Number) : [process.pid];
  for (const thread of threads)
    try {
      setPriority(thread, Math.max(getPriority(thread), constants.priority.PRIORITY_BELOW_NORMAL));
    } catch {
      // it has ended
    }
}

/** Returns a log level without notices, because a command prints its result itself. */
const logLevelOf = ({ logLevel }: Config): string =>
  logLevel === 'error' || logLevel === 'silent' ? logLevel : 'warn';

/** Names of errors that are printed as they are: their messages were written for the operator. */
const plain = new Set(['DatabaseUnfit', 'EmbeddedPostgresError', 'SecretUnusable']);
// https://www.postgresql.org/docs/18/errcodes-appendix.html: authentication, privileges, no such database or schema
const refusals = /^(28|3D000|3F000)/;
const notPermitted = '42501';
const tableExists = '42P07';
const noTable = '42P01';
const noConnectionLeft = '53300';
const readOnly = '25006';
// the server answers, and lacks resources or time
const unable = /^(53|25P0[34]|57014)/;

/** Why a database takes no writes, and what to do. */
export const readOnlyCauses = {
  standby: 'it is a standby, and DATABASE_URL must lead to the primary',
  primary:
    'default_transaction_read_only is on; set it to off where it was set (alter database, alter role or postgresql.conf)',
};

/** What to do for a role that may not create tables. */
export const createAdvice = 'alter database … owner to it, and check its search_path';

const stackLinesMax = 6;

/** Returns the text of a failure for the operator. */
export function failureText(error: unknown): string {
  if (error instanceof GatehouseError && error.code !== 'UNAVAILABLE')
    return error.more.problems ? problemLines(error.more.problems) : error.message;
  if (error instanceof Error && error.name === 'SigningKeyUnusable')
    return `${error.message}: set KEY_ENCRYPTION_KEY to the one that the keys were made with. If it is lost: bin/gatehouse keys replace --lost.`;
  if (error instanceof OperatorError || (error instanceof Error && plain.has(error.name))) return error.message;
  const code = String((error as { code?: unknown })?.code ?? '');
  if (refusals.test(code)) return `The database refuses the connection: ${messageOf(error)}. Check DATABASE_URL.`;
  if (code === notPermitted)
    return `The role of DATABASE_URL may not do this in the database: ${messageOf(error)}. ${rightAdvice(error)}.`;
  if (code === tableExists)
    return `The database has tables of another program (${messageOf(error)}): give Gatehouse its own database. Check DATABASE_URL.`;
  if (code === noTable)
    return `The database lacks a table (${messageOf(error)}): run bin/gatehouse migrate, or bring it back from a backup.`;
  if (code === noConnectionLeft)
    return `The database has no connection left (${messageOf(error)}): lower WORKERS or DATABASE_POOL_MAX, or raise its max_connections.`;
  if (code === readOnly)
    return `The database takes no writes (${messageOf(error)}): either ${readOnlyCauses.standby}, or ${readOnlyCauses.primary}.`;
  if (unable.test(code)) return `The database can't do this now: ${messageOf(error)}.`;
  const hint = tlsHint(error);
  if (hint) return `The database can't be reached (${messageOf(error)}). ${hint}`;
  if (toGatehouseError(error).code === 'UNAVAILABLE')
    return `The database can't be reached (${messageOf(error)}): start it, or check DATABASE_URL.`;
  return `An unexpected error occurred: ${String((error as Error)?.stack ?? error)
    .split('\n')
    .slice(0, stackLinesMax)
    .join('\n')}`;
}

/** What to do about a right that the role lacks. */
function rightAdvice(error: unknown): string {
  const { message = '', detail = '' } = error as { message?: string; detail?: string };
  if (detail.includes('CONNECT')) return 'Grant it: grant connect on database … to it';
  return /for schema/.test(message)
    ? `To let it create tables: ${createAdvice}`
    : 'Its tables must belong to this role';
}

// https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes, and the words of OpenSSL
const tlsAdvice: readonly [RegExp, string][] = [
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, 'Write a host name of its certificate in DATABASE_URL, or sslmode=verify-ca.'],
  [
    /^CERT_HAS_EXPIRED/,
    'Renew its certificate, or, if that is valid, the certificate of its CA in the file of sslrootcert.',
  ],
  [/^CERT_NOT_YET_VALID/, 'Check the clock of this machine, or wait.'],
  [/^INVALID_PURPOSE/, 'Its certificate is not for servers: it needs serverAuth (extended key usage).'],
  [/ certificate key too weak/, 'Its certificates need a key of 2048 bits (RSA) or 256 bits (EC).'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE) /,
    'Name the file of its CA in DATABASE_URL: sslmode=verify-full&sslrootcert=/path/ca.pem.',
  ],
  [/does not support SSL/, 'Switch TLS on in PostgreSQL (ssl = on), or write sslmode=disable.'],
  [/alert protocol version/, 'Switch TLS 1.2 or 1.3 on in PostgreSQL (ssl_max_protocol_version).'],
  [
    /alert (unknown ca|[a-z ]*certificate)/,
    'It refuses the certificate of sslcert: renew it, or let PostgreSQL know its CA (ssl_ca_file).',
  ],
  [
    /^ERR_OSSL_/,
    'Check the files of sslcert and sslkey in DATABASE_URL: both in PEM form, and the key that of the certificate.',
  ],
];

/** Advice about TLS to a database. */
function tlsHint(error: unknown): string | undefined {
  const { code, message, cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown };
  const advice = tlsAdvice.find(([fault]) => fault.test(`${code} ${message}`))?.[1];
  return advice ?? (cause ? tlsHint(cause) : undefined);
}

/** A connection refused on several addresses has its messages inside. */
export function messageOf(error: unknown): string {
  const { message, errors, cause, code } = error as {
    message?: string;
    errors?: Error[];
    cause?: unknown;
    code?: string;
  };
  if (errors?.[0]) return messageOf(errors[0]);
  if (error instanceof GatehouseError && cause) return messageOf(cause);
  return opensslWords(message) ?? (message || code || String(error));
}

/** A line for each, indented. */
export function problemLines(problems: Problems): string {
  return Object.entries(problems)
    .flatMap(([path, faults]) => faults.map((fault) => (path === '…' ? `  … ${fault}` : `  ${path}: ${fault}`)))
    .join('\n');
}

const grouped = (count: number): string => count.toLocaleString('en-US');

interface ProgressBar {
  show(done: number, total: number): void;
  /** Removes the bar. */
  clear(): void;
}

const width = 40;

/** @param unit what is counted, such as rows; absent: only the percentage is shown */
export function openProgressBar(unit?: string): ProgressBar {
  const terminal = process.stderr;
  let printed = '';
  return {
    show(done, total) {
      if (!terminal.isTTY || total === 0) return;
      const full = Math.floor((done / total) * width);
      const bar = `\r[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor((done / total) * 100)} %${unit ? ` ${grouped(done)} of ${grouped(total)} ${unit}` : ''}`;
      if (bar !== printed) terminal.write(bar.padEnd(printed.length));
      printed = bar;
    },
    clear() {
      if (printed) terminal.write(`\r${' '.repeat(printed.length)}\r`);
      printed = '';
    },
  };
}
