/** What a trial of several processes stands on: PostgreSQL 15 with standbys, an identity provider, and processes of the service. */
import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { makeKey, startProvider } from '../auth/localProvider.js';
import {
  client,
  makeIdToken,
  outputOf,
  prepare,
  productionSettings,
  profileId,
  succeed,
} from '../failover/gatehouses.js';
import { type Answer, openCaller } from '../failover/load.js';
import { programs } from '../failover/operatorFiles.js';
import { type Trial, until } from '../failover/trial.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const program = (name: string): string => fileURLToPath(new URL(`../../src/${name}.js`, import.meta.url));
const binaries = programs.postgresql.replace(/postgres$/, '');

/** A trial within the trial: folders and programs of its own. */
export async function openSubtrial(trial: Trial, name: string): Promise<Trial> {
  const folder = join(trial.folder, name);
  await mkdir(folder, { recursive: true });
  return {
    ...trial,
    folder,
    start: (each, started, onOwnEnd) => trial.start(`${name}/${each}`, started, onOwnEnd),
    kill: (each) => trial.kill(`${name}/${each}`),
    signal: (each, signal, word) => trial.signal(`${name}/${each}`, signal, word),
  };
}

export interface Postgres {
  port: number;
  url: string;
  standbys: { name: string; url: string }[];
  /** Runs statements as a superuser, on the primary or another port, in Gatehouse's database or another. */
  ask<Row extends object>(statement: string, port?: number, database?: string): Promise<Row[]>;
}

export async function startPostgres(trial: Trial, standbysCount = 0): Promise<Postgres> {
  const [port, ...others] = (await trial.ports(1 + standbysCount)) as [number, ...number[]];
  const run = async (place: string, name: string, words: string[]) =>
    succeed(name, await trial.start(place, { command: binaries + name, words, asPostgres: true }));
  const serve = (place: string, its: number) =>
    trial.start(
      place,
      {
        command: programs.postgresql,
        words: [
          '-D',
          'data',
          '-p',
          String(its),
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'unix_socket_directories=',
          '-c',
          'fsync=off',
          '-c',
          'hot_standby_feedback=on',
          '-c',
          'max_connections=300',
        ],
        asPostgres: true,
      },
      'SIGINT',
    );
  const ask: Postgres['ask'] = async (statement, at = port, database = 'gatehouse') => {
    const isOfAll = /^(create|drop) (database|role)/.test(statement);
    const connectionString = `postgresql://postgres@127.0.0.1:${at}/${isOfAll ? 'postgres' : database}`;
    const connection = new pg.Client({ connectionString });
    connection.on('error', () => undefined);
    await connection.connect();
    try {
      return (await connection.query(statement)).rows;
    } finally {
      await connection.end();
    }
  };
  await run('db', 'initdb', [
    '-D',
    'data',
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  await serve('db', port);
  await until('PostgreSQL', 60, async () => ask(`create role gatehouse login password 'a-password'`).then(() => true));
  await ask(`create database gatehouse owner gatehouse encoding 'UTF8' template template0`);
  const standbys: Postgres['standbys'] = [];
  for (const [index, its] of others.entries()) {
    const name = `standby${index + 1}`;
    await run(name, 'pg_basebackup', [
      '-D',
      'data',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      'postgres',
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    ]);
    await serve(name, its);
    await until(name, 60, async () => (await ask('select 1', its)).length === 1);
    standbys.push({ name, url: `postgresql://gatehouse:a-password@127.0.0.1:${its}/gatehouse` });
  }
  return { port, url: `postgresql://gatehouse:a-password@127.0.0.1:${port}/gatehouse`, standbys, ask };
}

interface ServiceStart {
  /** By how much its clock is wrong, as faketime(1) has it: -30d. */
  clock?: string;
  /** Instead of this build's. */
  main?: string;
  /** Words before the program. */
  before?: string[];
}

export interface Services {
  settings: Record<string, string>;
  adminToken: string;
  idToken(user: number): string;
  /** Gives its address when it answers /livez; ready or not. */
  start(name: string, settings?: Record<string, string>, how?: ServiceStart): Promise<string>;
  command(name: string, words: string[]): Promise<ChildProcess>;
}

interface Preparation {
  /** The program that prepares; absent: this build's. */
  cli?: string;
  /** Settings of all processes and commands, beside those of production. */
  settings?: Record<string, string>;
}

/** Prepares the database and knows how to start processes on it. */
export async function openServices(
  trial: Trial,
  databaseUrl: string,
  { cli: firstCli = program('cli'), settings: further = {} }: Preparation = {},
): Promise<Services> {
  const key = makeKey('provider');
  const provider = await startProvider([key]);
  trial.closers.push(() => provider.close());
  const production = productionSettings(databaseUrl, 'http://gatehouse.example', provider);
  const settings = { ...production, SHUTDOWN_DELAY_MS: '0', ...further };
  const commandOf = (cli: string) => (name: string, words: string[]) =>
    trial.start(name, { command: process.execPath, words: [cli, ...words], env: settings });
  const command = commandOf(program('cli'));
  await prepare(trial, commandOf(firstCli));
  const adminToken = await outputOf(trial, 'admin-token', commandOf(firstCli));
  return {
    settings,
    adminToken,
    command,
    idToken: (user) => makeIdToken(key, provider, user),
    async start(name, own = {}, { clock, main = program('main'), before = [] } = {}) {
      const [port] = (await trial.ports(1)) as [number];
      const wrong = clock ? [programs.faketime, '-f', clock] : [];
      const words = [...before, ...wrong, process.execPath, main];
      const first = words.shift()!;
      const env = { ...settings, PORT: String(port), FAKETIME_DONT_FAKE_MONOTONIC: '1', ...own };
      await trial.start(name, { command: first, words, env });
      const url = `http://127.0.0.1:${port}`;
      await until(
        `${name} listens`,
        60,
        async () => (await fetch(`${url}/readyz`)).status !== 503 || (await isOpen(url)),
      );
      return url;
    },
  };
}

/** It is started, but perhaps not ready. */
async function isOpen(url: string): Promise<boolean> {
  const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: Record<string, string> };
  return checks.process === undefined;
}

const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
const common = { profileId, ...credentials };

/** What callers do, each on a connection of its own. */
export function openUser(url: string, { idToken, adminToken }: Services) {
  const { ask, close } = openCaller(url);
  return {
    ask,
    close,
    exchange: (user: number): Promise<Answer> => ask('POST', '/token', { ...common, ...exchangeBody(idToken(user)) }),
    renew: (token: string): Promise<Answer> => ask('POST', '/token', { ...common, ...renewalBody(token) }),
    graph: (query: string, variables: object = {}): Promise<Answer> =>
      ask('POST', '/graphql', { query, variables }, adminToken),
    validate: (token: string): Promise<Answer> => ask('POST', '/validate-token', { ...credentials, token }),
    revoke: (token: string): Promise<Answer> => ask('POST', '/revoke', { ...credentials, token }),
    list: (): Promise<Answer> => ask('GET', '/api/applications', undefined, adminToken),
  };
}
export type User = ReturnType<typeof openUser>;

/** Fails with what was expected. */
export function must(what: string, isSo: boolean, seen?: unknown): void {
  if (!isSo) throw new Error(seen === undefined ? what : `${what}; seen: ${JSON.stringify(seen)?.slice(0, 500)}`);
}
