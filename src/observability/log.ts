/** The structured log: one JSON line per event on standard error. */
import { type DestinationStream, pino } from 'pino';

export type Log = ReturnType<typeof openLog>;

/** Of lines that wait, for they could not be written. */
const waitingBytesMax = 1_000_000;

/**
 * A line that can't be written, as on a disk that is full or to a reader that has stopped reading, goes out with the next
 * one; while many wait the newest are lost.
 */
function openStandardError(): DestinationStream {
  // Node makes a pipe non-blocking when it opens it, which is at the first look
  void process.stderr;
  const destination = pino.destination({ fd: 2, sync: true, maxLength: waitingBytesMax, retryEAGAIN: () => false });
  // without a listener the error would end the process
  return destination.on('error', () => undefined);
}

/** Opens the log. Errors are written by name, code, message and stack alone, for drivers hang parameters on them. */
export function openLog(level: string, destination: DestinationStream = openStandardError()) {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { error: describeError } },
    { write: (line) => destination.write(line.replace(misleading, escaped)) },
  );
}

/** JSON escapes what ends a line; these are other line ends, terminal controls and changes of direction that it leaves. */
const misleading = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name } = error;
  // a message may hold lines that look like places
  const stack = error.stack?.replace(error.message, () => '');
  const code = (error as { code?: unknown }).code;
  const message = publicMessage(error, code);
  return {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    stack: stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

/** Drivers put the statement with its values into the message: of a database error only state and constraint are logged. */
function publicMessage(error: Error, code: unknown): string {
  const { constraint, table } = error as { constraint?: string; table?: string };
  // codes of the system, such as EPIPE, may look like one
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !('syscall' in error))
    return ['SQL state', code, table && `table ${table}`, constraint && `constraint ${constraint}`]
      .filter(Boolean)
      .join(' ');
  return error.message.split('\n')[0]?.slice(0, 300) ?? '';
}
