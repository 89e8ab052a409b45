/** How many statements PostgreSQL was sent: it writes each into its log meanwhile. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { administer, type Cluster } from './service.js';

const logMs = 200;

/** Statements per answer of the work, which gives its number of answers; whatever else is under way counts too. */
export async function countStatements({ url, log }: Cluster, work: () => Promise<number>): Promise<number> {
  const begin = randomUUID();
  const end = randomUUID();
  await administer(
    url,
    `alter system set log_parameter_max_length = 0`,
    `alter system set log_statement = 'all'`,
    'select pg_reload_conf()',
  );
  await pause(logMs);
  await administer(url, `select '${begin}'`);
  const answers = await work();
  await administer(url, `select '${end}'`, 'alter system reset log_statement', 'select pg_reload_conf()');
  await pause(logMs);
  const lines = readFileSync(log, 'utf8').split('\n');
  const [from, to] = [begin, end].map((marker) => lines.findIndex((line) => line.includes(marker)));
  if (from! < 0 || to! < 0) return Number.NaN;
  // a cursor read on is the same statement
  const executed = lines
    .slice(from! + 1, to)
    .filter((line) => /LOG: {2}(execute (?!fetch from)|statement: )/.test(line));
  return executed.length / answers;
}
