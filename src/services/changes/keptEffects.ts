/** Effects that were answered, so that a page of their lists costs no second dry run. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.js';
import { versionStatement } from '../../entities/CatalogueVersion.js';
import { notFound } from '../../errors.js';
import { actorOf, permit } from '../permit.js';
import type { AccessDelta, Effect } from './effect.js';

interface Kept {
  /** Who asked first: nobody else reads it. */
  actor: string;
  keptAt: number;
  effect: Effect;
}

const msKept = 600_000;
/** Limit for all callers together, in estimated bytes. */
const bytesMax = 64_000_000;
const kept = new LRUCache<string, Kept>({ maxSize: bytesMax, sizeCalculation: ({ effect }) => sizeOf(effect) });

/** Estimated bytes of an effect in memory. */
export function sizeOf({ gains, loses }: Effect): number {
  const count = (of: Record<string, unknown[]>) => Object.values(of).reduce((sum, values) => sum + values.length, 0);
  const ofSide = ({ differing, holders, passing }: AccessDelta) =>
    50 * (count(differing.applications.of) + count(differing.holdings.of) + count(holders)) +
    150 * count(differing.scopes.of) +
    4_000 * [...passing.values()].reduce((sum, rows) => sum + rows.size, 0);
  return 10_000 + ofSide(gains) + ofSide(loses);
}

/** Keeps the effect for its lists and returns its id. An effect larger than the limit is not kept. */
export function keepEffect(context: Context, effect: Effect): string {
  const effectId = effect.effectId ?? randomUUID();
  effect.effectId = effectId;
  kept.set(effectId, { actor: actorOf(context), keptAt: Date.now(), effect });
  return effectId;
}

/**
 * The effect that was answered to the caller with that id; counted again after ten minutes, and where the catalogue changed
 * since. Throws NOT_FOUND where this process does not keep it: then the changes are tried again.
 */
export async function findKeptEffect(context: Context, effectId: string): Promise<Effect> {
  permit(context, 'admin:read');
  const found = kept.get(effectId);
  if (!found || found.actor !== actorOf(context)) throw notFound('The effect');
  const { effect, keptAt } = found;
  const [now] = await context.reads.rows<{ version: string }>(versionStatement);
  if (now!.version === effect.version && Date.now() - keptAt < msKept) return effect;
  const again = await effect.countAgain(context);
  if (!again) throw notFound('The effect');
  keepEffect(context, { ...again, effectId });
  return { ...again, effectId };
}
