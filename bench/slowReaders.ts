/** A thread of its own for those who read lists in a way that costs others: some take next to nothing, some leave and come again. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Readers {
  port: number;
  seconds: number;
  /** Who open the list and then take a kilobyte now and then. */
  slow: number;
  slowRequest: string;
  /** Who ask for a list that is dear, are gone after a tenth of a second, and come again. */
  leaving: number;
  leavingRequest: string;
}

const { port, seconds, slow, slowRequest, leaving, leavingRequest } = workerData as Readers;
const statuses: Record<string, number> = {};
const leaveAfterMs = 100;
const cycleMs = 500;
let isOver = false;

const count = (what: string) => {
  statuses[what] = (statuses[what] ?? 0) + 1;
};

function open(request: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', highWaterMark: 1_024 } as never);
  socket.on('error', () => undefined);
  socket.write(request);
  return socket;
}

async function readSlowly(): Promise<void> {
  while (!isOver) {
    const socket = open(slowRequest);
    let isFirst = true;
    socket.on('data', (chunk: Buffer) => {
      if (isFirst) count(/^HTTP\/1.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 'none');
      isFirst = false;
      socket.pause();
      setTimeout(() => socket.resume(), 1_000);
    });
    await Promise.race([new Promise((resolve) => socket.once('close', resolve)), untilOver]);
    socket.destroy();
    await pause(100);
  }
}

async function leave(_: unknown, index: number): Promise<void> {
  // nobody tells them to come at the same moment
  await pause((cycleMs * index) / leaving);
  while (!isOver) {
    const socket = open(leavingRequest);
    await pause(leaveAfterMs);
    socket.destroy();
    count('left');
    await pause(cycleMs - leaveAfterMs);
  }
}

const untilOver = pause(seconds * 1_000).then(() => {
  isOver = true;
});
parentPort!.postMessage('begun');
await Promise.all([...Array.from({ length: slow }, readSlowly), ...Array.from({ length: leaving }, leave)]);
parentPort!.postMessage(statuses);
