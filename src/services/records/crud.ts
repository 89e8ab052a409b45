/** What changes of single records share: finding the record, refusing an overwrite, telling what is still in use. */
import { LockMode } from '@mikro-orm/core';
import type { Context, EntityManager } from '../../context.js';
import type { RecordClass } from '../../entities/description.js';
import { conflict, GatehouseError, notFound } from '../../errors.js';
import { permit } from '../permit.js';
import { type InputField, type InputValues, requireInput } from './input.js';
import { change } from './transaction.js';

/** The record that `where` names. Throws NOT_FOUND, and CONFLICT when somebody else changed it since `ifRevision`. */
export async function requireRecord<T extends object>(
  em: EntityManager,
  record: RecordClass<T>,
  where: Record<string, unknown>,
  what: string,
  ifRevision?: number | null,
  options: { lockMode?: LockMode; refresh?: boolean } = {},
): Promise<T> {
  const found = (await em.findOne(record, where as never, options)) as T | null;
  if (!found) throw notFound(`The ${what}`);
  requireRevision(found, ifRevision);
  return found;
}

/** For one that is to be removed: as it is now, and until the transaction ends nobody else changes or removes it. */
export const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/** Throws CONFLICT when somebody else changed the record since `ifRevision`; nothing is asked without it. */
export function requireRevision(record: { revision?: number }, ifRevision: number | null | undefined): void {
  if (typeof ifRevision === 'number' && record.revision !== ifRevision)
    throw conflict('Somebody else changed it meanwhile.');
}

/** Checks an input and changes by it; permission comes first. */
export async function changeBy<T>(
  context: Context,
  fields: readonly InputField[],
  input: unknown,
  work: (em: EntityManager, values: InputValues) => Promise<T>,
): Promise<T> {
  permit(context, 'admin:write');
  const values = requireInput(fields, input);
  return change(context, 'admin:write', (em) => work(em, values));
}

/** Removes a record, and gives its key. Throws CONFLICT while others need it. */
export const remove = <Key>(context: Context, what: string, work: (em: EntityManager) => Promise<Key>): Promise<Key> =>
  change(context, 'admin:write', work, { missedReference: `The ${what} is in use.` });

/** An input names a record that isn't there. */
export const unknownReference = (field: string, what: string): GatehouseError => {
  const message = `There is no such ${what}.`;
  return new GatehouseError('NOT_FOUND', message, { problems: { [field]: [message] } });
};
