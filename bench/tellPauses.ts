/**
 * Loaded into each process that is measured, by --import. File descriptor 3 leads to who measures: a byte of 1 has the
 * process tell its pauses there, a line of JSON each, and one of 0 ends that. Until then it costs nothing.
 */
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { watchPauses } from './pauses.js';

// worker threads load it too, and forked processes, which have another channel there
if (isMainThread && !process.channel) listen(new Socket({ fd: 3, readable: true, writable: true }));

function listen(teller: Socket): void {
  let end: (() => void) | undefined;
  teller.unref();
  teller.on('error', () => undefined);
  teller.on('data', (line) => {
    end?.();
    end = line.at(-1) === 1 ? watchPauses((pause) => teller.write(`${JSON.stringify(pause)}\n`)) : undefined;
  });
}
