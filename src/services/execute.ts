/** Runs plain statements inside a transaction of the entity manager. */
import { CompiledQuery } from 'kysely';
import type { EntityManager } from '../context.js';
import { type NamedValues, type SharedStatement, type Sql, valuesOf } from '../sql.js';

/** A statement with bind parameters inside the entity manager's transaction. */
export async function execute<Row = unknown>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, values as unknown[]));
  return rows as Row[];
}

/** SQL: the number of the change set of the transaction; null if nothing was changed. */
export const ownChangeSet = "(select nullif(current_setting('gatehouse.change_set', true), '')::bigint)";

/**
 * Runs statements inside the transaction of the entity manager, where they see its changes. Only for statements that return JSON as
 * text, numbers and texts: times would be as the driver has them.
 */
export function transactionSql(em: EntityManager): Sql {
  const sql: Sql = {
    rows: <Row extends object>(text: string, values: readonly unknown[] = []) => execute<Row>(em, text, values),
    batchedRow: async <Row extends object>(statement: SharedStatement, values: NamedValues) =>
      (await execute<Row>(em, statement.one, valuesOf(statement, values)))[0]!,
    transaction: (work) => work(sql),
    async *stream<Row extends object>(text: string, values: readonly unknown[]) {
      yield await execute<Row>(em, text, values);
    },
  };
  return sql;
}
