/**
 * Watches the connections of a pool: ends those that do not answer in time, or whose server hangs, measures statements, and releases
 * lost connections.
 */
import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import { destroyConnection, isAnswering } from '../../engine/pgInside.js';
import type { Hosts } from './failover.js';

/** Called when a statement begins; returns what to call when it ended, with its duration in milliseconds. Streamed: read through a cursor. */
export type ObserveStatement = (text: string, isStreamed?: boolean) => (milliseconds: number, error?: unknown) => void;

interface Watch {
  /** Longest wait for the answer to a statement, in milliseconds; 0: for ever. */
  answerTimeoutMs: number;
  /** Longest wait for a server that does not answer a new connection either, in milliseconds. */
  hangTimeoutMs: number;
  observe: ObserveStatement | undefined;
}

/** The part of `hangTimeoutMs` in which the server is asked: a busy one needs a while to begin with a connection. */
const askingPart = 0.5;

type Callback = (error: unknown, result: unknown) => void;

/** Returns the connection class for the pool. Statements that are read through a cursor have no time limit here. */
export function watchedClient(
  { Client, failed }: Hosts,
  { answerTimeoutMs, hangTimeoutMs, observe }: Watch,
): typeof pg.Client {
  const isLimited = answerTimeoutMs > 0;
  const asksIfHanging = !isLimited || hangTimeoutMs < answerTimeoutMs;
  const firstWaitMs = asksIfHanging ? hangTimeoutMs * (1 - askingPart) : answerTimeoutMs;
  class WatchedClient extends Client {
    override query(statement: unknown, ...args: unknown[]): never {
      if (typeof (statement as { submit?: unknown } | undefined)?.submit === 'function') {
        observeCursor(statement as EventEmitter, observe);
        return super.query(statement as never, ...(args as [])) as never;
      }
      const values = args.find((argument) => typeof argument !== 'function');
      const callback = args.find((argument) => typeof argument === 'function') as Callback | undefined;
      const ask = (answered: Callback) => this.#ask(statement, values, answered);
      return (callback ? ask(callback) : answerOf(ask)) as never;
    }

    #ask(statement: unknown, values: unknown, answered: Callback): void {
      const ended = this.#watch(textOf(statement));
      try {
        super.query(statement as string, values as unknown[], (error: unknown, result: unknown) => {
          ended(error);
          answered(error, result);
        });
      } catch (error) {
        ended(error);
        throw error;
      }
    }

    #watch(text: string): (error?: unknown) => void {
      const startedAt = performance.now();
      // for a value that can't be written the library reports an error, and then a result
      let report = observe?.(text);
      // waiting callers get a connection error, and the pool opens a new connection
      const giveUp = () => destroyConnection(this);
      let isOpen = true;
      const giveUpIfHanging = async () => {
        const answers = await isAnswering(this, hangTimeoutMs * askingPart);
        if (!isOpen) return;
        if (!answers) giveUp();
        else if (isLimited) timeoutTimer = setTimeout(giveUp, startedAt + answerTimeoutMs - performance.now());
        else timeoutTimer = setTimeout(giveUpIfHanging, firstWaitMs);
      };
      let timeoutTimer = setTimeout(asksIfHanging ? giveUpIfHanging : giveUp, firstWaitMs);
      return (error) => {
        isOpen = false;
        clearTimeout(timeoutTimer);
        report?.(performance.now() - startedAt, error);
        report = undefined;
        if (error) failed(this, (error as { code?: unknown }).code);
      };
    }
  }
  return WatchedClient;
}

/** The library's own promise keeps each result until a full collection; its callback does not. As with the promise, errors have the caller's stack. */
async function answerOf(ask: (answered: Callback) => void): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      ask((error, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

function observeCursor(cursor: EventEmitter, observe: ObserveStatement | undefined): void {
  const startedAt = performance.now();
  let report = observe?.(textOf(cursor), true);
  const ended = (error?: unknown) => {
    report?.(performance.now() - startedAt, error);
    report = undefined;
  };
  cursor.once('error', ended).once('end', () => ended());
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | undefined)?.text ?? '');

/**
 * Releases connections that Kysely 0.29 leaks: of a transaction whose BEGIN, COMMIT or ROLLBACK fails,
 * so that after some outages of the database the pool would be used up; and of one that got its connection only while the
 * pool was ending, so that it would never end.
 */
export function releaseLostConnections(pool: pg.Pool): void {
  /** Connections in use, with their release functions. */
  const releases = new WeakMap<pg.PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const releaseLost = () => {
      // its user released it first
      if (releases.get(client) !== releaseLost) return;
      const { release } = client;
      // its user may still release it
      client.release = () => undefined;
      release.call(client, new Error('Connection ended'));
    };
    releases.set(client, releaseLost);
    client.once('end', releaseLost);
    // waiting users get the error; the pool provides the release function next
    if (pool.ending) process.nextTick(releaseLost);
  });
  pool.on('release', (_error, client) => {
    const releaseLost = releases.get(client);
    if (!releaseLost) return;
    releases.delete(client);
    client.off('end', releaseLost);
  });
}
