/**
 * Fetches documents of identity providers without following redirects, and never from an address of the operator's
 * network unless a setting names its host. The address is checked when the connection is opened, so that
 * a name that resolves to another address later (DNS rebinding) is refused too.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { pipeline, Readable, type Transform } from 'node:stream';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { isLinkLocal, isLocalHost, isPublicAddress } from '../config/parsers.js';
import { opensslWords } from '../errors.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { type EgressProxy, openTunnel, usesProxy } from './egressProxy.js';
import { openPublishedKey, type PublishedKey } from './publishedKey.js';

export interface ProviderNetwork {
  /** Hosts that may have private addresses, in addition to those whose name or address shows it. */
  privateHosts?: readonly string[];
  /** Whether a private name or address in the setting allows private addresses; true. */
  isLocalByName?: boolean;
  /** The proxy through which providers are reached. */
  proxy?: EgressProxy | undefined;
  /** Resolves names; the system's resolver. */
  lookup?: typeof systemLookup;
  /** Called when a fetch begins; returns a function to call when it ended. */
  observe?: (url: URL) => ((outcome: { status?: number; error?: unknown }) => void) | undefined;
}

/**
 * Opens a `fetch` for one provider.
 * @param written the address in the setting; its host decides which addresses may be reached
 */
export function openProviderFetch(written: string, network: ProviderNetwork = {}): typeof fetch {
  const ask = openRequests(written, network, responseOf);
  return (input, init) => ask(new URL(String(input)), init ?? {});
}

/** The answer to a post, without its body. */
interface PostAnswer {
  status: number;
  retryAfter: string | undefined;
  /** The beginning of the body of a refusal, undecoded; empty for a success. */
  body: Buffer;
}

export type Post = (
  url: URL,
  init: { headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<PostAnswer>;

/** Bytes of an answer that are read; the connection of a longer one is closed. */
const answerBytesMax = 64 * 1024;
const freeSocketsMax = 4;
const freeSocketMs = 30_000;

/**
 * Opens a function that sends texts to one address by the rules of providers' addresses, on connections that stay open, without
 * following redirects or decoding answers.
 * @param socketsMax simultaneous requests
 */
export function openPost(written: string, network: ProviderNetwork, socketsMax: number): { post: Post; close(): void } {
  const Agent = new URL(written).protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: socketsMax,
    maxFreeSockets: freeSocketsMax,
    timeout: freeSocketMs,
  });
  const ask = openRequests(written, network, postAnswerOf, agent);
  return { post: (url, init) => ask(url, { ...init, method: 'POST' }), close: () => agent.destroy() };
}

async function postAnswerOf(answer: IncomingMessage): Promise<PostAnswer> {
  const status = answer.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const drained = (async () => {
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > answerBytesMax) return void answer.destroy();
      chunks.push(chunk);
    }
  })().catch(() => undefined);
  // what follows the status of a success changes nothing
  if (status < 200 || status > 299) await drained;
  return { status, retryAfter: answer.headers['retry-after'], body: Buffer.concat(chunks) };
}

/** Sends requests of one address by its rules; `receive` reads the answer. */
function openRequests<Received extends { status: number }>(
  written: string,
  network: ProviderNetwork,
  receive: (answer: IncomingMessage) => Promise<Received>,
  agent?: HttpAgent,
): (url: URL, init: RequestInit) => Promise<Received> {
  const { isLocal, mayReach, lookup } = reachOf(written, network);
  return (url, init) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !mayReach(literal)) return Promise.reject(refusal(literal));
    const ended = network.observe?.(url);
    const { proxy } = network;
    const answer =
      proxy && usesProxy(proxy, url)
        ? sendThrough(proxy, url, { isLocal, lookup }, init, receive)
        : send(url, init, { lookup, agent: agent ?? false }, receive);
    if (ended)
      answer.then(
        ({ status }) => ended({ status }),
        (error) => ended({ error }),
      );
    return answer;
  };
}

/** Which addresses may be reached for an address in a setting. */
function reachOf(written: string, network: ProviderNetwork) {
  const host = new URL(written).hostname;
  const isLocal = (network.isLocalByName !== false && isLocalHost(host)) || (network.privateHosts ?? []).includes(host);
  const mayReach = (address: string): boolean =>
    isPublicAddress(address) || (isLocal && (!isLinkLocal(address) || host.includes(address)));
  return { isLocal, mayReach, lookup: guardedLookup(mayReach, network.lookup ?? systemLookup) };
}

const certificateTimeoutMs = 5_000;

/**
 * Returns the certificate of a provider that was refused, to describe it to the operator; undefined if it cannot be read, or only
 * through a proxy. Nothing is sent on the unchecked connection.
 */
export function readRefusedCertificate(
  address: string,
  network: ProviderNetwork,
): Promise<PeerCertificate | undefined> {
  const url = new URL(address);
  const { mayReach, lookup } = reachOf(address, network);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if ((network.proxy && usesProxy(network.proxy, url)) || (isIP(host) !== 0 && !mayReach(host)))
    return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? host : '';
    const socket = connectTls({ host, port: Number(url.port || 443), servername, lookup, rejectUnauthorized: false });
    const end = (certificate?: PeerCertificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.setTimeout(certificateTimeoutMs, end);
    socket.once('error', () => end());
    socket.once('secureConnect', () => end(socket.getPeerCertificate()));
  });
}

function guardedLookup(mayReach: (address: string) => boolean, lookup: typeof systemLookup): LookupFunction {
  return (hostname: string, options: LookupOptions, answer) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return answer(error, []);
      const reachable = addresses.filter(({ address }) => mayReach(address));
      const [first] = reachable;
      if (!first) return answer(refusal(addresses.map(({ address }) => address).join(', ')), []);
      if (options.all) answer(null, reachable);
      else answer(null, first.address, first.family);
    });
  };
}

const refusal = (address: string): Error =>
  new Error(
    `was not contacted: ${address || 'no address'} is in a private network, and the issuer is not (PRIVATE_PROVIDER_HOSTS)`,
  );

/** Longest wait for the name server; then the name counts as unknown. */
const lookupMs = 1_000;

/**
 * The proxy resolves the name, so this service checks first what it can: it refuses a name that looks private, and a name that
 * resolves to private addresses only. A name that only the proxy can resolve is left to the proxy.
 */
async function sendThrough<Received>(
  proxy: EgressProxy,
  url: URL,
  { isLocal, lookup }: { isLocal: boolean; lookup: LookupFunction },
  init: RequestInit,
  receive: (answer: IncomingMessage) => Promise<Received>,
): Promise<Received> {
  if (!isLocal && isLocalHost(url.hostname)) throw refusal(url.hostname);
  await new Promise<void>((resolve, reject) => {
    setTimeout(resolve, lookupMs).unref();
    lookup(url.hostname, { all: true }, (error) => (error && !('code' in error) ? reject(error) : resolve()));
  });
  const socket = await openTunnel(proxy, url, init.signal ?? null);
  return send(url, init, { createConnection: () => socket }, receive);
}

/** @param init a body is text */
function send<Received>(
  url: URL,
  init: RequestInit,
  way: { lookup: LookupFunction; agent: HttpAgent | false } | { createConnection: () => Socket },
  receive: (answer: IncomingMessage) => Promise<Received>,
): Promise<Received> {
  const { headers, signal, method = 'GET', body } = init;
  const sent = { ...(headers as Record<string, string>), 'accept-encoding': 'identity' };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // without an agent the request takes the connection that is given
    const options = { ...way, method, headers: sent, signal: signal! };
    let isAnswered = false;
    const clientRequest: ClientRequest = request(url, options, (answer) => {
      isAnswered = true;
      resolve(receive(answer));
    });
    clientRequest.on('error', (error) => {
      if (signal?.aborted) return reject(signal.reason);
      // the receiver had closed the kept connection: nothing was read there
      if (!isAnswered && clientRequest.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
        return resolve(send(url, init, way, receive));
      reject(error);
    });
    clientRequest.end(typeof body === 'string' ? body : undefined);
  });
}

/** Some providers compress whatever was asked for. */
const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** RFC 9110 §8.4.1.2: some senders of `deflate` leave out the header of zlib, whose first byte ends with 8. */
async function inflateOf(answer: IncomingMessage): Promise<() => Transform> {
  await once(answer, 'readable');
  const first: Buffer | null = answer.read(1);
  if (first) answer.unshift(first);
  return first && (first[0]! & 15) !== 8 ? createInflateRaw : createInflate;
}

/** Throws for an encoding that is unknown here. */
async function decoded(answer: IncomingMessage): Promise<Readable> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return answer;
  const open = encoding === 'deflate' ? await inflateOf(answer) : decoders.get(encoding);
  if (!open) {
    answer.destroy();
    throw new Error(
      `answers with the content encoding ${JSON.stringify(encoding.slice(0, 50))}, which is not supported`,
    );
  }
  // a broken answer, and one that is too long, ends the other stream too
  return pipeline(answer, open(), () => undefined);
}

/** The parts of a Response that the reader of provider documents uses. */
async function responseOf(answer: IncomingMessage): Promise<Response> {
  const body = Readable.toWeb(await decoded(answer)) as ReadableStream<Uint8Array>;
  const headers = new Headers({ 'content-type': answer.headers['content-type'] ?? '' });
  return { status: answer.statusCode ?? 0, headers, body } as Response;
}

/** Where the discovery document (OpenID Connect Discovery 1.0 §4) and the JWKS of a provider are, and how they are fetched. */
export interface DocumentSource {
  issuer: string;
  /** The address of the keys; absent: from the discovery document. */
  jwksUri?: string;
  /** The base address of the discovery document, if it isn't the issuer's. */
  askedAt?: string;
  fetch: typeof fetch;
  /** Time limit for both documents together. */
  timeoutMs: number;
}

/** Limit of a document, decoded. It bounds the number of keys too. */
const bodyBytesMax = 1024 * 1024;

/** Returns the provider's current keys. Throws an Error whose message describes the provider's fault, for a log or a terminal. */
export async function fetchPublishedKeys(source: DocumentSource): Promise<PublishedKey[]> {
  const signal = AbortSignal.timeout(source.timeoutMs);
  const jwksUri = source.jwksUri ?? (await discoverJwksUri(source, signal));
  const { keys } = await fetchJson(jwksUri, source, signal);
  if (!Array.isArray(keys)) throw new Error(`${shownAddress(jwksUri)} is not a JSON Web Key Set`);
  return keys.filter(isJsonObject).map(openPublishedKey);
}

async function discoverJwksUri(source: DocumentSource, signal: AbortSignal): Promise<string> {
  const { jwks_uri: jwksUri } = await fetchMetadata(source, signal);
  const allowed = findAllowedAddress(jwksUri, source.issuer);
  if (!allowed) throw new Error(`${metadataAddress(source)} has no usable jwks_uri`);
  return allowed;
}

// OpenID Connect Discovery 1.0 §4.1: a terminating slash of the issuer is removed here, and here only.
const metadataAddress = ({ issuer, askedAt = issuer }: DocumentSource): string =>
  `${askedAt.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Returns the provider's discovery document. Throws an Error whose message describes the provider's fault. */
export async function fetchMetadata(
  source: DocumentSource,
  signal = AbortSignal.timeout(source.timeoutMs),
): Promise<JsonObject & { issuer: string }> {
  const address = metadataAddress(source);
  const metadata = await fetchJson(address, source, signal);
  // §4.3: MUST be exactly the requested issuer
  if (metadata.issuer !== source.issuer)
    throw new Error(`${address} names another issuer: ${JSON.stringify(metadata.issuer)?.slice(0, 200)}`);
  return metadata as JsonObject & { issuer: string };
}

// an https provider may not lead to plain http, and no provider to another scheme
export function findAllowedAddress(address: unknown, issuer: string): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'));
  return isAllowed ? url?.href : undefined;
}

/** The address for a log or a terminal: its query may hold a secret. */
export const shownAddress = (address: string): string => address.split(/[?#]/)[0]!;

async function fetchJson(address: string, source: DocumentSource, signal: AbortSignal): Promise<JsonObject> {
  try {
    // a new connection for each fetch: fetches are rare, and an idle one would fail after the provider's restart
    const response = await source.fetch(address, {
      signal,
      redirect: 'manual',
      headers: { accept: 'application/json', connection: 'close' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`answers ${response.status} instead of 200`);
    }
    return parseJsonObject(await readBounded(response));
  } catch (error) {
    throw new Error(`${shownAddress(address)} ${describe(signal.aborted ? signal.reason : error, source)}`);
  }
}

/** The body as text, without its byte order mark (RFC 8259 §8.1). Throws Error for more than 1 MiB. */
export async function readBounded(response: Pick<Response, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error(`answers with more than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function parseJsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // reported below, without the text
  }
  throw new Error('answers with something other than a JSON object');
}

function describe(error: unknown, source: DocumentSource): string {
  const { name, message, code, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `does not answer within ${source.timeoutMs / 1000} s`;
  if (code?.startsWith('Z_') || code?.startsWith('ERR__ERROR_FORMAT'))
    return `answers with a broken content encoding: ${code}`;
  const reason = opensslWords(message) ?? (code === 'UNSPECIFIED' ? message : (code ?? cause?.code ?? cause?.message));
  return reason ? `cannot be reached: ${reason}` : message;
}
