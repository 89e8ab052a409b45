/** Stands before a service and plants differences in its answers; knows afterwards which, and how many of each. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationOf } from '../../compare/message.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { type Passing, plants } from './plants.js';

interface Planter {
  url: string;
  /** How often, by `operation kind: path`. */
  planted: Map<string, number>;
}

/** Once each kind was planted, one in so many answers is changed, so that most are not. */
const every = 3;

export async function startPlanter(to: string): Promise<Planter> {
  const planted = new Map<string, number>();
  const counts = new Map(plants.map((plant) => [plant, 0]));
  let answers = 0;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method, url, headers } = incoming;
    const { host, connection, 'content-length': length, ...rest } = headers as Record<string, string>;
    const body = Buffer.concat(chunks);
    const response = await fetch(`${to}${url}`, { method: method!, headers: rest, ...(body.length > 0 && { body }) });
    const answer: Passing = {
      operation: operationOf(method!, url!),
      sent: body.toString(),
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
    answers++;
    plant(answer, answers % every === 0);
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding'])
      delete answer.headers[name];
    outgoing.writeHead(answer.status, answer.headers).end(answer.text);
  }

  /**
   * The kind that was planted least of those that this answer can have. One that never was is planted at once: which answers
   * are the third ones is up to the order in which requests end.
   */
  function plant(answer: Passing, isItsTurn: boolean): void {
    for (const each of plants.toSorted((a, b) => counts.get(a)! - counts.get(b)!)) {
      if (counts.get(each)! > 0 && !isItsTurn) return;
      if (!each.change(answer)) continue;
      counts.set(each, counts.get(each)! + 1);
      const name = `${answer.operation} ${each.kind}: ${each.path}`;
      planted.set(name, (planted.get(name) ?? 0) + 1);
      return;
    }
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, planted };
}
