/** Standbys: cursors that go from one to the other, and a history that a fail-over ended. */
import { type Trial, until } from '../failover/trial.js';
import { must, openServices, openUser, startPostgres, type User } from './processes.js';

const makeRole = async (user: User, roleId: string): Promise<void> => {
  const { outcome, json } = await user.graph(
    `mutation { createRole(input: {roleId: "${roleId}", name: "r"}) { roleId } }`,
  );
  must(`${roleId} is made`, outcome === 200 && !json.errors, json);
};
const page =
  'query Page($after: String) { roles(first: 7, after: $after) { nodes { roleId } pageInfo { endCursor hasNextPage } } }';

async function roleIds(user: User): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ; ) {
    const { json } = await user.graph(page, { after });
    must('a page of roles', Boolean(json?.data), json);
    const { nodes, pageInfo } = json.data.roles as {
      nodes: { roleId: string }[];
      pageInfo: { endCursor: string; hasNextPage: boolean };
    };
    found.push(...nodes.map(({ roleId }) => roleId));
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

export async function tryHistories(trial: Trial): Promise<string> {
  const postgres = await startPostgres(trial, 2);
  const services = await openServices(trial, postgres.url);
  const [first, second] = postgres.standbys as [{ name: string; url: string }, { name: string; url: string }];
  const ports = postgres.standbys.map(({ url }) => Number(new URL(url).port)) as [number, number];
  const metricsPort = (await trial.ports(1))[0]!;
  const user = openUser(
    await services.start('app', {
      DATABASE_REPLICA_URLS: `${first.url} ${second.url}`,
      METRICS_PORT: String(metricsPort),
    }),
    services,
  );
  for (let index = 0; index < 40; index++) await makeRole(user, `r${String(index).padStart(2, '0')}`);
  for (let round = 0; round < 10; round++) {
    // one of them lags, in turn
    await postgres.ask('select pg_wal_replay_pause()', ports[round % 2]);
    await makeRole(user, `s${round}`);
    const found = await roleIds(user);
    must(
      'the pages of two standbys are all roles, each once',
      new Set(found).size === found.length && found.includes(`s${round}`),
      found,
    );
    must('none is missing', found.length === 41 + round + 1, found.length);
    await postgres.ask('select pg_wal_replay_resume()', ports[round % 2]);
  }
  const read = async (result: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(new RegExp(`replica_reads_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  const byReplicas = await read('replica');
  must('standbys answered', byReplicas > 0);

  // the second standby gets no more; the primary makes changes that the first alone has; the second is promoted
  await until(
    'both have caught up',
    30,
    async () => (await postgres.ask('select 1 from pg_stat_replication where replay_lsn < sent_lsn')).length === 0,
  );
  await postgres.ask("alter system set primary_conninfo = ''", ports[1]);
  await postgres.ask('select pg_reload_conf()', ports[1]);
  await until(
    'the second receives nothing',
    30,
    async () => (await postgres.ask('select 1 from pg_stat_wal_receiver', ports[1])).length === 0,
  );
  for (let index = 0; index < 3; index++) await makeRole(user, `lost${index}`);
  await until(
    'the first has them',
    30,
    async () => (await postgres.ask("select 1 from roles where role_id = 'lost2'", ports[0])).length === 1,
  );
  const isAhead = (await postgres.ask("select 1 from roles where role_id = 'lost2'", ports[1])).length === 1;
  must('the second lacks them', !isAhead);
  await postgres.ask('select pg_promote()', ports[1]);
  await trial.kill('db');
  user.close();
  const after = openUser(
    await services.start('after', { DATABASE_URL: second.url, DATABASE_REPLICA_URLS: first.url }),
    services,
  );
  for (let index = 0; index < 4; index++) {
    const found = await roleIds(after);
    must('no lost change is read', !found.some((roleId) => roleId.startsWith('lost')), found);
    await makeRole(after, `kept${index}`);
    must('every kept change is read', (await roleIds(after)).includes(`kept${index}`));
  }
  after.close();
  return `cursors over two standbys, one of which lags: all roles once, ${byReplicas} reads by standbys; of 3 lost changes none was read from the standby that has them`;
}
