/**
 * The memory of request bodies while they arrive, all together. When it is full, the bodies whose senders are the slowest give
 * way, so that half-sent ones make room for those that go on.
 */

/** A smaller body always has its place; CONNECTIONS_MAX bounds their number. */
export const freeBodyBytes = 4 * 1024;

/** From then on a sender falls behind when it sends less than this, in bytes a millisecond. */
const graceMs = 2_000;
const bytesPerMsMin = 32;

export interface ArrivingBodies {
  /**
   * Counts a body from now on.
   * @param bytesMax of such a body
   * @param giveWay called when it must give up what it holds; it counts no more then
   */
  enter(bytesMax: number, giveWay: () => void): ArrivingBody;
}

export interface ArrivingBody {
  /** Says how many bytes have come, and how many are held for them. May call `giveWay`, of this body too. */
  hold(received: number, held: number): void;
  leave(): void;
}

interface Counted {
  bytesMax: number;
  startedAt: number;
  received: number;
  held: number;
  giveWay(): void;
}

/** @param bytesMax of all bodies */
export function openArrivingBodies(bytesMax: number): ArrivingBodies {
  const bodies = new Set<Counted>();
  let total = 0;
  const remove = (body: Counted) => {
    if (bodies.delete(body)) total -= body.held;
  };
  /** An eighth of the room, so that a flood is not sorted at each of its packets. */
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
      body.giveWay();
    }
  };
  return {
    enter(bytesMaxOfOne, giveWay) {
      const body = { bytesMax: bytesMaxOfOne, startedAt: performance.now(), received: 0, held: 0, giveWay };
      bodies.add(body);
      return {
        hold(received, held) {
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
