/** Every administrative change: permission, one transaction, stamps, revision, audit events and catalogue version. */
import {
  type EventArgs,
  type EventSubscriber,
  LockMode,
  OptimisticLockError,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import type { Permission } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { conflict, GatehouseError, notFound } from '../../errors.js';
import { execute } from '../execute.js';
import { actorOf, permit } from '../permit.js';
import { type InputField, type InputValues, requireInput } from './input.js';

/** Audit events, the one place that writes them: who did what to what, with the change set of their transaction. */

/** Runs a statement with bind parameters in the transaction of the change. */
export type Run = (text: string, values: readonly unknown[]) => Promise<unknown>;

/** Who signs the changes, and the request that they belong to. */
export interface Author {
  actor: string;
  traceId: string;
}

export interface AuditEntry {
  action: string;
  subjectType: string;
  subjectId: string;
  detail?: object | null;
}

const stamps = new Set(['modifiedBy', 'modifiedDate', 'revision', 'createdBy', 'createdDate']);

/**
 * What an event says was changed: the fields of these names and of the relations among them, without the key, which names
 * the record, and without what every change stamps.
 */
export function changedFields(record: RecordClass, names: readonly string[]): string[] {
  const { fields, relations, primaryKey } = describe(record);
  const fieldNames = names.map((name) => relations.find((relation) => relation.name === name)?.from ?? name);
  return [...new Set(fieldNames)].filter(
    (name) => name !== primaryKey.name && !stamps.has(name) && fields.some((field) => field.name === name),
  );
}

/**
 * SQL: audit events from rows of `action`, `subject_type`, `subject_id` and `detail`. `actor` and `traceId` are SQL; `by`
 * is the rest of the select, from `from` on. The change set is that of the transaction, made if there is none yet.
 */
export const insertAudit = (
  columns: { action: string; type: string; id: string; detail: string },
  author: { actor: string; traceId: string },
  by: string,
): string =>
  `insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
   select ${author.actor}::uuid, ${author.traceId}, (select current_change_set()), ${columns.action}, ${columns.type}, ${columns.id}, ${columns.detail} ${by}`;

const insertEntries = insertAudit(
  { action: 'action', type: '"subjectType"', id: '"subjectId"', detail: 'detail' },
  { actor: '$1', traceId: '$2' },
  'from jsonb_to_recordset($3) as entry (action text, "subjectType" text, "subjectId" text, detail jsonb)',
);

/** Writes the events; none when there are none. */
export async function writeAudit(run: Run, { actor, traceId }: Author, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await run(insertEntries, [actor, traceId, JSON.stringify(entries)]);
}

/** What is said of a transaction before anything is changed in it: its change set bears it. */
interface ChangeAuthor extends Author {
  face: string;
  note?: string | null | undefined;
  undoesId?: string | undefined;
}

/** Tells the database who changes; for this transaction alone. */
export async function announceChange(run: Run, author: ChangeAuthor): Promise<void> {
  await run("select set_config('gatehouse.change', $1, true)", [JSON.stringify(author)]);
}

/**
 * How anything administered is changed: permission first, then one transaction that stamps who and when, raises the
 * revision, writes the audit events and raises the catalogue version. No service changes a record past this.
 */

/** What a change may say of itself. */
export interface ChangeOptions {
  note?: string | null | undefined;
  /** Number of the change set that it undoes. */
  undoesId?: string;
  /** What it means that another record is referred to that isn't there, or is removed although it is referred to. */
  missedReference?: string;
  /** Runs when all is written, events too; what it throws rolls everything back. */
  finish?: (em: EntityManager) => Promise<void>;
}

/**
 * Runs `work` in one transaction, or in that of the context. Records that it makes, changes and removes through the
 * entity manager are stamped and audited by themselves; statements that it runs past it are not. Throws CONFLICT for what
 * exists already and for a record that somebody else changed or removed meanwhile.
 */
export async function change<T>(
  context: Context,
  permission: Permission,
  work: (em: EntityManager) => Promise<T>,
  { finish, missedReference, ...said }: ChangeOptions = {},
): Promise<T> {
  permit(context, permission);
  const release = context.changing ? undefined : await context.holdTransaction?.();
  try {
    if (context.changing) return await flushed(context.changing, work);
    const journal = new Journal(actorOf(context), context.clock.now());
    const fork = context.orm.em.fork({ freshEventManager: true });
    fork.getEventManager().registerSubscriber(journal);
    return await fork.transactional(async (em) => {
      const author = { actor: journal.actor, traceId: context.traceId, face: context.face };
      const run = runIn(em);
      await announceChange(run, { ...author, ...said });
      const result = await flushed(em, work);
      await writeAudit(run, author, journal.entries);
      if (journal.entries.length > 0) await raiseCatalogueVersion(em);
      await finish?.(em);
      return result;
    });
  } catch (error) {
    throw asConflict(error, missedReference);
  } finally {
    release?.();
  }
}

/**
 * Who signs what a statement past the entity manager changes in its transaction, and when; and what was done by it, for the
 * audit log.
 */
export function journalOf(em: EntityManager): Pick<Journal, 'actor' | 'now' | 'entries'> {
  const journal = [...em.getEventManager().getSubscribers()].find((each) => each instanceof Journal);
  if (!journal) throw new Error('no change is under way');
  return journal;
}

const runIn =
  (em: EntityManager): Run =>
  (text, values) =>
    execute(em, text, values);

async function flushed<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const result = await work(em);
  await em.flush();
  return result;
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html: restrict_violation and foreign_key_violation
const missedReferences = new Set(['23001', '23503']);

function asConflict(error: unknown, missedReference = 'Somebody else removed what it names meanwhile.'): unknown {
  if (error instanceof UniqueConstraintViolationException) return conflict('It exists already.');
  const { code } = (error ?? {}) as { code?: unknown };
  if (missedReferences.has(String(code))) return conflict(missedReference);
  if (code === '23505') return conflict('It exists already.');
  if (error instanceof OptimisticLockError || code === '40P01') return conflict('Somebody else changed it meanwhile.');
  return error;
}

type Stamps = { createdBy?: string; createdDate?: Date; modifiedBy?: string | null; modifiedDate?: Date | null };

/** Stamps the records of a transaction and remembers what was done to them. */
class Journal implements EventSubscriber {
  readonly entries: AuditEntry[] = [];
  constructor(
    readonly actor: string,
    readonly now: Date,
  ) {}

  beforeCreate({ entity, meta }: EventArgs<object>): void {
    if (!('createdBy' in meta.properties)) return;
    const stamps = entity as Stamps;
    stamps.createdBy ??= this.actor;
    stamps.createdDate ??= this.now;
  }

  beforeUpdate({ entity, meta }: EventArgs<object>): void {
    if (!('modifiedBy' in meta.properties)) return;
    const stamps = entity as Stamps;
    stamps.modifiedBy = this.actor;
    stamps.modifiedDate = this.now;
  }

  afterCreate(event: EventArgs<object>): void {
    this.#remember('create', event);
  }
  afterUpdate(event: EventArgs<object>): void {
    this.#remember('update', event);
  }
  afterDelete(event: EventArgs<object>): void {
    this.#remember('delete', event);
  }

  #remember(action: 'create' | 'update' | 'delete', { entity, meta, changeSet }: EventArgs<object>): void {
    const record = meta.class as unknown as RecordClass;
    const { name, fields, primaryKey } = describe(record);
    const guid = fields.find((field) => field.type === 'uuid' && field.unique)?.name ?? primaryKey.name;
    // beside what was changed, the payload holds what the statement gave back
    const changed = changedFields(record, Object.keys(changeSet?.payload ?? {}));
    this.entries.push({
      action,
      subjectType: name,
      subjectId: String((entity as Record<string, unknown>)[guid]),
      detail: action === 'update' ? { fields: changed } : null,
    });
  }
}

/** Last in a transaction: it makes those that follow wait. */
export async function raiseCatalogueVersion(em: EntityManager): Promise<void> {
  await execute(em, 'update catalogue_version set version = version + 1', []);
}

/** What changes of single records share: finding the record, refusing an overwrite, telling what is still in use. */

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
