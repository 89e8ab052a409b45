/** Batches simultaneous requests into one statement. */
import { AsyncResource } from 'node:async_hooks';
import { DatabaseError } from 'pg';
import { openSlots, type Slots, TooManyWaiting } from '../slots.js';
import { type NamedValues, type SharedStatement, valuesOf } from '../sql.js';

interface PendingRequest {
  values: readonly unknown[];
  resolve(row: object): void;
  reject(error: unknown): void;
  timeoutTimer: NodeJS.Timeout;
  /** Where the statement runs, for observers of statements. */
  scope: AsyncResource;
}

interface BatcherOptions {
  rows(text: string, values: readonly unknown[]): Promise<object[]>;
  /** Statements of one kind under way at the same time, at most. */
  atOnce: number;
  /** Maximum number of single statements at the same time, of all kinds: each may wait for a row that another transaction has locked. */
  singlesMax: number;
  /** Maximum number of requests in a batch. */
  sizeMax: number;
  /**
   * How long a statement for several requests holds back the next at most, in milliseconds, unless that is full: one statement for
   * many costs less than several for few, but where the database is slow nobody must wait for its end (bench/notes/0013.md).
   */
  holdBackMs: number;
  /** Maximum number of waiting requests; further ones are refused. */
  waitingMax: number;
  /** Longest wait, in milliseconds. */
  timeoutMs: number;
}

/** A statement holds its slot this long at most. */
const slotMs = 50;
/** Fewer requests than these are under way without holding others back. */
const severalRequests = 3;

type StatementBatcher = (statement: SharedStatement, values: NamedValues) => Promise<object>;

/**
 * Batches requests for the same statement that arrive at the same moment. While a batch is under way the next requests wait and
 * form one, so under load a round trip, a plan and a commit serve many; a few single ones run at once, each by itself.
 */
export function openBatcher(options: BatcherOptions): StatementBatcher {
  const { singlesMax, waitingMax, timeoutMs } = options;
  const singles = openSlots({ max: singlesMax, waitingMax, timeoutMs });
  const kinds = new Map<SharedStatement, Kind>();
  return (statement, named) => {
    const values = valuesOf(statement, named);
    const { one, many } = statement;
    if (many === undefined) return singles.run(async () => (await options.rows(one, values))[0]!);
    let kind = kinds.get(statement);
    if (!kind) {
      kind = openKind({ ...statement, many }, options, singles);
      kinds.set(statement, kind);
    }
    return kind(values);
  };
}

type Kind = (values: readonly unknown[]) => Promise<object>;

function openKind(statement: Required<SharedStatement>, options: BatcherOptions, singles: Slots): Kind {
  const { rows, atOnce, sizeMax, holdBackMs, waitingMax, timeoutMs } = options;
  const { one, many } = statement;
  let waiting: PendingRequest[] = [];
  const held = { slots: 0, requests: 0 };
  let isPlanned = false;

  const runSingle = async ({ values, resolve, reject }: PendingRequest): Promise<void> =>
    rows(one, values).then(([row]) => resolve(row!), reject);

  const runLeft = (pending: PendingRequest): Promise<void> =>
    singles.run(() => runSingle(pending)).catch(pending.reject);

  async function runBatch(pendingRequests: PendingRequest[]): Promise<void> {
    const settled = new Map<number, object>();
    try {
      for (const row of (await rows(many, columnsOf(pendingRequests))) as { ord: string }[])
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

  /** Counts them until the statement has settled, or has taken long: for a locked row or a slow database. */
  function hold(what: keyof typeof held, count: number, settled: Promise<void>, timeoutMs: number): void {
    held[what] += count;
    let isOver = false;
    const release = () => {
      clearTimeout(timer);
      if (isOver) return;
      isOver = true;
      held[what] -= count;
      plan();
    };
    const timer = setTimeout(release, timeoutMs);
    settled.finally(release);
  }

  const isHeldBack = (): boolean =>
    held.slots >= atOnce || (held.requests >= severalRequests && waiting.length < sizeMax);

  /** Forms a batch of all requests that arrive by the end of this turn of the event loop. */
  function plan(): void {
    if (isPlanned || waiting.length === 0 || isHeldBack()) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const pendingRequests = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      for (const { timeoutTimer } of pendingRequests) clearTimeout(timeoutTimer);
      if (pendingRequests.length > 0) {
        const [first] = pendingRequests as [PendingRequest];
        const release = pendingRequests.length === 1 ? singles.tryHold() : undefined;
        const begin = release ? () => runSingle(first).finally(() => release()) : () => runBatch(pendingRequests);
        const settled = first.scope.runInAsyncScope(begin);
        hold('slots', 1, settled, slotMs);
        hold('requests', pendingRequests.length, settled, holdBackMs);
      }
      plan();
    });
  }

  return (values) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax)
        return reject(new TooManyWaiting(`${waiting.length} are waiting for a statement already`));
      const timeoutTimer = setTimeout(() => rejectTimedOut(pending), timeoutMs);
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

  function rejectTimedOut(pending: PendingRequest): void {
    waiting = waiting.filter((other) => other !== pending);
    pending.reject(new TooManyWaiting(`waited for ${timeoutMs} ms`));
  }
}

/** Returns one array for each value of the statement. */
const columnsOf = (pendingRequests: PendingRequest[]): unknown[] =>
  pendingRequests[0]!.values.map((_value, index) => pendingRequests.map(({ values }) => values[index]));

/**
 * Runs each request by itself after a value was refused and nothing was written, so that only its own request fails. The severity
 * would be in the language of the server.
 */
const isRefusedValue = (error: unknown): boolean => error instanceof DatabaseError && /^2[23]/.test(error.code ?? '');
