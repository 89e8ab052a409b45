/** A receiver of webhooks and pushes for tests, on loopback, that answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAtEnd } from '../../support/lifetimes.js';

export interface Received {
  headers: Record<string, string>;
  body: string;
  at: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What it answers; absent: 204. */
  answer: (request: IncomingMessage, response: ServerResponse, received: Received) => void;
  /** Simultaneous requests at most so far. */
  most(): number;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  let open = 0;
  let most = 0;
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: (_request, response) => response.writeHead(204).end(),
    most: () => most,
    close: async () => undefined,
  };
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const received = { headers: request.headers as Record<string, string>, body, at: Date.now() };
      receiver.received.push(received);
      receiver.answer(request, response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  receiver.close = closeAtEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return receiver;
}
