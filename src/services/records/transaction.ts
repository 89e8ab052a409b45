/**
 * How anything administered is changed: permission first, then one transaction that stamps who and when, raises the
 * revision, writes the audit events and raises the catalogue version. No service changes a record past this.
 */
import {
  type EventArgs,
  type EventSubscriber,
  OptimisticLockError,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import type { Permission } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { conflict } from '../../errors.js';
import { actorOf, permit } from '../permit.js';
import { execute } from '../sql/execute.js';
import { type AuditEntry, announceChange, changedFields, type Run, writeAudit } from './auditLog.js';

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
