/** Why the embedded PostgreSQL does not start, in a sentence for the operator. */

export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export const ownDatabase = 'set DATABASE_URL to use a PostgreSQL of your own';

/** Turns an error of the system or of PostgreSQL about `place` into a sentence for the operator. */
export function explain(cause: unknown, place: string): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new EmbeddedPostgresError(knownCause(message, place) ?? unknownCause(message, place));
}

function knownCause(message: string, place: string): string | undefined {
  // PostgreSQL reports a partly written last block as "wrote only 4096 of 8192 bytes"
  if (/ENOSPC|EDQUOT|No space left on device|wrote only|quota exceeded/i.test(message)) {
    return `The disk that holds ${place} is full: free some space on it, or set DATA_DIR to a folder on another disk.`;
  }
  // Node says ENOENT when it can't make a folder on a read-only disk
  if (/EROFS|Read-only file system|ENOENT.*mkdir/i.test(message)) {
    return `${place} can't be written, because its disk is read-only: set DATA_DIR to a folder that can be written, or ${ownDatabase}.`;
  }
  if (/could not look up effective user ID/i.test(message)) {
    return `PostgreSQL needs an entry in /etc/passwd for the user who runs it (id ${process.getuid?.()}): add one, or ${ownDatabase}.`;
  }
  if (/incompatible with server/i.test(message)) {
    return `${place} was made by another version of PostgreSQL: go back to the Gatehouse that made it, set DATA_DIR to a new folder, or ${ownDatabase}.`;
  }
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(message)?.[1];
  if (library) {
    return `The embedded PostgreSQL lacks the library ${library}: start Gatehouse once as the user who ran npm ci, or ${ownDatabase}.`;
  }
  if (/ENOTDIR|EEXIST|Not a directory/i.test(message)) {
    return `${place} can't be a folder, because it or a folder above it is a file: set DATA_DIR to a folder.`;
  }
  if (
    /EACCES|EPERM|Permission denied|not permitted|wrong ownership/i.test(message) &&
    !namesElsewhere(message, place)
  ) {
    return `No permission to use ${place} (${message}): give the folder to the user who runs Gatehouse, set DATA_DIR to another one, or ${ownDatabase}.`;
  }
  return undefined;
}

/** Whether the error names a path that is neither in the place nor one of its parents, such as /dev/null. */
function namesElsewhere(message: string, place: string): boolean {
  const path = /(?<![^\s'"])\/[^\s'":]+/.exec(message)?.[0];
  return path !== undefined && !path.startsWith(place) && !place.startsWith(path);
}

function unknownCause(message: string, place: string): string {
  return `The embedded PostgreSQL in ${place} can't run (${message.replace(/\.$/, '')}): fix that, or ${ownDatabase}.`;
}

/** Lines that initdb prints after every failure. */
const consequence = /^(child process |initdb: (removing|.* not removed)|$)/;

/** Returns the line of a failed command's output that names the cause. */
export const causeIn = (text: string): string | undefined =>
  faultIn(text) ?? text.split('\n').findLast((line) => !consequence.test(line.trim()));

/** Returns the line of PostgreSQL's output that names the fault, without its time stamp. */
export function faultIn(text: string): string | undefined {
  const faults = text.split('\n').filter((line) => /FATAL|PANIC|ERROR|error|could not/.test(line));
  const fault = faults.find((line) => /No space left|wrote only|quota exceeded|Read-only/.test(line)) ?? faults.at(-1);
  return fault?.replace(/^.*?(?=FATAL|PANIC|ERROR|could not)/, '').trim();
}
