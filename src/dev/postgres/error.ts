/** What can keep the embedded PostgreSQL from running, each said in one sentence that says what to do. */

export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export const ownDatabase = 'set DATABASE_URL to use a PostgreSQL of your own';

/** Turns what the system or PostgreSQL said about `place` into a sentence for the operator. */
export function explain(cause: unknown, place: string): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new EmbeddedPostgresError(knownCause(said, place) ?? unknownCause(said, place));
}

function knownCause(said: string, place: string): string | undefined {
  // a last block that has room for a part of a page is told as "wrote only 4096 of 8192 bytes"
  if (/ENOSPC|EDQUOT|No space left on device|wrote only|quota exceeded/i.test(said)) {
    return `The disk that holds ${place} is full: free some space on it, or set DATA_DIR to a folder on another disk.`;
  }
  // Node says ENOENT when it can't make a folder on a read-only disk
  if (/EROFS|Read-only file system|ENOENT.*mkdir/i.test(said)) {
    return `${place} can't be written, because its disk is read-only: set DATA_DIR to a folder that can be written, or ${ownDatabase}.`;
  }
  if (/could not look up effective user ID/i.test(said)) {
    return `PostgreSQL needs an entry in /etc/passwd for the user who runs it (id ${process.getuid?.()}): add one, or ${ownDatabase}.`;
  }
  if (/incompatible with server/i.test(said)) {
    return `${place} was made by another version of PostgreSQL: go back to the Gatehouse that made it, set DATA_DIR to a new folder, or ${ownDatabase}.`;
  }
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(said)?.[1];
  if (library) {
    return `The embedded PostgreSQL lacks the library ${library}: start Gatehouse once as the user who ran npm ci, or ${ownDatabase}.`;
  }
  if (/ENOTDIR|EEXIST|Not a directory/i.test(said)) {
    return `${place} can't be a folder, because a file is in its way: set DATA_DIR to a folder.`;
  }
  if (/EACCES|EPERM|Permission denied|not permitted|wrong ownership/i.test(said) && !namesElsewhere(said, place)) {
    return `No permission to use ${place} (${said}): give the folder to the user who runs Gatehouse, set DATA_DIR to another one, or ${ownDatabase}.`;
  }
  return undefined;
}

/** Whether it tells of a path that is neither in the place nor on the way to it, such as /dev/null. */
function namesElsewhere(said: string, place: string): boolean {
  const path = /(?<![^\s'"])\/[^\s'":]+/.exec(said)?.[0];
  return path !== undefined && !path.startsWith(place) && !place.startsWith(path);
}

function unknownCause(said: string, place: string): string {
  return `The embedded PostgreSQL in ${place} can't run (${said.replace(/\.$/, '')}): fix that, or ${ownDatabase}.`;
}
