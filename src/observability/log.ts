/** The structured log: one JSON line per event on standard error. */
import { type DestinationStream, pino } from 'pino';

export type Log = ReturnType<typeof openLog>;

/** Limit for lines that could not be written yet, in bytes. */
const waitingBytesMax = 1_000_000;

/** A line that cannot be written (full disk, reader that stopped) is written with the next one. Beyond the limit, the newest lines are lost. */
function openStandardError(): DestinationStream {
  // the first access opens it and makes a pipe non-blocking
  void process.stderr;
  const destination = pino.destination({ fd: 2, sync: true, maxLength: waitingBytesMax, retryEAGAIN: () => false });
  // without a listener the error would end the process
  return destination.on('error', () => undefined);
}

/** Opens the log. Only name, code, message and stack of an error are written, because drivers add parameters. */
export function openLog(level: string, destination: DestinationStream = openStandardError()) {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { error: describeError } },
    { write: (line) => destination.write(line.replace(misleading, escaped)) },
  );
}

/** Line ends, terminal controls and direction changes that JSON does not escape. */
const misleading = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name } = error;
  // a message may have lines that look like stack frames
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

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const states: Record<string, string> = {
  '42501': 'the role of DATABASE_URL lacks a right: bin/gatehouse doctor names it',
  '53100': 'the disk of the database is full',
  '53200': 'the database has no memory left',
  '53300': 'the database has no connection left',
  '57P03': 'the database is starting or stopping',
};

/** Says in words what an SQL state means for the operator; undefined for most. */
export const stateInWords = (code: string): string | undefined => states[code];

/** Logs only state, table and constraint of a database error: drivers put values into the message. */
function publicMessage(error: Error, code: unknown): string {
  const { constraint, table } = error as { constraint?: string; table?: string };
  // system error codes such as EPIPE can look like an SQL state
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !('syscall' in error))
    return [
      stateInWords(code) ?? `SQL state ${code}`,
      table && `table ${table}`,
      constraint && `constraint ${constraint}`,
    ]
      .filter(Boolean)
      .join(' ');
  return error.message.split('\n')[0]?.slice(0, 300) ?? '';
}
