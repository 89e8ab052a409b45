/** Reads the `traceparent` header (https://www.w3.org/TR/trace-context). */
import type { IncomingMessage } from 'node:http';

export interface Traceparent {
  /** 16 bytes in hex. */
  traceId: string;
  /** 8 bytes in hex. */
  spanId: string;
  isSampled: boolean;
  /** The header's value. */
  tracestate: string | undefined;
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export function findTraceparent({ headers }: IncomingMessage): Traceparent | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId, spanId, flags] = form.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, tracestate: tracestate === undefined ? undefined : String(tracestate) };
}
