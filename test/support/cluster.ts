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

function urlOf(database: string): string {
  const cluster = process.env[clusterUrlVariable];
  if (!cluster) throw new Error('There is no test cluster: run the tests with npm test.');
  const url = new URL(cluster);
  url.pathname = database;
  return url.href;
}

/** A database with all migrations. */
export const createMigratedDatabase = (): Promise<TestDatabase> => createDatabase(process.env[templateVariable]);

/**
 * The name of a database with all migrations that the first file to ask fills for all files of the run, as a template. It is
 * filled under another name, so that what failed halfway is not taken for it.
 */
export async function sharedTemplate(name: string, fill: (url: string) => Promise<void>): Promise<string> {
  const client = await openClient(urlOf('postgres'));
  await client.query('select pg_advisory_lock(hashtext($1))', [name]);
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) {
    const draft = await createMigratedDatabase();
    await fill(draft.url);
    await client.query(`alter database ${quoted(databaseName(draft.url))} rename to ${quoted(name)}`);
  }
  await client.end();
  return name;
}

/**
 * An empty database, or a copy of the template (its name or URL), to which nobody may be connected at that time. Copied as files:
 * that takes half the time of the default, page by page, where the checkpoint of it costs nothing (fsync=off).
 */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const source = template === undefined ? 'template0' : databaseName(template);
  await administer(`CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(source)} STRATEGY file_copy`);
  const drop = closeAtEnd(() => administer(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`));
  return { url: urlOf(name), drop };
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
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
