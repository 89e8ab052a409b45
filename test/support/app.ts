/** A whole service for a test: its own database, its own identity provider, a free port. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import type { AppOptions } from '../../src/app.js';
import type { Limits } from '../../src/config/limits.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import type { Context } from '../../src/context.js';
import { openLog } from '../../src/observability/log.js';
import { type RunningApp, startApp } from '../../src/startApp.js';
import {
  type LocalProvider,
  makeToken,
  type ProviderKey,
  readSharedKey,
  startProvider,
} from '../auth/localProvider.js';
import { createDatabase, createMigratedDatabase, type TestDatabase } from './cluster.js';
import { watchAnswers } from './declaredAnswers.js';
import { closeAtEnd } from './lifetimes.js';

export const audience = 'gatehouse-test';
/** A busy machine makes no request late: tests whose subject is a limit of time set their own. */
export const patience = { DATABASE_TIMEOUT_MS: '60000', DATABASE_STATEMENT_TIMEOUT_MS: '120000' };
/** Two configured issuers share the keys: one whose `sub` is the user's guid, one whose `sub` is the user's idpid. */
export interface TestApp {
  url: string;
  running: RunningApp;
  context: Context;
  database: TestDatabase;
  provider: LocalProvider;
  otherProvider: LocalProvider;
  key: ProviderKey;
  /** Everything logged so far. */
  logged(): string;
  /** SQL statements since the last call. */
  takeStatements(): string[];
  /** Another one at each call, by its `jti`. */
  idToken(claims: object, header?: object): string;
  /** A POST with a JSON body, or with the text or bytes as they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  json: any;
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export async function startTestApp(
  settings: Record<string, string> = {},
  {
    limits,
    template,
    ...options
  }: Pick<AppOptions, 'consoleFolder'> & { limits?: Partial<Limits>; template?: string } = {},
): Promise<TestApp> {
  const key = readSharedKey('provider-key');
  const [database, provider, otherProvider] = await Promise.all([
    template === undefined ? createMigratedDatabase() : createDatabase(template),
    startProvider([key]),
    startProvider([key]),
  ]);
  let logText = '';
  const log = openLog(
    'trace',
    new Writable({
      write(chunk, _encoding, done) {
        logText += chunk;
        done();
      },
    }),
  );
  let statements: string[] = [];
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    BCRYPT_COST: '4',
    ...patience,
    CLIENT_FAILURE_LIMIT: '0',
    // tests count and break statements, and change tables past the service: none that no request waits for comes between
    ANSWERS_REMEMBERED_MB: '0',
    REFUSAL_RETENTION_DAYS: '0',
    USAGE_RETENTION_DAYS: '0',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ID_TOKEN_ISSUERS: JSON.stringify([
      { issuer: provider.issuer, audience, idpname: 'guids', subject: 'userGuid' },
      { issuer: otherProvider.issuer, audience: [audience, 'second'], idpname: 'names', subject: 'idpid' },
    ]),
    ...settings,
  });
  const running = await startApp({
    // a look for what is due would come between the statements that tests count
    config: { ...config, scheduleSeconds: 0, ...limits },
    notice: () => undefined,
    log,
    onStatement: (text) => statements.push(text),
    readTimeoutMs: 60_000,
    ...options,
  });
  const { url } = running;
  const answers = watchAnswers(Number(new URL(url).port), running.dependencies);
  return {
    url,
    running,
    context: running.commandContext(),
    database,
    provider,
    otherProvider,
    key,
    logged: () => logText,
    takeStatements: () => statements.splice(0),
    idToken: (claims, header = {}) =>
      makeToken(
        key,
        {
          iss: provider.issuer,
          aud: audience,
          sub: randomUUID(),
          jti: randomUUID(),
          iat: nowSeconds(),
          exp: nowSeconds() + 900,
          ...claims,
        },
        { ...header },
      ),
    post: (path, body, headers) => post(`${url}${path}`, body, headers),
    close: closeAtEnd(async () => {
      await running.close();
      await Promise.all([provider.close(), otherProvider.close(), database.drop()]);
      statements = [];
      const undeclared = answers.findAll();
      if (undeclared.length > 0) throw new Error(`/openapi.json does not declare:\n${undeclared.join('\n')}`);
    }),
  };
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: isRaw ? (body as string) : JSON.stringify(body),
  });
  return readAnswer(response);
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}
