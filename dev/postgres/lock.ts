/**
 * Which process of this machine keeps a data directory: the holder of an abstract Unix socket (Linux, unix(7)), whose name
 * the kernel frees at any death of its holder. Nobody who can't read the password knows the name.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';

/** The same for every spelling of the directory's path; another one for a copy of it. */
export async function lockName(directory: string, password: string): Promise<string> {
  const { dev, ino } = await stat(directory);
  const hash = createHash('sha256').update(`${dev} ${ino} ${password}`).digest('hex').slice(0, 32);
  // shorter names are filled up with zeros by some versions of Node and not by others, which then wouldn't meet
  return `\0gatehouse-${hash}`.padEnd(108, '.');
}

/** Undefined if another process holds it. Held until the server is closed or this process ends. */
export function takeLock(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const holder = createServer((socket) => socket.destroy());
    holder.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    holder.listen(name, () => resolve(holder));
  });
}

export async function isLocked(name: string): Promise<boolean> {
  const holder = await takeLock(name);
  holder?.close();
  return !holder;
}
