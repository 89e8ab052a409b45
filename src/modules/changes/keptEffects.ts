/** Caches effects, so that a page of their lists needs no second dry run. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.js';
import { notFound } from '../../errors.js';
import { actorOf, permit } from '../../services/permit.js';
import { applyChanges, readVersion, undoChangeSet } from './applyChanges.js';
import type { ComputedEffect } from './effect.js';
import type { ChangeOutcome } from './effectSides.js';
import { planChanges } from './planChanges.js';

interface Kept {
  /** The caller who requested it; nobody else can read it. */
  actor: string;
  keptAt: number;
  effect: ComputedEffect;
}

const msKept = 600_000;
/** Limit for all callers together, in estimated bytes. */
const bytesMax = 64_000_000;
const effects = new LRUCache<string, Kept>({ maxSize: bytesMax, sizeCalculation: ({ effect }) => sizeOf(effect) });

/** Estimated bytes of an effect in memory, with the request that it can be counted again from. */
export function sizeOf({ gains: { counted }, requestLength = 0 }: ComputedEffect): number {
  const { before, after, groups, values, passing, sessions, outcomes = [] } = counted;
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0);
  const shareSize = ({ values: own, holdings }: ChangeOutcome['gains']) =>
    sum([...own.values()].map(({ bytes }) => 150 + bytes)) + 150 * holdings.size;
  return (
    10_000 +
    2 * requestLength +
    sum([...before, ...after].map(({ bytes }) => 150 + bytes)) +
    sum(groups.map((group) => 300 + 50 * group.userIds.length)) +
    150 * values.values.length +
    sum([...passing.values()].map((rows) => 4_000 * rows.size)) +
    sum([...sessions.values()].map((own) => 50 * own.size)) +
    sum(outcomes.map(({ gains, loses }) => 1_000 + shareSize(gains) + shareSize(loses)))
  );
}

/** Keeps the effect for its lists and returns its id. An effect larger than the limit is not kept. */
export async function keepEffect(context: Context, effect: ComputedEffect): Promise<string> {
  const isNew = effect.effectId === undefined;
  effect.effectId ??= randomUUID();
  const { effectId } = effect;
  effects.set(effectId, { actor: actorOf(context), keptAt: Date.now(), effect });
  const origin = effect.changes ?? effect.origin;
  if (isNew && origin) await storeOrigin(context, effectId, origin);
  return effectId;
}

/** Most effects of one caller whose origins are stored, and most bytes of one. */
const storedMax = 20;
const storedBytesMax = 1_000_000;

/** The next request may reach another process, which counts the effect again. */
async function storeOrigin(context: Context, effectId: string, origin: object): Promise<void> {
  const json = JSON.stringify(origin);
  if (json.length > storedBytesMax) return;
  await context.sql.rows(
    `with gone as (
       delete from tried_changes where effect_id in (
         select effect_id from tried_changes where actor = $2::uuid order by ends_at desc offset ${storedMax - 1}))
     insert into tried_changes (effect_id, actor, changes, ends_at) values ($1, $2::uuid, $3::jsonb, now() + interval '${msKept} ms')`,
    [effectId, actorOf(context), json],
  );
}

const tried = { dryRun: true, details: { events: false, effect: true } } as const;

type Recount = (context: Context, from: never) => Promise<ComputedEffect | undefined>;

/** How effects are counted that are not of the caller's own changes, by the name in their origin. */
export const recounts = new Map<string, Recount>([
  ['undo', async (context, guid) => (await undoChangeSet(context, guid, tried)).effect],
]);

async function countStored(context: Context, effectId: string): Promise<ComputedEffect | undefined> {
  const [stored] = await context.sql.rows<{ changes: object[] | Record<string, never> }>(
    'select changes from tried_changes where effect_id = $1 and actor = $2::uuid and ends_at > now()',
    [effectId, actorOf(context)],
  );
  if (!stored) return undefined;
  const { changes } = stored;
  if (Array.isArray(changes)) {
    const { effect } = await applyChanges(context, planChanges(changes), tried);
    return { ...effect!, changes };
  }
  const [[name, from]] = Object.entries(changes) as [[string, never]];
  return recounts.get(name)?.(context, from);
}

/**
 * Returns the effect that was answered to the caller with that id. It is counted again after ten minutes, after a change of the
 * catalogue, and in a process that did not count it. Throws NOT_FOUND if it can no longer be counted.
 */
export async function findKeptEffect(context: Context, effectId: string): Promise<ComputedEffect> {
  permit(context, 'admin:read');
  const own = effects.get(effectId);
  if (!own || own.actor !== actorOf(context)) {
    const effect = await countStored(context, effectId);
    if (!effect) throw notFound('The effect');
    await keepEffect(context, Object.assign(effect, { effectId }));
    return effect;
  }
  const { effect, keptAt } = own;
  const version = await readVersion({ sql: context.reads });
  if (version === effect.version && Date.now() - keptAt < msKept) return effect;
  const recounted = await effect.countAgain(context);
  if (!recounted) throw notFound('The effect');
  await keepEffect(context, Object.assign(recounted, { effectId }, effect.changes && { changes: effect.changes }));
  return recounted;
}
