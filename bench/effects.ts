/**
 * `npm run bench -- effects`: what the effect of a change costs at the size of the large demonstration: 5,208 applications and
 * 50,007 people.
 */
import { cpus } from 'node:os';
import { demonstrationFile } from '../dev/demoData.js';
import { fillLarge, largeSize } from '../dev/largeData.js';
import type { Context } from '../src/context.js';
// the classes of the changes
import '../src/graphql/schema.js';
import { applyChanges } from '../src/modules/changes/applyChanges.js';
import { readPastEffect } from '../src/modules/changes/effect.js';
import { planChanges } from '../src/modules/changes/planChanges.js';
import { removeEndedGrants } from '../src/modules/governance/endedGrants.js';
import { importFile } from '../src/modules/transfer/importFile.js';
import { median } from './load.js';
import { replaceSection } from './results.js';
import type { Stage } from './row.js';
import { withSides } from './service.js';

const rounds = 9;

export const run = ({ cluster }: Stage): Promise<void> =>
  withSides(cluster.openDatabase('effects'), async ({ app }) => {
    const context = app.commandContext();
    await importFile(context, demonstrationFile);
    await fillLarge(context);
    const one = await measure(context, (turn) => mappings(context, 1, turn));
    const thousand = await measure(context, (turn) => mappings(context, 1_000, turn));
    const taken = await measure(context, () => endings(context, 1_000));
    const ended = await measureEnds(context, 3_000);
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    const section = [
      `${largeSize.applications} applications, ${largeSize.people} people, ${largeSize.profiles} profiles; ${cpus().length} cores with PostgreSQL on them. A dry run makes the changes, computes the effect and outcomes, and rolls back.`,
      '',
      '| | dry run, median | of which the effect | aim for the effect |',
      '|---|---|---|---|',
      `| one mapping | ${ms(one.total)} | ${ms(one.effect)} | 50 ms |`,
      `| 1,000 mappings | ${ms(thousand.total)} | ${ms(thousand.effect)} | 1,000 ms |`,
      `| 1,000 profiles taken from people | ${ms(taken.total)} | ${ms(taken.effect)} | 1,000 ms |`,
      `| 3,000 grants that ended: the effects of their change sets |  | ${ms(ended)} | 1,000 ms |`,
      '',
      `The largest of these dry runs took ${Math.max(one.memory, thousand.memory, taken.memory).toFixed(0)} MB more memory than the same changes without an effect (aim 50 MB).`,
    ].join('\n');
    process.stdout.write(`${section}\n`);
    replaceSection('effects', section);
  });

interface Measured {
  total: number;
  effect: number;
  /** MB that the effect adds to the peak. */
  memory: number;
}

async function measure(context: Context, changesOf: (turn: number) => Promise<object[]>): Promise<Measured> {
  const [withEffect, without, peaks, peaksWithout]: number[][] = [[], [], [], []];
  for (let turn = 0; turn < rounds; turn++) {
    const changes = await changesOf(turn);
    for (const effect of [false, true]) {
      global.gc?.();
      const before = process.memoryUsage().rss;
      let most = before;
      const timer = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss);
      }, 5);
      const startedAt = performance.now();
      await applyChanges(context, planChanges(changes), { dryRun: true, details: { events: false, effect } });
      (effect ? withEffect : without)!.push(performance.now() - startedAt);
      clearInterval(timer);
      (effect ? peaks : peaksWithout)!.push((Math.max(most, process.memoryUsage().rss) - before) / 1e6);
    }
  }
  const [total, rest] = [median(withEffect!), median(without!)];
  return { total, effect: total - rest, memory: median(peaks!) - median(peaksWithout!) };
}

/** Mappings of access scopes with many holders that do not exist yet. */
async function mappings({ sql }: Context, count: number, turn: number): Promise<object[]> {
  const rows = await sql.rows<{ applicationGuid: string; accessScopeGuid: string }>(
    `select a.application_guid::text as "applicationGuid", s.access_scope_guid::text as "accessScopeGuid"
     from applications a cross join (
       select s.access_scope_id, access_scope_guid, count(*) as profiles from access_scopes s join profile_access_scopes using (access_scope_id)
       where is_active group by s.access_scope_id order by profiles desc, s.access_scope_id limit 5) s
     where a.is_active and not exists (
       select from access_scope_applications_mappers m where m.application_id = a.application_id and m.access_scope_id = s.access_scope_id)
     order by md5(a.application_id::text || s.access_scope_id || $2::text) limit $1`,
    [count, turn],
  );
  return rows.map((cell) => ({ mapping: { ...cell, from: null, to: 'active' } }));
}

async function endings({ sql }: Context, count: number): Promise<object[]> {
  const rows = await sql.rows<{ userGuid: string; profileId: string; roleId: string }>(
    `select user_guid::text as "userGuid", profile_id as "profileId", role_id as "roleId" from user_profiles join users using (user_id)
     order by profile_id, role_id, user_profile_id limit $1`,
    [count],
  );
  return rows.map((grant) => ({ unassignProfile: grant }));
}

/** The time of the effects of all change sets that remove so many grants, which end at the same moment. */
async function measureEnds(context: Context, count: number): Promise<number> {
  const { sql } = context;
  await sql.rows(
    `update user_profiles set valid_until = now() - interval '1 minute' where user_profile_id in (
       select user_profile_id from user_profiles order by md5(user_profile_id::text) limit ${count})`,
  );
  await removeEndedGrants(context, new AbortController().signal);
  const sets = await sql.rows<{ id: string }>(
    `select change_set_id::text as id from change_sets where face = 'schedule' order by change_set_id`,
  );
  const startedAt = performance.now();
  for (const { id } of sets) await readPastEffect(context, id);
  return performance.now() - startedAt;
}
