/** Listens on a port, with errors that say what to do. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostIn } from '../config/config.js';
import { OperatorError } from '../errors.js';

/** Resolves with the actual address. @param setting the name of the port's setting */
export function listen(server: Server, host: string, port: number, setting: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem =
        error.code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is in use: is Gatehouse already running? Set ${setting} to another port.`
          : `Can't listen on ${host} port ${port} (${error.code}): set HOST and ${setting}.`;
      reject(new OperatorError(problem));
    });
    server.listen(port, host, () => resolve(`http://${hostIn(host)}:${(server.address() as AddressInfo).port}`));
  });
}
