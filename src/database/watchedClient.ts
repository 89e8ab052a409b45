/** A connection that is given up when a statement has no answer in time, and that tells how long each statement took. */
import pg from 'pg';

/** Told of each statement's begin; gives what is told of its end, in milliseconds. */
export type ObserveStatement = (text: string) => (milliseconds: number) => void;

export interface Watch {
  /** Longest wait for the answer to a statement, in milliseconds; 0: for ever. */
  answerMsMax: number;
  observe: ObserveStatement | undefined;
}

type Callback = (error: unknown, result: unknown) => void;

/** A class for the pool to make its connections of. Statements read through a cursor are not watched. */
export function watchedClient({ answerMsMax, observe }: Watch): typeof pg.Client {
  class WatchedClient extends pg.Client {
    override query(...given: unknown[]): never {
      const [statement] = given;
      const run = super.query.bind(this) as (...given: unknown[]) => unknown;
      if (typeof (statement as { submit?: unknown }).submit === 'function') return run(...given) as never;
      const ended = this.#watch(textOf(statement));
      const last = given.at(-1);
      if (typeof last === 'function') {
        given[given.length - 1] = (error: unknown, result: unknown) => {
          ended();
          (last as Callback)(error, result);
        };
        return run(...given) as never;
      }
      const result = run(...given) as Promise<unknown>;
      result.then(ended, ended);
      return result as never;
    }

    #watch(text: string): () => void {
      const startedAt = performance.now();
      const tell = observe?.(text);
      // whoever waits is answered with an error of the connection, and the pool makes a new one
      const patience = answerMsMax > 0 ? setTimeout(() => this.#giveUp(), answerMsMax) : undefined;
      return () => {
        clearTimeout(patience);
        tell?.(performance.now() - startedAt);
      };
    }

    #giveUp(): void {
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  }
  return WatchedClient;
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '');
