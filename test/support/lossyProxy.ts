/** A way to the service on which answers get lost: it has them whole from the service, and breaks the client's connection. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAtEnd } from './lifetimes.js';

interface LossyProxy {
  url: string;
  /** Whether the next answer is lost, asked when the service has written it. */
  loses: () => boolean;
  /** Statuses of the answers that were lost. */
  lost: number[];
}

export async function startLossyProxy(serviceUrl: string): Promise<LossyProxy> {
  const proxy: LossyProxy = { url: '', loses: () => false, lost: [] };
  const server = createServer(async (incoming, response) => {
    const { method, url, headers, socket } = incoming;
    const outgoing = request(serviceUrl + url, { method: method!, headers, agent: false });
    incoming.pipe(outgoing);
    const [answer] = await once(outgoing, 'response');
    const body: Buffer[] = [];
    for await (const chunk of answer) body.push(chunk);
    if (!proxy.loses()) return response.writeHead(answer.statusCode, answer.headers).end(Buffer.concat(body));
    proxy.lost.push(answer.statusCode);
    return socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return proxy;
}
