/**
 * One statement for all who ask the same at the same moment. While some are under way the next wait and then go
 * together, so under load a round trip, a plan and a commit serve many; a lone one goes at once and by itself.
 */
import { AsyncResource } from 'node:async_hooks';
import { DatabaseError } from 'pg';
import type { SharedStatement } from '../context.js';
import { TooManyWaiting } from './waiting.js';

interface Asker {
  values: readonly unknown[];
  resolve(row: object): void;
  reject(error: unknown): void;
  patience: NodeJS.Timeout;
  /** Where the statement runs, for whoever observes statements. */
  scope: AsyncResource;
}

export interface TogetherOptions {
  rows(text: string, values: readonly unknown[]): Promise<object[]>;
  /** Statements of one kind under way at the same time. */
  atOnce: number;
  /** Most that go together. */
  sizeMax: number;
  /** Most that wait; the next is refused. */
  waitingMax: number;
  /** Longest wait, in milliseconds. */
  timeoutMs: number;
}

const placeMsMax = 50;

export type Together = (statement: SharedStatement, values: readonly unknown[]) => Promise<object>;

export function openTogether(options: TogetherOptions): Together {
  const kinds = new Map<string, Together>();
  return (statement, values) => {
    let kind = kinds.get(statement.many);
    if (!kind) {
      kind = openKind(statement, options);
      kinds.set(statement.many, kind);
    }
    return kind(statement, values);
  };
}

function openKind({ one, many }: SharedStatement, options: TogetherOptions): Together {
  const { rows, atOnce, sizeMax, waitingMax, timeoutMs } = options;
  let waiting: Asker[] = [];
  let underWay = 0;
  let isPlanned = false;

  const alone = async ({ values, resolve, reject }: Asker): Promise<void> =>
    rows(one, values).then(([row]) => resolve(row!), reject);

  async function goTogether(askers: Asker[]): Promise<void> {
    const settled = new Map<number, object>();
    try {
      for (const { ord, ...row } of (await rows(many, columnsOf(askers))) as { ord: string }[])
        settled.set(Number(ord), row);
    } catch (error) {
      if (!isRefusedValue(error)) {
        for (const asker of askers) asker.reject(error);
        return;
      }
    }
    const left = askers.filter((asker, index) => {
      const row = settled.get(index + 1);
      if (row) asker.resolve(row);
      return !row;
    });
    for (const asker of left) asker.scope.runInAsyncScope(alone, undefined, asker);
  }

  /** Who waits long, for a row that somebody holds or for a slow database, keeps the next ones waiting for a moment only. */
  function occupyPlace(settled: Promise<void>): void {
    underWay += 1;
    let isOver = false;
    const free = () => {
      clearTimeout(impatience);
      if (isOver) return;
      isOver = true;
      underWay -= 1;
      plan();
    };
    const impatience = setTimeout(free, placeMsMax);
    settled.finally(free);
  }

  /** All that came in by the end of this turn of the event loop go together. */
  function plan(): void {
    if (isPlanned || underWay >= atOnce || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const askers = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      for (const { patience } of askers) clearTimeout(patience);
      if (askers.length > 0) {
        const [first] = askers as [Asker];
        const begin = askers.length === 1 ? () => alone(first) : () => goTogether(askers);
        occupyPlace(first.scope.runInAsyncScope(begin));
      }
      plan();
    });
  }

  return (_statement, values) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax)
        return reject(new TooManyWaiting(`${waiting.length} wait for a statement already`));
      const patience = setTimeout(() => giveUp(asker), timeoutMs);
      const asker: Asker = { values, resolve, reject, patience, scope: new AsyncResource('SharedStatement') };
      waiting.push(asker);
      plan();
    });

  function giveUp(asker: Asker): void {
    waiting = waiting.filter((other) => other !== asker);
    asker.reject(new TooManyWaiting(`waited for ${timeoutMs} ms`));
  }
}

/** One array for each value of the statement. */
const columnsOf = (askers: Asker[]): unknown[][] =>
  askers[0]!.values.map((_value, index) => askers.map(({ values }) => values[index]));

/** A value was refused, so nothing was written; whose it was shows when each goes alone. */
const isRefusedValue = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'ERROR' && /^2[23]/.test(error.code ?? '');
