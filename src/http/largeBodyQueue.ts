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

/** Waits until no other large body is in work; its turn ends with the response. Throws UNAVAILABLE when too many wait. */
export type QueueLargeBody = (response: ServerResponse) => Promise<void>;

interface Waiting {
  begin(): void;
}

export function openLargeBodyQueue(): QueueLargeBody {
  const waiting: Waiting[] = [];
  let isBusy = false;
  const begin = (response: ServerResponse) => {
    isBusy = true;
    response.once('close', () => {
      isBusy = false;
      // not in the same turn of the event loop: what came meanwhile goes first
      setImmediate(() => {
        if (!isBusy) waiting.shift()?.begin();
      });
    });
  };
  return async (response) => {
    if (response.destroyed) throw clientLeft();
    if (!isBusy && waiting.length === 0) return begin(response);
    if (waiting.length >= waitingMax) throw unavailable('The work on large bodies', undefined, retryAfterSeconds);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(clientLeft());
      };
      const entry: Waiting = {
        begin() {
          response.off('close', leave);
          begin(response);
          resolve();
        },
      };
      response.once('close', leave);
      waiting.push(entry);
    });
  };
}
