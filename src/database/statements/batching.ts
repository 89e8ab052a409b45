/**
 * Batches requests for the same statement that arrive at the same moment. While some batches are under way the next
 * requests wait and form one, so under load a round trip, a plan and a commit serve many; a single one runs at once, by itself.
 */
import { AsyncResource } from 'node:async_hooks';
import { DatabaseError } from 'pg';
import type { SharedStatement } from '../../sql.js';
import { binaryArray, parameterTypes } from './binaryArrays.js';
import { openSlots, type Slots, TooManyWaiting } from './slots.js';

interface PendingRequest {
  values: readonly unknown[];
  resolve(row: object): void;
  reject(error: unknown): void;
  timeoutTimer: NodeJS.Timeout;
  /** Where the statement runs, for whoever observes statements. */
  scope: AsyncResource;
}

interface BatcherOptions {
  rows(text: string, values: readonly unknown[]): Promise<object[]>;
  /** Statements of one kind under way at the same time. */
  atOnce: number;
  /** Requests that run by themselves at the same time, of all kinds: each may wait for a row that another transaction holds. */
  singlesMax: number;
  /** Most requests of a batch. */
  sizeMax: number;
  /** Most that wait; the next is refused. */
  waitingMax: number;
  /** Longest wait, in milliseconds. */
  timeoutMs: number;
}

const slotTimeoutMs = 50;
/** Who asks is not told apart. */
const anybody = {};

type StatementBatcher = (statement: SharedStatement, values: readonly unknown[]) => Promise<object>;

export function openBatcher(options: BatcherOptions): StatementBatcher {
  const { singlesMax, waitingMax, timeoutMs } = options;
  const singles = openSlots({ max: singlesMax, ofOneMax: singlesMax, waitingMax, timeoutMs });
  const kinds = new Map<string, StatementBatcher>();
  return (statement, values) => {
    const { one, many } = statement;
    if (many === undefined) return runInSlot(singles, async () => (await options.rows(one, values))[0]!);
    let kind = kinds.get(many);
    if (!kind) {
      kind = openKind({ one, many }, options, singles);
      kinds.set(many, kind);
    }
    return kind(statement, values);
  };
}

/** Throws TooManyWaiting, and what `run` throws. */
async function runInSlot<T>(slots: Slots, run: () => Promise<T>): Promise<T> {
  const release = await slots.hold(anybody);
  return run().finally(release);
}

function openKind({ one, many }: Required<SharedStatement>, options: BatcherOptions, singles: Slots): StatementBatcher {
  const { rows, atOnce, sizeMax, waitingMax, timeoutMs } = options;
  const types = parameterTypes(many);
  let waiting: PendingRequest[] = [];
  let underWay = 0;
  let isPlanned = false;

  const runSingle = async ({ values, resolve, reject }: PendingRequest): Promise<void> =>
    rows(one, values).then(([row]) => resolve(row!), reject);

  const runLeft = (pending: PendingRequest): Promise<void> =>
    runInSlot(singles, () => runSingle(pending)).catch(pending.reject);

  async function runBatch(pendingRequests: PendingRequest[]): Promise<void> {
    const settled = new Map<number, object>();
    try {
      for (const row of (await rows(many, columnsOf(pendingRequests, types))) as { ord: string }[])
        settled.set(Number(row.ord), row);
    } catch (error) {
      if (!isRefusedValue(error)) {
        for (const pending of pendingRequests) pending.reject(error);
        return;
      }
    }
    const left = pendingRequests.filter((pending, index) => {
      const row = settled.get(index + 1);
      if (row) pending.resolve(row);
      return !row;
    });
    for (const pending of left) void pending.scope.runInAsyncScope(runLeft, undefined, pending);
  }

  /** A batch that waits long, for a locked row or for a slow database, holds its slot for a moment only. */
  function holdSlot(settled: Promise<void>): void {
    underWay += 1;
    let isOver = false;
    const releaseSlot = () => {
      clearTimeout(slotTimer);
      if (isOver) return;
      isOver = true;
      underWay -= 1;
      plan();
    };
    const slotTimer = setTimeout(releaseSlot, slotTimeoutMs);
    settled.finally(releaseSlot);
  }

  /** All requests that came in by the end of this turn of the event loop form a batch. */
  function plan(): void {
    if (isPlanned || underWay >= atOnce || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const pendingRequests = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      for (const { timeoutTimer } of pendingRequests) clearTimeout(timeoutTimer);
      if (pendingRequests.length > 0) {
        const [first] = pendingRequests as [PendingRequest];
        const release = pendingRequests.length === 1 ? singles.tryHold(anybody) : undefined;
        const begin = release ? () => runSingle(first).finally(release) : () => runBatch(pendingRequests);
        holdSlot(first.scope.runInAsyncScope(begin));
      }
      plan();
    });
  }

  return (_statement, values) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax)
        return reject(new TooManyWaiting(`${waiting.length} wait for a statement already`));
      const timeoutTimer = setTimeout(() => giveUp(pending), timeoutMs);
      const pending: PendingRequest = {
        values,
        resolve,
        reject,
        timeoutTimer,
        scope: new AsyncResource('SharedStatement'),
      };
      waiting.push(pending);
      plan();
    });

  function giveUp(pending: PendingRequest): void {
    waiting = waiting.filter((other) => other !== pending);
    pending.reject(new TooManyWaiting(`waited for ${timeoutMs} ms`));
  }
}

/** One array for each value of the statement. */
const columnsOf = (pendingRequests: PendingRequest[], types: readonly (string | undefined)[]): unknown[] =>
  pendingRequests[0]!.values.map((_value, index) => {
    const column = pendingRequests.map(({ values }) => values[index] ?? null);
    return binaryArray(types[index], column) ?? column;
  });

/** A value was refused, so nothing was written; running each by itself shows whose it was. */
const isRefusedValue = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'ERROR' && /^2[23]/.test(error.code ?? '');
