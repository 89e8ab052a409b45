/**
 * The commands of docs/operations.md for back-up and restore, as they stand there, on a PostgreSQL that has pg_dump. The
 * embedded one has none: without one of the system there is nothing to run, and the test says so.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { environmentOfPostgres } from '../../src/dev/embeddedPostgresCluster.js';
import { findPlace, removeEmbeddedPostgres } from '../../src/dev/embeddedPostgresPlace.js';
import { type Server, startServer } from '../../src/dev/embeddedPostgresServer.js';
import { startTestApp } from '../support/app.js';
import { newConsumer } from './consumer.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const versions = '/usr/lib/postgresql';
const binaries = (existsSync(versions) ? readdirSync(versions) : [])
  .map((version) => join(versions, version, 'bin'))
  .findLast((folder) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  );
const itHere = binaries ? it : it.skip;

/** The blocks of shell commands below a heading. */
function commandsBelow(heading: string): string[] {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!;
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands!);
}

itHere(
  'a back-up restored into an empty database serves on: tokens of then work, and what came after is not there',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), `gatehouse-test-${process.pid}-`));
    await chmod(folder, 0o755);
    const server = await startSystemPostgres(folder);
    const url = (name: string) => `postgresql://gatehouse@127.0.0.1:${server.port}/${name}`;
    try {
      for (const name of ['gatehouse', 'restored'])
        await tell(url('postgres'), `create database ${name} template template0`);
      const app = await startTestApp({ DATABASE_URL: url('gatehouse') });
      const consumer = await newConsumer(app);
      const answers = await Promise.all([consumer.exchange(), consumer.exchange(), consumer.exchange()]);
      const [untouched, usedAfter, revokedAfter] = answers.map(({ json }) => json.refresh_token);
      const [dump, restore] = commandsBelow('Back-up and restore');
      await run(dump!, folder, { DATABASE_URL: url('gatehouse') });
      const { json: renewed } = await consumer.renew(usedAfter);
      expect((await app.post('/revoke', { token: revokedAfter })).status).toBe(200);
      const later = await consumer.exchange();

      const told = await run(restore!, folder, { RESTORED_URL: url('restored') });
      expect(told).toMatch(/ES256 +active/);
      const restored = await startTestApp({ DATABASE_URL: url('restored') });
      const renew = (token: string) => consumer.renew(token, restored);
      expect((await renew(untouched)).status).toBe(200);
      expect((await renew(renewed.refresh_token)).status).toBe(401);
      expect((await renew(later.json.refresh_token)).status).toBe(401);
      expect((await renew(revokedAfter)).status).toBe(200);
      await restored.close();
      await app.close();
    } finally {
      await server.stop();
      await removeEmbeddedPostgres(folder);
      rmSync(folder, { recursive: true });
    }
  },
  60_000,
);

async function startSystemPostgres(folder: string): Promise<Server> {
  const { runner } = await findPlace(folder, 'none', () => undefined);
  const data = join(folder, 'data');
  mkdirSync(data);
  if (runner) await chown(data, runner.uid, runner.gid);
  const words = ['--pgdata', data, '--username', 'gatehouse', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
  await promisify(execFile)(join(binaries!, 'initdb'), words, { cwd: '/', env: environmentOfPostgres(), ...runner });
  return startServer({ binaries: binaries!, data, runner }, folder, true);
}

async function tell(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** In a folder that has what the project's own has. */
async function run(commands: string, folder: string, settings: Record<string, string>): Promise<string> {
  const place = join(folder, 'project');
  if (!existsSync(place)) {
    mkdirSync(place);
    for (const name of ['package.json', 'node_modules', 'bin', 'dist'])
      symlinkSync(join(root, name), join(place, name));
  }
  const env = { ...process.env, PATH: `${binaries}:${process.env.PATH}`, ...keys, ...settings };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands], { cwd: place, env });
  return stdout;
}
const keys = { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
