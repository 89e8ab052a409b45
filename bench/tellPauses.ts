/** Loaded into each process that is measured, by --import: tells of its pauses on file descriptor 3, a line of JSON each. */
import { write } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { watchPauses } from './pauses.js';

// worker threads load it too, and forked processes, which have another channel there
if (isMainThread && !process.channel) watchPauses((pause) => write(3, `${JSON.stringify(pause)}\n`, () => undefined));
