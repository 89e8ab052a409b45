/** A database with event streams is restored from its back-up: numbers of transactions are those of the cluster that wrote them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { linkProfile, newProfile, newUser } from '../../support/records.js';
import { hasSystemPostgres, openSystemPostgres, type SystemPostgres } from '../../support/systemPostgres.js';
import { newPush, settled, startEventApp } from './eventApp.js';
import { startReceiver } from './receiver.js';

const itHere = hasSystemPostgres ? it : it.skip;

let clusters: SystemPostgres[];
beforeEach(async () => {
  if (hasSystemPostgres) clusters = await Promise.all([openSystemPostgres(), openSystemPostgres()]);
});

const addressOf = ({ port }: SystemPostgres, database: string): string =>
  `postgres://postgres@127.0.0.1:${port}/${database}`;

/** Runs a program of PostgreSQL on the cluster. */
const run = ({ environment, folder }: SystemPostgres, program: string, ...words: string[]): Promise<unknown> =>
  promisify(execFile)(program, words, { env: environment, cwd: folder });

/** The numbers of transactions of the cluster go on beyond those of the others. */
const useTransactions = (cluster: SystemPostgres): Promise<unknown> => {
  const text = 'do $$ begin for number in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$';
  return run(cluster, 'psql', '--command', text);
};

async function restore(from: SystemPostgres, database: string, to: SystemPostgres, restored: string): Promise<void> {
  const file = `${from.folder}/${restored}.dump`;
  await run(from, 'pg_dump', '--format=custom', `--file=${file}`, database);
  await run(to, 'createdb', restored);
  await run(to, 'pg_restore', '--no-owner', '--exit-on-error', `--dbname=${restored}`, file);
}

const take = 'delete from user_profiles where profile_id = $1';

/** While no process of the service runs. */
async function takeBeside(url: string, profileId: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(take, [profileId]);
  await client.end();
}

itHere.each([
  ['a cluster with fewer transactions', 0, [1]],
  ['a cluster with more transactions', 1, [1]],
  ['the same cluster', 0, [0]],
  ['another cluster, back to the first one, and once more', 0, [1, 0, 1]],
] as const)(
  'restored in %s, it sends what waited and what happens then, in this order and once',
  async (_, busy, targets) => {
    await useTransactions(clusters[busy]!);
    const receiver = await startReceiver();
    let [at, name] = [clusters[0]!, 'original'];
    await run(at, 'createdb', name);
    let graph = await startEventApp({ DATABASE_URL: addressOf(at, name) });
    const { guid } = await newPush(graph, receiver.url, { events: ['session-revoked'] });
    const { user_id: userId } = await newUser(graph.app.context);
    const taken: string[] = [];
    /** Takes a profile of the person. */
    const takeOne = async (by: (profileId: string) => Promise<unknown>) => {
      const profileId = profileIds.pop()!;
      await by(profileId);
      taken.push(profileId);
    };
    const takeIn = (): Promise<void> => takeOne((profileId) => graph.app.context.sql.rows(take, [profileId]));
    const takeOutside = (): Promise<void> => takeOne((profileId) => takeBeside(addressOf(at, name), profileId));
    const profileIds = await Promise.all(targets.flatMap(() => [1, 2, 3, 4]).map(() => newProfile(graph.app.context)));
    for (const profileId of profileIds) await linkProfile(graph.app.context, userId, profileId, 'member');
    for (const [number, target] of targets.entries()) {
      await takeIn();
      await settled(graph, guid);
      await graph.close();
      await takeOutside();
      const restored = `restored_${number}`;
      await restore(at, name, clusters[target]!, restored);
      [at, name] = [clusters[target]!, restored];
      // as a command does before the start, such as `sessions end`
      await takeOutside();
      graph = await startEventApp({ DATABASE_URL: addressOf(at, name) });
      await takeIn();
      await settled(graph, guid);
    }
    const claims = receiver.received.map(({ body }) =>
      JSON.parse(Buffer.from(body.split('.')[1]!, 'base64url').toString()),
    );
    expect(claims.map(({ sub_id: subject }) => subject.group.id)).toEqual(taken);
  },
);
