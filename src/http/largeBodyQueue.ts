/**
 * Large bodies are judged and carried out one after the other in a process: parsing one holds the event loop for up to
 * half a second, and between two of them every other request has its turn. Memory is bounded by the same queue.
 */
import type { ServerResponse } from 'node:http';
import { clientLeft, unavailable } from '../errors.js';

/** Bodies of more bytes than this wait for each other. */
export const largeBodyBytes = 256 * 1024;
const waitingMax = 8;
const retryAfterSeconds = 5;

/**
 * Does the work when no other large body is in work. Its turn ends with the work, whether or not the client is still there,
 * or earlier, when the work says `leave`. Throws UNAVAILABLE when too many wait, and CLIENT_CLOSED_REQUEST.
 */
type QueueLargeBody = (response: ServerResponse, work: (leave: () => void) => Promise<void>) => Promise<void>;

export function openLargeBodyQueue(): QueueLargeBody {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  const begin = async (work: (leave: () => void) => Promise<void>) => {
    isBusy = true;
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      isBusy = false;
      // not in the same turn of the event loop: what came meanwhile goes first
      setImmediate(() => {
        if (!isBusy) waiting.shift()?.();
      });
    };
    try {
      await work(leave);
    } finally {
      leave();
    }
  };
  return async (response, work) => {
    if (response.destroyed) throw clientLeft();
    if (!isBusy && waiting.length === 0) return begin(work);
    if (waiting.length >= waitingMax) throw unavailable('The work on large bodies', undefined, retryAfterSeconds);
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(clientLeft());
      };
      const go = () => {
        response.off('close', stop);
        // its place, before anybody else can take it
        isBusy = true;
        resolve();
      };
      response.once('close', stop);
      waiting.push(go);
    });
    return begin(work);
  };
}
