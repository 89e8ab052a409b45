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
import { CompiledQuery } from 'kysely';
import { type Caller, hasPermission, type Permission } from '../auth/caller.js';
import type { Context, EntityManager } from '../context.js';
import { describe, type RecordClass } from '../entities/fields.js';
import { conflict, forbidden, unauthenticated } from '../errors.js';

/** Throws 401 for a caller who isn't known, 403 for one without the permission. */
export function permit(context: { caller: Caller }, permission: Permission): void {
  if (context.caller.kind === 'anonymous') throw unauthenticated('no access token');
  if (!hasPermission(context.caller, permission)) throw forbidden(permission);
}

/** The guid that changes are signed with. */
export function actorOf({ caller, config }: Context): string {
  return caller.kind === 'anonymous' ? config.systemUserGuid : caller.sub;
}

/**
 * Runs `work` in one transaction. Records that it makes, changes and removes through the entity manager are stamped and
 * audited by themselves; statements that it runs past it are not. Throws CONFLICT for what exists already and for a
 * record that somebody else changed meanwhile.
 */
export async function change<T>(
  context: Context,
  permission: Permission,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  permit(context, permission);
  const journal = new Journal(actorOf(context), new Date());
  const fork = context.orm.em.fork({ freshEventManager: true });
  fork.getEventManager().registerSubscriber(journal);
  try {
    return await fork.transactional(async (em) => {
      const result = await work(em);
      await em.flush();
      await writeJournal(em, journal, context.traceId);
      return result;
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw conflict('It exists already.');
    if (error instanceof OptimisticLockError) throw conflict('Somebody else changed it meanwhile.');
    throw error;
  }
}

interface AuditEntry {
  action: 'create' | 'update' | 'delete';
  subject_type: string;
  subject_id: string;
  detail: { fields: string[] } | null;
}

type Stamps = { createdBy?: string; createdDate?: Date; modifiedBy?: string | null; modifiedDate?: Date | null };
const unlisted = new Set(['modifiedBy', 'modifiedDate', 'revision', 'createdBy', 'createdDate']);

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
    this.remember('create', event);
  }
  afterUpdate(event: EventArgs<object>): void {
    this.remember('update', event);
  }
  afterDelete(event: EventArgs<object>): void {
    this.remember('delete', event);
  }

  private remember(action: AuditEntry['action'], { entity, meta, changeSet }: EventArgs<object>): void {
    const { name, fields, primaryKey } = describe(meta.class as unknown as RecordClass);
    const guid = fields.find((field) => field.type === 'uuid' && field.unique)?.name ?? primaryKey.name;
    const changed = Object.keys(changeSet?.payload ?? {}).filter((field) => !unlisted.has(field));
    this.entries.push({
      action,
      subject_type: name,
      subject_id: String((entity as Record<string, unknown>)[guid]),
      detail: action === 'update' ? { fields: changed } : null,
    });
  }
}

async function writeJournal(em: EntityManager, { actor, entries, now }: Journal, traceId: string): Promise<void> {
  if (entries.length === 0) return;
  await execute(
    em,
    `insert into audit_events (occurred_at, actor, action, subject_type, subject_id, detail, trace_id)
     select $1, $2, action, subject_type, subject_id, detail, $3
     from jsonb_to_recordset($4) as entry (action text, subject_type text, subject_id text, detail jsonb)`,
    [now, actor, traceId, JSON.stringify(entries)],
  );
  await raiseCatalogueVersion(em);
}

/** Last in a transaction: it makes those that follow wait. */
export async function raiseCatalogueVersion(em: EntityManager): Promise<void> {
  await execute(em, 'update catalogue_version set version = version + 1', []);
}

/** A statement with bind parameters inside the entity manager's transaction. */
export async function execute<Row = unknown>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, values as unknown[]));
  return rows as Row[];
}
