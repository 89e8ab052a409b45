/** Who has gone is waited for by nothing. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { untilClosed } from '../../src/http/requestContext.js';

const closing = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once('close', () => resolve());
    response.destroy();
  });

it('the signal of a response aborts when the response closes, and at once if it is closed already', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const before = untilClosed(response);
  expect(before.aborted).toBe(false);
  await closing(response);
  const [error, later] = [before.reason, untilClosed(response).reason];
  expect([error.code, later.code]).toEqual(['CLIENT_CLOSED_REQUEST', 'CLIENT_CLOSED_REQUEST']);
});
