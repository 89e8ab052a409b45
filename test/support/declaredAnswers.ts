/** Compares the answers of a service in the tests with /openapi.json: each status, media type and header that it names. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dependencies } from '../../src/context.js';
import { descriptions } from '../../src/modules/openapi.js';
import { openapiDocument } from '../../src/rest/docs/openapi.js';

interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
};

export interface Seen {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** Without parameters; empty if the answer has none. */
  type: string;
  headers: string[];
}

/** Headers that a client acts on. */
const telling = [
  'retry-after',
  'www-authenticate',
  'etag',
  'location',
  'x-total-count',
  'preference-applied',
  'dpop-nonce',
  'x-gatehouse-user',
];

/** What the document does not say about an answer; undefined if it declares the answer, or has nothing about its path and method. */
export function findUndeclared(document: object, { method, path, status, type, headers }: Seen): string | undefined {
  const { paths, components } = document as Document;
  const template = Object.keys(paths).find((candidate) => fits(candidate, path));
  const operation = template && paths[template]![method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation) return undefined;
  const at = `${method} ${template} ${status}`;
  const declared = operation.responses[status];
  if (!declared) return `${at} is not declared`;
  const response = declared.$ref ? components.responses[declared.$ref.split('/').at(-1)!]! : declared;
  const names = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const header = headers.find((name) => telling.includes(name) && !names.includes(name));
  if (header) return `${at} has no header ${header}`;
  if (method === 'HEAD' || status === 304) return undefined;
  const types = Object.keys(response.content ?? {});
  const mayBeEmpty = types.length === 0 || /without a body/.test(response.description);
  if (type === '' ? mayBeEmpty : types.includes(type)) return undefined;
  return `${at} has no content ${type || 'without a body'}`;
}

/** Paths below /api are accepted in any case and with a slash at the end. */
function fits(template: string, path: string): boolean {
  const isTolerant = template.startsWith('/api');
  const pattern = template
    .split(/\{\w{1,99}\}/)
    .map((part) => part.replaceAll('%3A', ':').replaceAll('.', String.raw`\.`))
    .join('[^/:]+');
  return new RegExp(`^${pattern}${isTolerant ? '/?' : ''}$`, isTolerant ? 'i' : '').test(path.replaceAll('%3A', ':'));
}

/** Notes the answers that the server on that port sends; `findAll` says what the document does not declare. */
export function watchAnswers(port: number, dependencies: Pick<Dependencies, 'config' | 'issuerUrl'>) {
  const seen = new Map<string, Seen>();
  const { basePath } = dependencies.config;
  const note = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== port) return;
    const head = readHead(response);
    if (!head) return;
    const [path = ''] = (request.url ?? '').split('?');
    const answer = {
      method: request.method ?? '',
      path: path.startsWith(basePath) ? path.slice(basePath.length) : path,
      ...head,
    };
    seen.set(JSON.stringify(answer), answer);
  };
  subscribe('http.server.response.finish', note);
  return {
    findAll(): string[] {
      unsubscribe('http.server.response.finish', note);
      if (seen.size === 0) return [];
      const document = openapiDocument(dependencies, descriptions);
      return [...new Set([...seen.values()].flatMap((answer) => findUndeclared(document, answer) ?? []))];
    },
  };
}

/**
 * The head as it was written: `getHeader` has not those that `writeHead` was given as a list. Undefined for a refusal of Node's own,
 * such as that of a request without Host (RFC 9112), which has none of our headers.
 */
function readHead(response: ServerResponse): Omit<Seen, 'method' | 'path'> | undefined {
  const [, ...lines] = String((response as unknown as { _header: string })._header).split('\r\n');
  const named = lines.filter(Boolean).map((line) => [line.split(':', 1)[0]!.toLowerCase(), line] as const);
  if (!named.some(([name]) => name === 'x-content-type-options')) return undefined;
  const line = named.find(([name]) => name === 'content-type')?.[1] ?? '';
  const type = line
    .slice(line.indexOf(':') + 1)
    .split(';', 1)[0]!
    .trim();
  const headers = named.map(([name]) => name).filter((name) => telling.includes(name));
  return { status: response.statusCode, type: type.toLowerCase(), headers };
}
