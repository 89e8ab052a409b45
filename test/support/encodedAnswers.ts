/** Answers as they go over the wire: node's fetch would undo their coding and hide it. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined: the answer broke off. */
  bytes: Buffer | undefined;
}

interface WireRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, or as a form. */
  body?: object | URLSearchParams;
}

export async function askWire(url: string, { method = 'GET', headers = {}, body }: WireRequest = {}) {
  const isForm = body instanceof URLSearchParams;
  const type = body && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
  const outgoing = request(url, { method, headers: { ...type, ...headers }, agent: false });
  outgoing.end(body && (isForm ? body.toString() : JSON.stringify(body)));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer).catch(() => undefined);
  return { status: answer.statusCode!, headers: answer.headers, bytes } satisfies WireAnswer;
}

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

/** What the answer says, its coding undone. */
export function decoded({ headers, bytes }: WireAnswer): string {
  const encoding = headers['content-encoding'];
  const decode = encoding === undefined ? (as: Buffer) => as : decoders[encoding as keyof typeof decoders];
  return decode(bytes!).toString();
}
