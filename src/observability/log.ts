/** The structured log: one JSON line per event on standard error. */
import { type DestinationStream, pino } from 'pino';

export type Log = ReturnType<typeof openLog>;

/** Opens the log. Errors are written by name, code, message and stack alone, for drivers hang parameters on them. */
export function openLog(level: string, destination: DestinationStream = pino.destination({ fd: 2, sync: true })) {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { error: describeError } },
    destination,
  );
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, stack } = error;
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

/** Drivers put the statement with its values into the message: of a database error only state and constraint are told. */
function publicMessage(error: Error, code: unknown): string {
  const { constraint, table } = error as { constraint?: string; table?: string };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))
    return ['SQL state', code, table && `table ${table}`, constraint && `constraint ${constraint}`]
      .filter(Boolean)
      .join(' ');
  return error.message.split('\n')[0]?.slice(0, 300) ?? '';
}
