/** Runs every administrative change: checks the permission, and opens one transaction that announces the author. */
import { LockMode, OptimisticLockError, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { Permission } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { versionStatement } from '../../entities/catalogueVersion.js';
import type { RecordClass } from '../../entities/description.js';
import { conflict, GatehouseError, notFound, preconditionFailed, throwReadFailure } from '../../errors.js';
import { requirePower } from '../adminScopes/guard.js';
import { execute, ownChangeSet } from '../execute.js';
import { actorOf, needsApproval, permit, permitDirectly } from '../permit.js';
import { type InputField, type InputValues, requireInput } from './input.js';

/** Runs a statement with bind parameters in the transaction of the change. */
type Run = (text: string, values: readonly unknown[]) => Promise<unknown>;

export const runIn =
  (em: EntityManager): Run =>
  (text, values) =>
    execute(em, text, values);

/** The announcement of a transaction, before it changes anything. Triggers make the change set, stamps and audit events from it. */
interface ChangeAuthor extends Pick<ChangeOptions, 'note' | 'undoesId' | 'stamps'> {
  actor: string;
  /** The request that the change belongs to. */
  traceId: string;
  face: string;
}

/** The author of changes of this context. */
export const authorOf = (context: Context): ChangeAuthor => {
  const { traceId, face, note } = context;
  return { actor: actorOf(context), traceId, face, ...(note !== undefined && { note }) };
};

/** Announces the author of the current transaction to the database. */
export async function announceChange(run: Run, author: ChangeAuthor): Promise<void> {
  await run("select set_config('gatehouse.change', $1, true)", [JSON.stringify({ stamps: 'now', ...author })]);
}

export interface AuditEntry {
  action: string;
  subjectType: string;
  subjectId: string;
  detail?: object | null;
}

const insertAudit = (changeSet: string): string => `
  insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
  select change_author(), current_setting('gatehouse.change')::jsonb->>'traceId', ${changeSet},
    action, "subjectType", "subjectId", detail
  from jsonb_to_recordset($1) as entry (action text, "subjectType" text, "subjectId" text, detail jsonb)`;

/**
 * Writes the audit events of records without a history: clients, tokens and keys. Triggers write those of all other records.
 * The transaction must have announced the author.
 */
export async function writeAudit(run: Run, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await run(insertAudit('(select current_change_set())'), [JSON.stringify(entries)]);
}

/** Writes audit events of what changes no administered record, and so makes no change set: issued tokens, and decisions of reviews. */
export async function writeAuditAlone(run: Run, entries: readonly AuditEntry[]): Promise<void> {
  await run(insertAudit('null'), [JSON.stringify(entries)]);
}

/** The messages for a change that another one preceded. */
export const alreadyThere = 'It exists already.';
export const changedMeanwhile = 'It was changed by somebody else since it was read.';

/** Optional details of a change. */
export interface ChangeOptions {
  note?: string | null | undefined;
  /** Number of the change set that it undoes. */
  undoesId?: string;
  /** The errors for a reference to a record that doesn't exist, and for the removal of a record that others refer to. */
  missedReference?: string;
  /** `brought`: its statements set `modified_date` and `modified_by` themselves; null stands for now and the author. */
  stamps?: 'now' | 'brought';
  /** It only ends sessions and grants that are over, and never waits for a second person. */
  onlyEnds?: boolean;
  /** Runs when everything is written; what it throws rolls everything back. */
  finish?: (em: EntityManager) => Promise<void>;
}

/**
 * Runs `work` in one transaction, or in that of the context. Every change of an administered record goes through this function.
 * Triggers stamp the records, write their history and audit events, and raise the catalogue version at the commit. Throws
 * CONFLICT for a record that exists already or that somebody else changed or removed at the same time, APPROVAL_REQUIRED, and
 * FORBIDDEN for what only `admin:security` changes.
 */
export async function change<T>(
  context: Context,
  permission: Permission,
  work: (em: EntityManager) => Promise<T>,
  { finish, missedReference, onlyEnds = false, ...announcement }: ChangeOptions = {},
): Promise<T> {
  permit(context, permission);
  if (!onlyEnds) permitDirectly(context, permission);
  const isUnapproved = context.face === 'cli' && !context.isDryRun && !onlyEnds && needsApproval(context, permission);
  // nothing has begun where there is no room for it
  const release = context.changing ? undefined : await context.holdTransaction?.().catch(throwReadFailure);
  try {
    if (context.changing) return await flushed(context.changing, work);
    const done = await context.orm.em.fork().transactional(async (em) => {
      await announceChange(runIn(em), { ...authorOf(context), ...announcement });
      const result = await flushed(em, work);
      if (!onlyEnds) await requirePower(em, context);
      if (isUnapproved) await execute(em, markUnapproved, []);
      await finish?.(em);
      return result;
    });
    if (isUnapproved)
      context.log.warn({ actor: actorOf(context), traceId: context.traceId }, 'a command changed without approval');
    return done;
  } catch (error) {
    throw asConflict(error, missedReference);
  } finally {
    release?.();
  }
}

/** SQL: the guid of the change set of the current transaction. */
export const madeChangeSetGuid = '(select change_set_guid from change_sets where change_set_id = current_change_set())';

/** Large changes are made one at a time: two that touch the same records in another order would wait for each other. */
export const lockChangeSets = "select pg_advisory_xact_lock(hashtext('gatehouse change set'))";

/**
 * Locks large changes. A trial first takes the turn of its caller: of all trials of one caller at most one holds the lock or waits
 * for it, and the others' changes come in between.
 */
export const lockChanges = (inside: Context): Promise<unknown> =>
  inside.isDryRun
    ? inside.sql.rows(
        `with turn as materialized (select pg_advisory_xact_lock(hashtext('gatehouse trial'), hashtext($1)))
         ${lockChangeSets} from turn`,
        [actorOf(inside)],
      )
    : inside.sql.rows(lockChangeSets);

/** Raises the catalogue version before the commit. Every other change waits from here on, so this comes after all that takes time. */
export const raiseVersion = (inside: Context): Promise<unknown> => inside.sql.rows('set constraints all immediate');

const markUnapproved = `update change_sets set is_unapproved = true where change_set_id = ${ownChangeSet}`;

async function flushed<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const result = await work(em);
  await em.flush();
  return result;
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html: restrict_violation and foreign_key_violation
const missedReferences = new Set(['23001', '23503']);

function asConflict(
  error: unknown,
  missedReference = 'A record that it refers to was removed by somebody else.',
): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (missedReferences.has(String(code))) return conflict(missedReference);
  if (error instanceof UniqueConstraintViolationException || code === '23505') return conflict(alreadyThere);
  if (error instanceof OptimisticLockError || code === '40P01')
    return new GatehouseError('CONFLICT', changedMeanwhile, { cause: error });
  return error;
}

/** Whether a change only met another one at the same moment, so that the same change may succeed when it is made again. */
export const hasMetAnother = ({ code, more }: GatehouseError): boolean =>
  code === 'CONFLICT' && more.cause !== undefined;

/** The record that `where` selects. Throws NOT_FOUND, and CONFLICT if somebody else changed it since `ifRevision`. */
export async function requireRecord<T extends object>(
  em: EntityManager,
  record: RecordClass<T>,
  where: Record<string, unknown>,
  what: string,
  ifRevision?: number | null,
  options: { lockMode?: LockMode; refresh?: boolean } = {},
): Promise<T> {
  const row = (await em.findOne(record, where as never, options)) as T | null;
  if (!row) throw notFound(`The ${what}`);
  requireRevision(row, ifRevision);
  return row;
}

/**
 * Throws PRECONDITION_FAILED if the condition of the change is false. Call it when all other rows are locked: it locks the version
 * of the catalogue, so no other change is committed between the comparison and the commit.
 */
export async function requireVersion({ ifVersion }: Context, em: EntityManager): Promise<void> {
  if (!ifVersion) return;
  const [row] = await execute<{ version: string }>(em, `${versionStatement} for no key update`, []);
  if (!ifVersion(row!.version)) throw preconditionFailed();
}

/** Reads and locks a record that is to be removed, until the transaction ends. */
export const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/** Throws CONFLICT if somebody else changed the record since `ifRevision`; does nothing without it. */
export function requireRevision(record: { revision?: number }, ifRevision: number | null | undefined): void {
  if (typeof ifRevision === 'number' && record.revision !== ifRevision) throw conflict(changedMeanwhile);
}

/** Changes the fields of a record that `input` has; null clears. Throws CONFLICT if somebody else changed it since `ifRevision`. */
export type Update<T, Key = string> = (
  context: Context,
  key: Key,
  input: unknown,
  ifRevision?: number | null,
) => Promise<T>;

/** Checks the permission, then the input, and makes the change. */
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

/** Removes a record, and returns its key. Throws CONFLICT if others refer to it. */
export const remove = <Key>(context: Context, what: string, work: (em: EntityManager) => Promise<Key>): Promise<Key> =>
  change(context, 'admin:write', work, { missedReference: `The ${what} is in use.` });

/** The error for an input that names an unknown record. */
export const unknownReference = (field: string, what: string): GatehouseError => {
  const message = `There is no such ${what}.`;
  return new GatehouseError('NOT_FOUND', message, { problems: { [field]: [message] } });
};

/** Throws NOT_FOUND if the owner in the input is not a profile. @param own id of the profile that is being created */
export async function requireOwner(em: EntityManager, { ownerProfileId }: InputValues, own?: string): Promise<void> {
  if (typeof ownerProfileId !== 'string' || ownerProfileId === own) return;
  await em.flush();
  const rows = await execute(em, 'select 1 from profiles where profile_id = $1', [ownerProfileId]);
  if (rows.length === 0) throw unknownReference('ownerProfileId', 'profile');
}
