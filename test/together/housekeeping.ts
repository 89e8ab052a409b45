/** A year of token records, nearly all of them for the clean-up, while users renew: two processes, and nobody notices. */
import { setTimeout as pause } from 'node:timers/promises';
import { userGuid } from '../failover/gatehouses.js';
import { type Trial, until } from '../failover/trial.js';
import { must, openServices, openUser, startPostgres } from './processes.js';

const rows = Number(process.env.TOGETHER_ROWS ?? 200_000);
const users = 8;
const settings = { HOUSEKEEPING_MINUTES: '1', TOKEN_RETENTION_DAYS: '7', AUDIT_RETENTION_DAYS: '30' };

export async function tryHousekeeping(trial: Trial): Promise<string> {
  const postgres = await startPostgres(trial);
  const services = await openServices(trial, postgres.url);
  // the last 37 days are alive or kept
  await postgres.ask(`insert into tokens (user_id, profile_id, token, created_at, expires_at)
    select '${userGuid(1)}', 'profile', sha256(n::text::bytea), at, at + interval '30 days'
    from (select n, now() - n * interval '365 days' / ${rows} as at from generate_series(1, ${rows}) n) each`);
  // events are numbered as they come: those of the preparation are the oldest
  await postgres.ask(`update audit_events set occurred_at = now() - interval '366 days'`);
  await postgres.ask(`insert into audit_events (occurred_at, actor, action, subject_type, subject_id)
    select now() - (${rows} - n) * interval '365 days' / ${rows}, '${userGuid(1)}', 'update', 'Role', 'r' from generate_series(1, ${rows}) n`);
  const count = async (condition: string): Promise<number> =>
    (await postgres.ask<{ count: number }>(`select count(*)::int as count from ${condition}`))[0]!.count;
  const keptTokens = await count(`tokens where expires_at >= now() - interval '7 days'`);
  const urls = [await services.start('one', settings), await services.start('two', settings)];
  const callers = Array.from({ length: users }, (_, index) => openUser(urls[index % 2]!, services));
  const phases = { quiet: [] as number[], cleaning: [] as number[] };
  let phase: keyof typeof phases = 'quiet';
  let isOver = false;
  const faults: unknown[] = [];
  const using = callers.map(async (caller, index) => {
    let { json } = await caller.exchange(index);
    while (!isOver) {
      const startedAt = performance.now();
      const { outcome, json: next } = await caller.renew(json?.refresh_token);
      phases[phase].push(performance.now() - startedAt);
      if (outcome !== 200) faults.push(outcome);
      json = next;
      await pause(10);
    }
  });
  const over = `tokens where expires_at < now() - interval '8 days'`;
  await until('the clean-up begins', 120, async () => (await count(over)) < (rows * 320) / 365 - 2_000);
  phase = 'cleaning';
  const startedAt = performance.now();
  await until(
    'all that is over is gone',
    900,
    async () => (await postgres.ask(`select 1 from ${over} limit 1`)).length === 0,
  );
  await until(
    'old audit events as well',
    900,
    async () =>
      (await postgres.ask(`select 1 from audit_events where occurred_at < now() - interval '31 days' limit 1`))
        .length === 0,
  );
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  isOver = true;
  await Promise.all(using);
  for (const caller of callers) caller.close();
  must('every renewal is answered', faults.length === 0, faults.slice(0, 10));
  const left = await count(`tokens where expires_at >= now() - interval '7 days'`);
  must('nothing that is kept is gone', left >= keptTokens - rows / 3_000, [left, keptTokens]);
  const of = (times: number[], share: number): number =>
    Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0);
  const shown = (times: number[]): string =>
    `${times.length} renewals, median ${of(times, 0.5)} ms, p99 ${of(times, 0.99)} ms`;
  return `${rows} records and as many events of a year, in ${seconds} s; before: ${shown(phases.quiet)}; meanwhile: ${shown(phases.cleaning)}; none failed`;
}
