/**
 * Load generators that cost little, on connections of their own. Closed loop: each connection sends when its answer is
 * there, for throughput. Open loop: requests are due at fixed times whatever the answers do, and their latency counts
 * from those times, for latencies without coordinated omission.
 */
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Answer, AnswerReader } from './answers.js';
import type { Beat } from './metronome.js';
import type { Side } from './service.js';

export interface Target {
  port: number;
  connections: number;
  /** The next request on a connection, whole. */
  request(connection: number): string | Buffer;
  /** Awaited before each request, in its time. */
  before?: () => Promise<unknown>;
  /** Told of each answer; throws when it is not the right one. */
  answered(connection: number, answer: Answer): void;
  /** Of how many answers one has its body kept; each unless told. */
  keepsOneOf?: number;
}

export interface Latencies {
  seconds: number;
  /** Milliseconds, ascending. */
  values: number[];
}

/** Of an open loop. */
interface OpenLatencies extends Latencies {
  /** Whether all was answered, or it was given up. */
  isCarried: boolean;
}

/** Of the clock that all processes of a machine share, in milliseconds. */
const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const silentMsMax = 30_000;
const readBytes = 64 * 1024;
/** Of a timer. */
const longestMs = 2 ** 31 - 1;

export const requestsPerSecond = ({ seconds, values }: Latencies): number => values.length / seconds;

/** The value that a share of them doesn't exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

export async function closedLoop(target: Target, seconds: number): Promise<Latencies> {
  const values: number[] = [];
  const start = monotonicMs();
  const deadline = start + seconds * 1_000;
  const drive = (index: number) =>
    new Promise<void>((resolve, reject) => {
      let began = 0;
      const line = new Line(target, index, {
        failed: reject,
        answered: () => {
          const at = monotonicMs();
          values.push(at - began);
          if (at < deadline) send();
          else resolve(line.close());
        },
      });
      const send = () => {
        began = monotonicMs();
        line.send();
      };
      send();
    });
  await Promise.all(Array.from({ length: target.connections }, (_, index) => drive(index)));
  return { seconds: (monotonicMs() - start) / 1_000, values: values.sort((one, other) => one - other) };
}

/**
 * Requests that are due while no connection is free wait their turn, and the wait counts.
 * @param behindSecondsMax given up when more requests wait than are due in this time, or some so long after the last was due
 */
export async function openLoop(
  target: Target,
  seconds: number,
  perSecond: number,
  behindSecondsMax = Number.POSITIVE_INFINITY,
): Promise<OpenLatencies> {
  const values: number[] = [];
  const intervalMs = 1_000 / perSecond;
  const count = Math.max(1, Math.round(seconds * perSecond));
  const behindMax = Math.max(target.connections, behindSecondsMax * perSecond);
  const free: Line[] = [];
  const lines: Line[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sent = 0;
  let due = 0;
  const sendDue = (): void => {
    while (sent < due && free.length > 0) {
      const line = free.shift()!;
      line.dueAt = beat.startsAt + sent * intervalMs;
      sent += 1;
      line.send();
    }
    if (due - sent > behindMax) resolve();
  };
  for (let index = 0; index < target.connections; index++) {
    const line = new Line(target, index, {
      failed: reject,
      answered: () => {
        values.push(monotonicMs() - line.dueAt);
        free.push(line);
        if (values.length === count) resolve();
        else sendDue();
      },
    });
    lines.push(line);
    free.push(line);
  }
  await Promise.all(lines.map((line) => line.isReady));
  const beat: Beat = { startsAt: monotonicMs() + 50, intervalMs, count };
  const metronome = new Worker(new URL('./metronome.js', import.meta.url), { workerData: beat });
  metronome.on('error', reject);
  metronome.on('message', (dueNow: number) => {
    due = dueNow;
    sendDue();
  });
  const end = setTimeout(resolve, Math.min(longestMs, (seconds + behindSecondsMax) * 1_000));
  await promise.finally(() => metronome.terminate());
  clearTimeout(end);
  for (const line of lines) line.close();
  values.sort((one, other) => one - other);
  return { seconds: (monotonicMs() - beat.startsAt) / 1_000, values, isCarried: values.length === count };
}

/** One connection, with one request under way at a time. */
class Line {
  /** When the request under way should have been sent. */
  dueAt = 0;
  readonly isReady: Promise<void>;
  readonly #socket: Socket;
  readonly #target: Target;
  readonly #index: number;
  readonly #failed: (error: unknown) => void;

  constructor(target: Target, index: number, events: { answered(): void; failed(error: unknown): void }) {
    this.#failed = events.failed;
    this.#target = target;
    this.#index = index;
    const reader = new AnswerReader();
    const { keepsOneOf = 1 } = target;
    let answers = 0;
    const read = (chunk: Buffer) => {
      try {
        const answer = reader.push(chunk, answers % keepsOneOf === 0);
        if (!answer) return;
        answers += 1;
        target.answered(index, answer);
        events.answered();
      } catch (error) {
        events.failed(error);
        socket.destroy();
      }
    };
    // always into the same memory: new memory for each piece of a large answer would cost more than the reading
    const received = Buffer.allocUnsafeSlow(readBytes);
    const callback = (length: number) => {
      read(received.subarray(0, length));
      return true;
    };
    const socket = connect({ port: target.port, host: '127.0.0.1', onread: { buffer: received, callback } });
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setTimeout(silentMsMax, () => socket.destroy(new Error(`no answer in ${silentMsMax} ms`)));
    this.isReady = new Promise((resolve) => socket.once('connect', () => resolve()));
    socket.once('error', events.failed);
    socket.once('close', () => events.failed(new Error('the connection was closed')));
  }

  send(): void {
    const write = () => void this.#socket.write(this.#target.request(this.#index));
    const { before } = this.#target;
    if (before) before().then(write).catch(this.#failed);
    else write();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Requests in turn, on whichever connection is free; each answer must look like this. */
export function inTurn(
  { name, port }: Side,
  connections: number,
  request: (index: number) => string,
  expected: RegExp,
  expectedStatus = 200,
): Target {
  let sent = 0;
  return {
    port,
    connections,
    request: () => request(sent++),
    answered: (_connection, { status, body }) => {
      const text = body!.toString('latin1');
      if (status !== expectedStatus || !expected.test(text)) throw new Error(`${name} answered ${status} ${text}`);
    },
  };
}

/** A whole POST of a form. */
export const postForm = (path: string, form: string, headers: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`;

/** A whole POST of JSON. */
export function post(path: string, json: string, headers = ''): string {
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
