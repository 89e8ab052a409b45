/** PgBouncer with the file of ops/pgbouncer, by HAProxy to the primary. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorFile, programs } from './operatorFiles.js';
import type { Trial } from './trial.js';

/** Gives the DATABASE_URL through it. @param directUrl whose log-in it takes */
export async function startPgbouncer(trial: Trial, directUrl: string, postgresPort: number): Promise<string> {
  const [port] = (await trial.ports(1)) as [number];
  const [, user, password] = /\/\/([^:]+):([^@]+)@/.exec(directUrl)!;
  const users = join(trial.folder, 'userlist.txt');
  const settings = join(trial.folder, 'pgbouncer.ini');
  await writeFile(users, `"${user}" "${password}"\n`);
  await writeFile(
    settings,
    fillIn(await readFile(operatorFile('pgbouncer/pgbouncer.ini'), 'utf8'), {
      'port=5000': `port=${postgresPort}`,
      'listen_port = 6432': `listen_port = ${port}`,
      '/etc/pgbouncer/userlist.txt': users,
    }),
  );
  for (const file of [users, settings]) await chmod(file, 0o644);
  await trial.start('pgbouncer', { command: programs.pgbouncer, words: [settings], asPostgres: true });
  return `postgresql://${user}:${password}@127.0.0.1:${port}/gatehouse`;
}

function fillIn(text: string, own: Record<string, string>): string {
  return Object.entries(own).reduce((filled, [given, value]) => {
    if (!filled.includes(given)) throw new Error(`ops/pgbouncer/pgbouncer.ini has no ${given}`);
    return filled.replace(given, value);
  }, text);
}
