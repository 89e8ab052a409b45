/**
 * Requests that are sent one behind the other on a connection are answered one after the other. HTTP gives their answers
 * in that order anyway (RFC 9112 §9.3.2); so what a connection can cost at once is one request and one answer.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const underWay = Symbol('response under way');
type Line = Socket & { [underWay]?: ServerResponse | undefined };

export function oneAtATime(answer: RequestListener): RequestListener {
  return (request, response) => {
    const line: Line = request.socket;
    const before = line[underWay];
    line[underWay] = response;
    response.once('close', () => {
      if (line[underWay] === response) line[underWay] = undefined;
    });
    if (!before) answer(request, response);
    else before.once('close', () => !line.destroyed && answer(request, response));
  };
}
