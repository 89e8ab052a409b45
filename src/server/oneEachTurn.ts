/**
 * Requests that come at the same moment begin one in each turn of the event loop: between two of them the loop comes to
 * what else has arrived. So whoever opens a hundred lists at once doesn't hold up the token endpoints, which don't wait here.
 */
import { AsyncResource } from 'node:async_hooks';
import type { RequestListener } from 'node:http';

export function oneEachTurn(answer: RequestListener): RequestListener {
  const waiting: (() => void)[] = [];
  const beginNext = () => {
    const begin = waiting.shift()!;
    if (waiting.length > 0) setImmediate(beginNext);
    begin();
  };
  return (request, response) => {
    // each in the context of its own request, which is where log and traces find it
    waiting.push(AsyncResource.bind(() => answer(request, response)));
    if (waiting.length === 1) setImmediate(beginNext);
  };
}
