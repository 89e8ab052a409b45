/** How much PostgreSQL reads for a statement, of its plan as it was carried out: it says the same at each run, as time doesn't. */
import type { Sql } from '../../src/sql.js';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** How many rows all parts of the plan gave and threw away. */
const workOf = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + workOf(part), 0);

export async function planWork(sql: Pick<Sql, 'rows'>, text: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await sql.rows<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values);
  return workOf(row!['QUERY PLAN'][0]!.Plan);
}
