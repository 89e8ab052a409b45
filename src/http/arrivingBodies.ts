/**
 * Bounds the memory of all arriving request bodies together. When it is full, the bodies of the slowest senders are given up, so
 * that half-sent bodies make room for the others.
 */

/** Smaller bodies are not counted; CONNECTIONS_MAX bounds their number. */
export const freeBodyBytes = 4 * 1024;

/** After the grace time a sender must send at least this many bytes per millisecond. */
const graceMs = 2_000;
const bytesPerMsMin = 32;

export type ArrivingBodies = ReturnType<typeof openArrivingBodies>;
export type ArrivingBody = ReturnType<ArrivingBodies['enter']>;

interface Counted {
  bytesMax: number;
  startedAt: number;
  received: number;
  held: number;
  discard(): void;
}

/** @param bytesMax the limit for all bodies together */
export function openArrivingBodies(bytesMax: number) {
  const bodies = new Set<Counted>();
  let total = 0;
  const remove = (body: Counted) => {
    if (bodies.delete(body)) total -= body.held;
  };
  /** Frees an eighth of the memory, so that a flood doesn't sort the bodies at every packet. */
  const makeRoom = () => {
    const now = performance.now();
    const ranked = [...bodies].map((body) => ({
      body,
      behind: bytesBehind(body, now),
      share: body.held / body.bytesMax,
    }));
    ranked.sort((one, other) => other.behind - one.behind || other.share - one.share);
    for (const { body } of ranked) {
      if (total <= (bytesMax * 7) / 8) return;
      remove(body);
      body.discard();
    }
  };
  return {
    /**
     * Begins to count a body.
     * @param bytesMaxOfOne the limit for this body
     * @param discard called when the body must be given up; it is no longer counted then
     */
    enter(bytesMaxOfOne: number, discard: () => void) {
      const body = { bytesMax: bytesMaxOfOne, startedAt: performance.now(), received: 0, held: 0, discard };
      bodies.add(body);
      return {
        /** Reports how many bytes were received and how many are allocated. May call `discard`, also of this body. */
        hold(received: number, held: number): void {
          total += held - body.held;
          Object.assign(body, { received, held });
          if (total > bytesMax) makeRoom();
        },
        leave: () => remove(body),
      };
    },
  };
}

const bytesBehind = ({ startedAt, received }: Counted, now: number): number =>
  Math.max(0, (now - startedAt - graceMs) * bytesPerMsMin - received);
