/** A load generator that costs little: keep-alive connections, one request at a time on each (closed loop). */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface Load {
  port: number;
  path: string;
  connections: number;
  seconds: number;
  /** Body of the next request on a connection. */
  body(connection: number): string;
  /** Told of each answer; throws when it is not the right one. */
  answered(connection: number, status: number, body: string): void;
}

export interface Measured {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Runs the load and gives what it saw. */
export async function runLoad(load: Load): Promise<Measured> {
  const latencies: number[] = [];
  const start = performance.now();
  const deadline = start + load.seconds * 1_000;
  await Promise.all(Array.from({ length: load.connections }, (_, index) => drive(load, index, deadline, latencies)));
  const seconds = (performance.now() - start) / 1_000;
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { requestsPerSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
}

async function drive(load: Load, connection: number, deadline: number, latencies: number[]): Promise<void> {
  const socket = connect(load.port, '127.0.0.1');
  socket.setNoDelay(true);
  const read = readAnswers(socket);
  while (performance.now() < deadline) {
    const body = load.body(connection);
    const began = performance.now();
    socket.write(
      `POST ${load.path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const answer = await read();
    latencies.push(performance.now() - began);
    load.answered(connection, answer.status, answer.body);
  }
  socket.destroy();
}

/** Reads one answer with a content-length after the other. */
function readAnswers(socket: Socket): () => Promise<{ status: number; body: string }> {
  let received = '';
  let wake: (() => void) | undefined;
  let failure: Error | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    wake?.();
  });
  socket.on('error', (error) => {
    failure = error;
    wake?.();
  });
  return async () => {
    for (;;) {
      if (failure) throw failure;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd >= 0) {
        const head = received.slice(0, headEnd);
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        const end = headEnd + 4 + length;
        if (received.length >= end) {
          const body = received.slice(headEnd + 4, end);
          received = received.slice(end);
          return { status: Number(head.slice(9, 12)), body };
        }
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
