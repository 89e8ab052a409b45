/** Where a test run keeps what it throws away. */
import { constants } from 'node:fs';
import { access, readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
/** A run was seen to hold 150 MB there, and PostgreSQL may keep 1 GB of its log; what is free besides is for the tests and the browser. */
const roomBytesMin = 2 * 2 ** 30;
const memoryBytesMin = 6 * 2 ** 30;

/**
 * Memory where there is plenty, for a test database is 1,000 new files, which cost a disk's file system more time than
 * all else in many a test; otherwise, and where TMPDIR says so, the usual folder.
 */
export async function chooseScratchFolder(): Promise<string> {
  return process.env.TMPDIR === undefined && (await hasRoom(inMemory)) ? inMemory : tmpdir();
}

/** Tests also start programs there: a container's /dev/shm takes none, and is small. */
async function hasRoom(folder: string): Promise<boolean> {
  if (process.availableMemory() < memoryBytesMin) return false;
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const mount = (await readFile('/proc/mounts', 'utf8')).split('\n').find((line) => line.split(' ')[1] === folder);
    return bavail * bsize >= roomBytesMin && mount !== undefined && !/\bnoexec\b/.test(mount);
  } catch {
    return false; // no Linux, or no such folder
  }
}
