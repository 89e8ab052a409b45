/** Plain statements inside a transaction of the entity manager. */
import { CompiledQuery } from 'kysely';
import type { EntityManager } from '../../context.js';

/** A statement with bind parameters inside the entity manager's transaction. */
export async function execute<Row = unknown>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, values as unknown[]));
  return rows as Row[];
}
