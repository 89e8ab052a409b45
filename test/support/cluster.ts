/** The PostgreSQL of this test run, which globalSetup started, and databases in it for tests of their own. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { closeAtEnd } from './lifetimes.js';

/** Where globalSetup leaves the cluster's URL for the workers. */
export const clusterUrlVariable = 'GATEHOUSE_TEST_CLUSTER_URL';

/** Where globalSetup leaves the URL of a database with all migrations, to be copied. */
export const templateVariable = 'GATEHOUSE_TEST_TEMPLATE_URL';

export interface TestDatabase {
  url: string;
  /** Also ends connections that are still open. */
  drop(): Promise<void>;
}

function clusterUrl(): string {
  const url = process.env[clusterUrlVariable];
  if (!url) throw new Error('There is no test cluster: run the tests with npm test.');
  return url;
}

/** A database with all migrations. */
export const createMigratedDatabase = (): Promise<TestDatabase> => createDatabase(process.env[templateVariable]);

/**
 * An empty database, or a copy of the template (its name or URL), to which nobody may be connected at that time. Copied as files:
 * that takes half the time of the default, page by page, where the checkpoint of it costs nothing (fsync=off).
 */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const source = template === undefined ? 'template0' : databaseName(template);
  await administer(`CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(source)} STRATEGY file_copy`);
  const url = new URL(clusterUrl());
  url.pathname = name;
  const drop = closeAtEnd(() => administer(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`));
  return { url: url.href, drop };
}

/** A connection past the service, which ends with the test. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  const end = client.end.bind(client);
  client.end = closeAtEnd(end) as typeof client.end;
  await client.connect();
  return client;
}

function databaseName(nameOrUrl: string): string {
  return URL.canParse(nameOrUrl) ? decodeURIComponent(new URL(nameOrUrl).pathname.slice(1)) : nameOrUrl;
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Runs a statement in the cluster's own database. */
export async function administer(statement: string): Promise<void> {
  const url = new URL(clusterUrl());
  url.pathname = 'postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
