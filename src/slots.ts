/** Limits concurrent work: a number of slots, a bounded queue, a limit for each owner. For client secrets, large bodies, lists and statements. */

/** The queue is full, or the wait took too long. Has PostgreSQL's SQLSTATE too_many_connections. */
export class TooManyWaiting extends Error {
  override readonly name: string = 'TooManyWaiting';
  // not a bug: collecting the stack would cost more than the refusal saves
  override readonly stack = '';
  readonly code = '53300';

  /** @param isOfOne whether the limit of one owner is the reason */
  constructor(
    message: string,
    readonly isOfOne = false,
  ) {
    super(message);
  }
}

export interface SlotOwner {
  /** Ends the wait; its reason is thrown then. */
  signal?: AbortSignal | undefined;
  /** Identifies the owner; absent: only the number of slots is a limit. */
  name?: string | undefined;
  /** Slots that stay free for others; absent: none. */
  leavesFree?: number;
}

/** Releases a slot; further calls do nothing. @param cooldownMs how long the slot stays taken, in milliseconds */
type Release = (cooldownMs?: number) => void;

export type Slots = ReturnType<typeof openSlots>;

interface SlotsOptions {
  max: number;
  /** Limit for each owner; absent: `max`. */
  ofOneMax?: number;
  /** Limit of the queue. */
  waitingMax: number;
  /** Limit of the queue for each owner; absent: `waitingMax`. */
  waitingOfOneMax?: number;
  /** Longest wait, in milliseconds; absent: no limit. */
  timeoutMs?: number;
  /** Makes the error for a full queue and for a wait that took too long; absent: TooManyWaiting. */
  refusal?: () => Error;
}

/** Share of the longest wait by which waits vary. */
const spread = 0.25;

export function openSlots(options: SlotsOptions) {
  const { max, ofOneMax = max, waitingMax, waitingOfOneMax = waitingMax, timeoutMs } = options;
  const { refusal = () => new TooManyWaiting(`${waiting.size} are waiting for a slot already`) } = options;
  const waiting = new Set<{ owner: SlotOwner; serve(): void }>();
  const waitingOf = new Map<string | undefined, number>();
  const heldBy = new Map<string | undefined, number>();
  let busy = 0;

  const hasAll = ({ name }: SlotOwner): boolean => name !== undefined && (heldBy.get(name) ?? 0) >= ofOneMax;
  const isFreeFor = (owner: SlotOwner): boolean => busy < max - (owner.leavesFree ?? 0) && !hasAll(owner);

  function take({ name }: SlotOwner): Release {
    busy += 1;
    count(heldBy, name, 1);
    let isHeld = true;
    const free = () => {
      busy -= 1;
      count(heldBy, name, -1);
      for (const next of waiting) if (isFreeFor(next.owner)) next.serve();
    };
    return (cooldownMs = 0) => {
      if (!isHeld) return;
      isHeld = false;
      if (cooldownMs > 0) setTimeout(free, cooldownMs).unref();
      else free();
    };
  }

  function assertNotFull(owner: SlotOwner = anybody): void {
    if (!isFreeFor(owner) && waiting.size >= waitingMax) throw refusal();
  }

  /** Waits for a slot. Throws TooManyWaiting and the signal's reason. */
  async function hold(owner: SlotOwner = anybody): Promise<Release> {
    const { signal, name } = owner;
    signal?.throwIfAborted();
    if (isFreeFor(owner)) return take(owner);
    assertNotFull(owner);
    if (name !== undefined && (waitingOf.get(name) ?? 0) >= waitingOfOneMax)
      throw new TooManyWaiting(`${waitingOfOneMax} of one caller are waiting for a slot already`, true);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', leave);
        waiting.delete(next);
        count(waitingOf, name, -1);
        settle();
      };
      const next = { owner, serve: () => end(() => resolve(take(owner))) };
      const leave = () => end(() => reject(signal!.reason));
      const giveUp = () =>
        end(() => reject(options.refusal?.() ?? new TooManyWaiting(`waited for ${timeoutMs} ms`, hasAll(owner))));
      // so that simultaneous requests don't time out and retry simultaneously
      const timeout = timeoutMs ? setTimeout(giveUp, timeoutMs * (1 - spread * Math.random())) : undefined;
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(next);
      count(waitingOf, name, 1);
    });
  }

  /**
   * Runs the work in a slot. Throws the errors of `hold` and of the work.
   * @param cooldownAfter whether, after this result, the slot stays taken for as long as the work took; absent: never
   */
  async function run<T>(work: () => Promise<T>, cooldownAfter = (_result: T) => false): Promise<T> {
    const release = await hold();
    const startedAt = performance.now();
    let cooldownMs = 0;
    try {
      const result = await work();
      if (cooldownAfter(result)) cooldownMs = performance.now() - startedAt;
      return result;
    } finally {
      release(cooldownMs);
    }
  }

  return {
    /** Takes a slot; undefined if none is free. */
    tryHold: (owner = anybody): Release | undefined => (isFreeFor(owner) ? take(owner) : undefined),
    hold,
    run,
    /** Throws TooManyWaiting when `hold` would do so at once. */
    assertNotFull: () => assertNotFull(),
    countWaiting: () => waiting.size,
  };
}

const anybody: SlotOwner = {};

/** Removes counts of zero. */
function count(counts: Map<string | undefined, number>, name: string | undefined, by: 1 | -1): void {
  const counted = (counts.get(name) ?? 0) + by;
  if (counted === 0) counts.delete(name);
  else counts.set(name, counted);
}
