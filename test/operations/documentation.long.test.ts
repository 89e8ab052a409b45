/** The commands of docs/run/install.md and docs/run/backup.md, as they stand there, on a PostgreSQL of the system where there is one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestApp } from '../support/app.js';
import { hasSystemPostgres, openSystemPostgres, type SystemPostgres } from '../support/systemPostgres.js';
import { newConsumer } from './consumer.js';
import { encryptionKey } from './process.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const itHere = hasSystemPostgres ? it : it.skip;

let postgres: SystemPostgres;
let project: string;
beforeEach(async () => {
  if (!hasSystemPostgres) return;
  postgres = await openSystemPostgres();
  project = join(postgres.folder, 'project');
  mkdirSync(project);
  for (const name of ['package.json', 'node_modules', 'bin', 'dist'])
    symlinkSync(join(root, name), join(project, name));
});

/** The blocks of shell commands of a page, also those of lists. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, 'docs/run', page), 'utf8');
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, indent, commands]) =>
    commands!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

async function run(commands: string, settings: Record<string, string> = {}): Promise<string> {
  const env = { ...postgres.environment, ...settings };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands], { cwd: project, env });
  return stdout;
}

/** Each text must be there. */
const replaced = (commands: string, replacements: [string, string][]): string =>
  replacements.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, commands);

itHere('production step by step: it serves, and has a client', async () => {
  const [setUp, first] = commandsOf('install.md');
  const commands = replaced(setUp!, [
    ['npm ci && npm run build\n', ''],
    ['127.0.0.1:5432', `127.0.0.1:${postgres.port}`],
    ['METRICS_PORT=9464', 'METRICS_PORT=0'],
    ['SHUTDOWN_DELAY_MS=5000', 'SHUTDOWN_DELAY_MS=0'],
  ]);
  const options = { cwd: project, env: { ...postgres.environment, PORT: '0' }, detached: true } as const;
  const service = spawn('bash', ['-e', '-c', commands], options);
  const gone = once(service, 'exit');
  try {
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      void gone.then(() => reject(new Error(output)));
      for (const stream of [service.stdout, service.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
          const found = /listens on ([^\s"]+)/.exec(output)?.[1];
          if (found) resolve(found);
        });
    });
    expect(statSync(join(project, 'gatehouse.env')).mode & 0o077).toBe(0);
    const [ready, secret] = (await run(replaced(first!, [['http://127.0.0.1:4000', url]])))
      .replace('}}', '}}\n')
      .trim()
      .split('\n');
    const token = (await run('set -a; . ./gatehouse.env; set +a; bin/gatehouse admin-token')).trim();
    expect(JSON.parse(ready!).status).toBe('ok');
    expect(secret).toMatch(/^[\w-]{43}$/);
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ clients(first: 9) { nodes { clientId } } }' }),
    });
    expect(await answer.json()).toEqual({ data: { clients: { nodes: [{ clientId: 'portal' }] } } });
  } finally {
    process.kill(-service.pid!, 'SIGTERM');
    await gone;
  }
});

itHere(
  'a restored back-up serves on, though KEY_ENCRYPTION_KEY was replaced since: tokens of then work, sessions that may have been revoked since are ended, and scheduled changes are withdrawn',
  async () => {
    const url = (name: string) => `postgresql://postgres@127.0.0.1:${postgres.port}/${name}`;
    await run('createdb --template template0 gatehouse; createdb --template template0 restored');
    const newKey = Buffer.alloc(32, 8).toString('base64');
    const app = await startTestApp({ DATABASE_URL: url('gatehouse'), KEY_ENCRYPTION_KEY: encryptionKey });
    const consumer = await newConsumer(app);
    const exchange = async () => (await consumer.exchange()).json.refresh_token as string;
    const old = await exchange();
    const [untouched, usedAfter, revokedAfter] = [await exchange(), await exchange(), await exchange()];
    // by the clock that issues: that of the service is an estimate of the database's
    const [second] = await app.context.sql.rows<{ at: string }>(
      'select created_at as at from tokens order by id offset 1 limit 1',
    );
    await app.context.sql.rows(
      `insert into proposals (title, state, proposed_by, note, changes, permission, apply_at, expires_at, effect_hash, proposed_counts)
       values ('Later', 'SCHEDULED', gen_random_uuid(), 'why', '[]', 'admin:write', now() + interval '1 day', now(), '', '{}')`,
    );
    const [dump, restore, endSessions, withdraw] = commandsOf('backup.md');
    await run(dump!, { DATABASE_URL: url('gatehouse') });
    const { json: renewed } = await consumer.renew(usedAfter!);
    expect((await app.post('/revoke', { token: revokedAfter })).status).toBe(200);
    const later = await exchange();
    await app.close();
    const replaced = await startTestApp({
      DATABASE_URL: url('gatehouse'),
      KEY_ENCRYPTION_KEY: `${newKey},${encryptionKey}`,
    });
    await replaced.close();

    const both = { KEY_ENCRYPTION_KEY: `${newKey},${encryptionKey}` };
    expect(await run(restore!, { RESTORED_URL: url('restored'), ...both })).toMatch(/ES256 +active/);
    const statusIn = async (settings: Record<string, string>, tokens: string[]) => {
      const restored = await startTestApp({ DATABASE_URL: url('restored'), ...settings });
      const statuses: number[] = [];
      for (const token of tokens) statuses.push((await consumer.renew(token, restored)).status);
      await restored.close();
      return statuses;
    };
    for (const count of [1, 0])
      expect(await run(withdraw!, { RESTORED_URL: url('restored') })).toContain(`UPDATE ${count}\n`);
    expect(await statusIn(both, [renewed.refresh_token, later])).toEqual([401, 401]);
    const since = { SESSIONS_SINCE: second!.at };
    expect(await run(endSessions!, { RESTORED_URL: url('restored'), ...since, ...both })).toBe('3\n');
    // the start before closed the keys with the new key alone
    expect(await statusIn({ KEY_ENCRYPTION_KEY: newKey }, [revokedAfter!, untouched!, old])).toEqual([401, 401, 200]);
  },
);
