/** Listening on a port, with a refusal in words that say what to do. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostIn } from '../config/ownAddress.js';
import { OperatorError } from '../errors.js';

/** Gives the address that it really listens on. @param setting the one that names the port */
export function listen(server: Server, host: string, port: number, setting: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem =
        error.code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is taken: is Gatehouse running already? Set ${setting} to another one.`
          : `Can't listen on ${host} port ${port} (${error.code}): set HOST and ${setting}.`;
      reject(new OperatorError(problem));
    });
    server.listen(port, host, () => resolve(`http://${hostIn(host)}:${(server.address() as AddressInfo).port}`));
  });
}
