/** A load generator for large answers: closed loop, keep-alive, and of a body nothing is read but its length. */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Measured } from './load.js';

export interface GraphLoad {
  port: number;
  /** One whole HTTP request. */
  request: Buffer;
  connections: number;
  seconds: number;
  /** The least that a right answer has. */
  bytesMin: number;
}

export async function runGraphLoad(load: GraphLoad): Promise<Measured> {
  const latencies: number[] = [];
  const start = performance.now();
  const deadline = start + load.seconds * 1_000;
  await Promise.all(Array.from({ length: load.connections }, () => drive(load, deadline, latencies)));
  const seconds = (performance.now() - start) / 1_000;
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { requestsPerSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
}

function drive({ port, request, bytesMin }: GraphLoad, deadline: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let began = 0;
    let missing = -1;
    const send = (): void => {
      if (performance.now() >= deadline) {
        socket.destroy();
        resolve();
        return;
      }
      began = performance.now();
      missing = -1;
      socket.write(request);
    };
    socket.once('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      let body = chunk.length;
      if (missing < 0) {
        const headEnd = chunk.indexOf('\r\n\r\n');
        const head = chunk.subarray(0, headEnd).toString('latin1');
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
        if (!head.startsWith('HTTP/1.1 200') || !(length >= bytesMin)) {
          reject(new Error(`a wrong answer: ${chunk.toString('utf8', 0, 600)}`));
          socket.destroy();
          return;
        }
        missing = length;
        body = chunk.length - headEnd - 4;
      }
      missing -= body;
      if (missing > 0) return;
      latencies.push(performance.now() - began);
      send();
    });
  });
}
