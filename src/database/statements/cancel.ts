/**
 * Statements that are ended before they are answered: the client that asked has gone, or they take too long. By the
 * protocol's own request (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS), so
 * that the connection serves on.
 */
import pg, { type PoolClient } from 'pg';

interface Bounds {
  /** Aborted when nobody waits for the answer any more; its reason is thrown then. */
  signal?: AbortSignal | undefined;
  /** Longest run, in milliseconds; 0: no limit. */
  timeoutMs?: number;
  /** What is thrown then; absent: the statement's own error. */
  overdue?: (() => unknown) | undefined;
}

/** A statement that a cancellation doesn't end in this time is ended with its connection. */
const cancelTimeoutMs = 1_000;

/** What `run` gives of its statement on the connection. Throws why `signal` was aborted, or the statement's own error. */
export async function runWithin<T>(
  client: PoolClient,
  { signal, timeoutMs = 0, overdue }: Bounds,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  let cancelling: Promise<void> | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  const cancel = () => {
    cancelling ??= requestCancel(client);
    giveUp ??= setTimeout(() => destroy(client), cancelTimeoutMs);
  };
  let isOverdue = false;
  const end = () => {
    isOverdue = true;
    cancel();
  };
  const timeout = timeoutMs > 0 ? setTimeout(end, timeoutMs) : undefined;
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw isOverdue && overdue ? overdue() : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    clearTimeout(timeout);
    clearTimeout(giveUp);
    // or it would meet the next statement
    await cancelling;
  }
}

// what the library's types leave out
interface Addressed {
  host: string;
  port: number;
  ssl: pg.ConnectionConfig['ssl'];
  sslNegotiation: string;
  processID: number;
  secretKey: number;
  connection: { stream: { destroy(): void } };
}
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

const destroy = (client: PoolClient): void => (client as unknown as Addressed).connection.stream.destroy();

/** Resolves when the server has read the request, or after its time: then the connection is given up anyway. */
function requestCancel(client: PoolClient): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Addressed;
  const request = new pg.Connection({ ssl, sslNegotiation } as never) as CancelConnection;
  return new Promise((resolve) => {
    const timeoutTimer = setTimeout(() => request.stream.destroy(), cancelTimeoutMs);
    const send = () => request.cancel(processID, secretKey);
    const isDirect = !ssl || sslNegotiation === 'direct';
    request.on('connect', () => {
      if (!ssl) send();
      else if (!isDirect) request.requestSsl();
    });
    request.on('sslconnect', send);
    request.on('error', () => undefined);
    request.on('end', () => {
      clearTimeout(timeoutTimer);
      resolve();
    });
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
    else request.connect(port, host);
  });
}
