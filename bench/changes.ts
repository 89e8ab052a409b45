/**
 * `npm run bench -- changes`: what a dry run with its effect costs at 10,000 applications, 200,000 mappings, 5,000 profiles
 * and 100,000 users, what histories add to a change, and how long it takes to say why somebody can't open an application.
 */
import { cpus } from 'node:os';
import type { Context } from '../src/context.js';
import { storedPlan } from '../src/graphql/schema/changes.js';
import { applyChanges } from '../src/modules/changes/applyChanges.js';
import { explainAccess } from '../src/modules/changes/explaining/explainAccess.js';
import { judgeRemedies } from '../src/modules/changes/judgeRemedies.js';
import { updateApplication } from '../src/services/catalogue/applications.js';
import { createMappings, scopeMappings, setMappings } from '../src/services/catalogue/mappings.js';
import type { PlannedChange } from '../src/services/records/plannedChange.js';
import { fillGraph } from './graphData.js';
import { median } from './load.js';
import { replaceSection } from './results.js';
import { openBench } from './service.js';

const applications = 10_000;
const profiles = 5_000;
const users = 100_000;
const rounds = 15;
const system = "'00000000-0000-0000-0000-000000000001'";

export async function run(): Promise<void> {
  const bench = await openBench();
  try {
    const context = bench.app.commandContext();
    await fill(context);
    const one = await timesOf(rounds, () => dryRun(context, 1));
    const thousand = await timesOf(5, () => dryRun(context, 1_000));
    const [largest, memory] = await measureLargest(context);
    const explained = await explainSome(context);
    const [plain, withHistory] = await compareChanges(context);
    const line = (what: string, value: string, aim: string) => `| ${what} | ${value} | ${aim} |`;
    const section = [
      `${applications} applications, 200,000 mappings, ${profiles} profiles, ${users} users; ${cpus().length} cores with PostgreSQL on them.`,
      '',
      '| | median | aim |',
      '|---|---|---|',
      line('dry run of one mapping, with its effect', `${one.toFixed(0)} ms`, '50 ms'),
      line('dry run of 1,000 mappings, with their effect', `${thousand.toFixed(0)} ms`, '1,000 ms'),
      line(
        'dry run of 1,000 changes with 10,000 items, with their effect',
        `${(largest / 1_000).toFixed(1)} s, ${memory.toFixed(0)} MB more memory`,
        '',
      ),
      line('explainAccess with its remedies, of what nobody has', `${explained.toFixed(0)} ms`, '30 ms'),
      line('a change with histories against one without', `${(withHistory / plain).toFixed(2)} ×`, '1.3 ×'),
    ].join('\n');
    process.stdout.write(`${section}\n`);
    replaceSection('changes', section);
  } finally {
    await bench.close();
  }
}

async function fill(context: Context): Promise<void> {
  const { sql } = context;
  // their histories would take a minute, and are none that anybody has
  const triggers = (done: string) =>
    Promise.all(filled.map((table) => sql.rows(`alter table ${table} ${done} trigger user`)));
  await triggers('disable');
  await fillGraph(sql, applications, 'plain');
  await sql.rows(
    `insert into users (first_name, last_name, created_by) select 'Given', 'Family ' || n, ${system} from generate_series(1, ${users}) n`,
  );
  await sql.rows(`insert into roles (role_id, name, created_by) values ('member', 'Member', ${system})`);
  await sql.rows(
    `insert into profiles (profile_id, name, created_by) select 'profile-' || n, 'Profile ' || n, ${system} from generate_series(1, ${profiles}) n`,
  );
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'profile-' || n, first.id + (n * 13 + m * 97) % 2000, ${system} from generate_series(1, ${profiles}) n, generate_series(1, 16) m,
       (select min(access_scope_id) id from access_scopes where name like 'Access scope %') first on conflict do nothing`,
  );
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'profile-' || 1 + user_id % ${profiles}, 'member', ${system} from users`,
  );
  // else the applications stay open by their types
  await sql.rows('delete from access_scope_type_applications_mappers');
  await triggers('enable');
  await sql.rows('vacuum analyze');
}

const filled = [
  'users',
  'roles',
  'profiles',
  'profile_access_scopes',
  'user_profiles',
  'applications',
  'access_scope_types',
  'access_scopes',
  'access_scope_applications_mappers',
  'access_scope_type_applications_mappers',
  'translations',
];

/** Mappings that are there, made inactive: a column of a grid. */
async function cellsOf({ sql }: Context, count: number) {
  return sql.rows<{ applicationGuid: string; accessScopeGuid: string; from: string; to: string }>(
    `select a.application_guid as "applicationGuid", s.access_scope_guid as "accessScopeGuid", m.state as "from", 'off' as "to"
     from access_scope_applications_mappers m join applications a using (application_id) join access_scopes s using (access_scope_id)
     where a.application_id > 500 order by m.access_scope_id, a.application_id limit $1`,
    [count],
  );
}

async function dryRun(context: Context, count: number): Promise<void> {
  const cells = await cellsOf(context, count);
  const change: PlannedChange = {
    changes: count,
    items: count,
    apply: (inside) => setMappings(inside, cells),
    place: () => 'changes',
  };
  const startedAt = performance.now();
  const { effect } = await applyChanges(context, [change], {
    dryRun: true,
    details: { events: false, effect: true },
  });
  took = performance.now() - startedAt;
  if (effect!.loses.applications === 0) throw new Error('nothing was lost');
}
let took = 0;

/** The largest set that there may be: milliseconds, and the most memory that it took in MB. */
async function measureLargest(context: Context): Promise<[number, number]> {
  const { sql } = context;
  const scopes = await sql.rows<{ accessScopeGuid: string }>(
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 'New ' || n, 'new-' || n, (select min(access_scope_type_id) from access_scope_types where name like 'type-%'), ${system}
     from generate_series(1, 10) n returning access_scope_guid as "accessScopeGuid"`,
  );
  const applications = await sql.rows<{ guid: string }>('select application_guid as guid from applications limit 1000');
  const changes = applications.map(
    ({ guid }): PlannedChange => ({
      changes: 1,
      items: scopes.length,
      apply: (inside) => createMappings(inside, scopeMappings, guid, scopes),
      place: () => guid,
    }),
  );
  global.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const startedAt = performance.now();
  await applyChanges(context, changes, {
    dryRun: true,
    details: { events: true, effect: true },
  });
  const milliseconds = performance.now() - startedAt;
  clearInterval(timer);
  return [milliseconds, (most - before) / 1e6];
}

async function timesOf(count: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    await work();
    times.push(took);
  }
  return median(times);
}

/** Of somebody without any way to it: every nearest way is compared, and what would open it is counted. */
async function explainSome(context: Context): Promise<number> {
  const pairs = await context.sql.rows<{ userGuid: string; applicationGuid: string }>(
    `select u.user_guid as "userGuid", a.application_guid as "applicationGuid"
     from (select user_guid, row_number() over (order by user_id desc) n from users limit 40) u
     join (select application_guid, row_number() over (order by application_id desc) n from applications limit 40) a using (n)`,
  );
  const times: number[] = [];
  for (const pair of pairs) {
    const startedAt = performance.now();
    const { isOpen, remedies } = await explainAccess(context, pair, judgeRemedies(context, storedPlan));
    if (!isOpen && remedies.length > 0) times.push(performance.now() - startedAt);
  }
  if (times.length < 20) throw new Error('too many applications are open');
  return median(times);
}

/** One change in turns with and without triggers. */
async function compareChanges(context: Context): Promise<[number, number]> {
  const [application] = await context.sql.rows<{ guid: string }>(
    'select application_guid guid from applications limit 1',
  );
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 20; round++)
    for (const side of [0, 1] as const) {
      await context.sql.rows(`alter table applications ${side === 0 ? 'disable' : 'enable'} trigger user`);
      for (let change = 0; change < 20; change++) {
        const startedAt = performance.now();
        await updateApplication(context, application!.guid, { description: `${round} ${side} ${change}` });
        times[side].push(performance.now() - startedAt);
      }
    }
  return [median(times[0]), median(times[1])];
}
