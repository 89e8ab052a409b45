/** A thread of its own for those whom nobody wants: requests at fixed times, whatever is answered, and what was answered. */
import { parentPort, workerData } from 'node:worker_threads';
import { openLoop } from './load.js';

export interface Attack {
  port: number;
  seconds: number;
  perSecond: number;
  /** Whole requests, each sent once. */
  requests: string[];
}

const { port, seconds, perSecond, requests } = workerData as Attack;
const statuses: Record<number, number> = {};
let sent = 0;

parentPort!.postMessage('begun');
await openLoop(
  {
    port,
    // more than may wait for a comparison
    connections: 200,
    request: () => requests[sent++ % requests.length]!,
    answered: (_connection, { status }) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
  },
  seconds,
  perSecond,
);
parentPort!.postMessage(statuses);
