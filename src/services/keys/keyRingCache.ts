/** The ring that a process holds in memory: read again whenever somebody asks, opened anew only when the keys changed. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { KeyRing, SigningKeyRow } from '../../auth/keyRing.js';
import type { SigningKeys } from '../../context.js';
import { unavailable } from '../../errors.js';

/** From one look that a stranger's token may cause to the next: four a second, and no answer waits longer for its own. */
const unknownKidReloadIntervalMs = 250;

export function cacheKeyRing(
  first: SigningKeyRow[],
  read: () => Promise<SigningKeyRow[]>,
  open: (rows: SigningKeyRow[]) => KeyRing,
): SigningKeys {
  let rows = first;
  let ring = open(first);
  const reload = oneAtATime(async () => {
    const found = await read();
    if (!isDeepStrictEqual(found, rows)) {
      ring = open(found);
      rows = found;
    }
    return ring;
  });
  const reloadForUnknown = withPauses(unknownKidReloadIntervalMs, reload);
  return {
    ring: () => ring,
    reload,
    reloadForUnknown: () =>
      reloadForUnknown().catch((error: unknown) => {
        throw unavailable('The key of the token', error);
      }),
  };
}

/** Calls during a run share the next one: what a call is given is never older than the call, and nothing newer is undone. */
function oneAtATime<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = () => {
    next = undefined;
    current = run().finally(() => {
      current = undefined;
    });
    return current;
  };
  return () => {
    if (next) return next;
    if (!current) return start();
    next = current.then(start, start);
    return next;
  };
}

/** Runs that begin at least so long after one another; calls that wait for the same one share it. */
function withPauses<T>(milliseconds: number, run: () => Promise<T>): () => Promise<T> {
  let waiting: Promise<T> | undefined;
  let beganAt = Number.NEGATIVE_INFINITY;
  const begin = () => {
    waiting = undefined;
    beganAt = performance.now();
    return run();
  };
  return () => {
    const remaining = beganAt + milliseconds - performance.now();
    if (!waiting && remaining <= 0) return begin();
    waiting ??= pause(remaining).then(begin);
    return waiting;
  };
}
