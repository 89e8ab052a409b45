/** A way to the database that can be cut or stopped, as networks are. */
import { connect, createServer, type Socket } from 'node:net';
import { closeAtEnd } from '../support/lifetimes.js';

export interface DatabaseProxy {
  /** The database's URL through this proxy. */
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** New connections are taken again. */
  restore(): Promise<void>;
  /** Nothing passes any more, and nobody is told: a host that is gone. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as { port: number };
  const url = new URL(databaseUrl);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    cut,
    restore: () => listen(port),
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    close: closeAtEnd(async () => {
      if (server.listening) await cut();
    }),
  };
}
