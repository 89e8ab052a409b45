/** A connection that is given up when a statement has no answer in time, and that tells how long each statement took. */
import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Hosts } from './hosts.js';

/** Told of each statement's begin; gives what is told of its end, in milliseconds. Streamed: read through a cursor. */
export type ObserveStatement = (text: string, isStreamed?: boolean) => (milliseconds: number, error?: unknown) => void;

export interface Watch {
  /** Longest wait for the answer to a statement, in milliseconds; 0: for ever. */
  answerMsMax: number;
  observe: ObserveStatement | undefined;
}

type Callback = (error: unknown, result: unknown) => void;

const readOnly = '25006';

/** A class for the pool to make its connections of. Statements read through a cursor may take as long as they like. */
export function watchedClient({ Client, refusedWrite }: Hosts, { answerMsMax, observe }: Watch): typeof pg.Client {
  class WatchedClient extends Client {
    override query(...given: unknown[]): never {
      const [statement] = given;
      const run = super.query.bind(this) as (...given: unknown[]) => unknown;
      if (typeof (statement as { submit?: unknown }).submit === 'function') {
        observeCursor(statement as EventEmitter, observe);
        return run(...given) as never;
      }
      const ended = this.#watch(textOf(statement));
      const last = given.at(-1);
      if (typeof last !== 'function') return answerOf((answered) => run(...given, answered), ended) as never;
      given[given.length - 1] = (error: unknown, result: unknown) => {
        ended(error);
        (last as Callback)(error, result);
      };
      return run(...given) as never;
    }

    #watch(text: string): (error?: unknown) => void {
      const startedAt = performance.now();
      const tell = observe?.(text);
      // whoever waits is answered with an error of the connection, and the pool makes a new one
      const patience = answerMsMax > 0 ? setTimeout(() => this.#giveUp(), answerMsMax) : undefined;
      return (error) => {
        clearTimeout(patience);
        tell?.(performance.now() - startedAt, error);
        if ((error as { code?: unknown } | undefined)?.code === readOnly) refusedWrite(this);
      };
    }

    #giveUp(): void {
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  }
  return WatchedClient;
}

/** The library's own promise keeps each result until a full collection; its callback does not. */
function answerOf(run: (answered: Callback) => unknown, ended: (error?: unknown) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    run((error, result) => {
      ended(error);
      if (error) reject(error);
      else resolve(result);
    });
  });
}

function observeCursor(cursor: EventEmitter, observe: ObserveStatement | undefined): void {
  const startedAt = performance.now();
  let tell = observe?.(textOf(cursor), true);
  const ended = (error?: unknown) => {
    tell?.(performance.now() - startedAt, error);
    tell = undefined;
  };
  cursor.once('error', ended).once('end', () => ended());
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '');
