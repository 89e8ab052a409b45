/** The version before, at work while the new one migrates, and both beside each other: nobody is refused. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { allMigrations } from '../../src/database/migrations/all.js';
import { outputOf, succeed, usersCount } from '../failover/gatehouses.js';
import { type Trial, tell } from '../failover/trial.js';
import { must, openServices, openUser, type Services, startPostgres, type User } from './processes.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const git = async (...words: string[]): Promise<string> => (await run('git', words, { cwd: root })).stdout.trim();

/** The last commit before the newest migration, built in a folder of its own; undefined where there is no history. */
async function buildBefore(trial: Trial): Promise<{ folder: string; commit: string } | undefined> {
  const newest = allMigrations.at(-1)!.name;
  const added = await git(
    'log',
    '--diff-filter=A',
    '--format=%H',
    '-1',
    '--',
    `src/database/migrations/${newest}.ts`,
  ).catch(() => '');
  if (added === '') return undefined;
  const folder = join(trial.folder, 'before');
  await mkdir(folder);
  const commit = await git('rev-parse', `${added}^`);
  await run('sh', ['-c', `git archive ${commit} | tar --extract --directory ${folder}`], { cwd: root });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], { cwd: folder, maxBuffer: 1e8 });
  return { folder, commit };
}

interface Load {
  answers: number;
  faults: string[];
  isOver: boolean;
}

/** @param number names its roles, and is drawn from so many that no two runs have the same */
async function useIt(user: User, number: number, load: Load): Promise<void> {
  let token: string | undefined;
  for (let round = 0; !load.isOver; round++) {
    const session = token ? await user.renew(token) : await user.exchange(number % usersCount);
    token = session.json?.refresh_token;
    const roleId = `role${number}-${round}`;
    const made = await user.graph(`mutation { createRole(input: {roleId: "${roleId}", name: "r"}) { roleId } }`);
    const listed = await user.list();
    for (const { outcome, text } of [session, made, listed]) {
      load.answers += 1;
      if (outcome !== 200 || text.includes('"errors"')) load.faults.push(`${outcome} ${text.slice(0, 200)}`);
    }
    await pause(20);
  }
}

async function underLoad(urls: string[], services: Services, work: () => Promise<void>): Promise<number> {
  const load: Load = { answers: 0, faults: [], isOver: false };
  const users = urls.flatMap((url) => [openUser(url, services), openUser(url, services)]);
  const offset = Math.floor(Math.random() * 1e9);
  const using = users.map((user, index) => useIt(user, offset + index, load));
  await pause(1_500);
  await work();
  await pause(1_500);
  load.isOver = true;
  await Promise.all(using);
  for (const user of users) user.close();
  must('nobody is refused', load.faults.length === 0, load.faults.slice(0, 5));
  return load.answers;
}

/** As docs/upgrading.md says: the version before is started on what the new one has migrated and written. */
async function goBack(services: Services, young: string, main: string): Promise<number> {
  const user = openUser(young, services);
  const { json: session } = await user.exchange(0);
  user.close();
  const back = await services.start('back', { AUTO_MIGRATE: 'no' }, { main });
  must('the version before is ready on the new schema', (await fetch(`${back}/readyz`)).status === 200);
  const again = openUser(back, services);
  const renewed = await again.renew(session.refresh_token);
  again.close();
  must('a session of the new version goes on at the version before', renewed.outcome === 200, renewed);
  return underLoad([back], services, () => pause(3_000));
}

export async function tryVersions(trial: Trial): Promise<string> {
  const before = await buildBefore(trial);
  if (!before) return 'skipped: it takes the version before from the git history, and there is none';
  tell(`versions: the version before is ${before.commit.slice(0, 9)}`);
  const postgres = await startPostgres(trial);
  const program = (name: string): string => join(before.folder, `dist/src/${name}.js`);
  const services = await openServices(trial, postgres.url, { cli: program('cli') });
  const old = await services.start('old', {}, { main: program('main') });
  const migrating = await underLoad([old], services, async () =>
    succeed('migrate', await services.command('new-migrate', ['migrate'])),
  );
  const young = await services.start('young');
  must('the new version is ready', (await fetch(`${young}/readyz`)).status === 200);
  // a new version may refuse an operator's token of the one before: an upgrade's next step is a new one
  const adminToken = await outputOf(trial, 'new-admin-token', services.command);
  const beside = await underLoad([old, young], { ...services, adminToken }, () => pause(3_000));
  const back = await goBack(services, young, program('main'));
  return `the version before answered ${migrating} requests while ${allMigrations.at(-1)!.name} ran, ${beside} beside the new one, and ${back} when all went back to it; none failed`;
}
