/**
 * A proxy in front of both services, for moving clients one by one. A request goes to the service of its client, and a request
 * with a token to the service that issued the token. So a session stays where it began, and a new one begins where its client belongs.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { isJsonObject } from '../src/jsonObject.js';
import { type ClientRules, sideOfNewSession } from './clientRules.js';
import {
  type Answer,
  type Body,
  fieldOf,
  type Headers,
  isClientId,
  operationOf,
  type Request,
  readBody,
  readJwt,
} from './message.js';
import { orNoAnswer } from './pairComparer.js';
import {
  forwardedForOf,
  type ListeningProxy,
  listenFor,
  originForm,
  type PassOptions,
  pairsToPass,
  passOn,
} from './proxy.js';
import { hold, joined, NoAnswer, type Service } from './send.js';
import type { Side } from './values.js';

interface CutOverOptions extends Pick<PassOptions, 'timeoutMs'> {
  listen: { host: string; port: number };
  services: Record<Side, Service>;
  /** Returns the present rules; called for each request. */
  rules(): ClientRules;
}

/** The number of requests of a client, by the service that answered. */
export interface ClientCount {
  client: string;
  old: number;
  new: number;
  /** Renewals that the other service than the client's granted, because the session began there. */
  elsewhere: number;
}

export interface CutOver extends ListeningProxy {
  counts(): ClientCount[];
}

const bodyBytesMax = 256 * 1024;
const countedClientsMax = 10_000;
/** Maximum number of renewal tokens whose issuer is remembered. For any other token, both services are asked in turn. */
const issuedMax = 200_000;
/** Maximum number of token requests in progress. */
const heldMax = 1_000;
/** Shortest interval between two fetches of the key sets, whatever key ids tokens name. */
const keySetMsMin = 5_000;
const jwksPath = '/.well-known/jwks.json';

/** Throws OperatorError when it cannot listen. */
export async function startCutOver({ listen, services, rules, timeoutMs }: CutOverOptions): Promise<CutOver> {
  const keySets = new KeySets(services);
  const router = new Router(services, rules, keySets);
  let waiting = 0;
  const answerHeld = async (operation: string, incoming: IncomingMessage): Promise<Answer> => {
    if (waiting >= heldMax) return tooMany;
    waiting++;
    try {
      const request = await read(incoming);
      return request ? await router.answer(operation, request) : tooLong;
    } finally {
      waiting--;
    }
  };
  const listener = await listenFor(listen, timeoutMs, (incoming, outgoing, track) => {
    const operation = operationOf(incoming.method!, originForm(incoming.url!));
    if (operation === `GET ${jwksPath}`) return track(keySets.answer().then((answer) => write(outgoing, answer)));
    if (tokenOperations.has(operation))
      return track(answerHeld(operation, incoming).then((answer) => write(outgoing, answer)));
    track(
      router.sideOfBearer(incoming.headers.authorization).then((side) => {
        if (outgoing.destroyed) return;
        router.count(undefined, side);
        passOn({ to: services[side], name: side, timeoutMs, forwardedFor: true }, incoming, outgoing);
      }),
    );
  });
  return { ...listener, counts: () => router.counts() };
}

const tokenOperations = new Set(
  ['/token', '/profiles', '/revoke', '/validate-token', '/introspect'].map((path) => `POST ${path}`),
);

class Router {
  readonly #issuers = new LRUCache<string, Side>({ max: issuedMax });
  readonly #searches = new Map<string, Promise<Answer>>();
  readonly #counts = new Map<string, ClientCount>();

  constructor(
    private readonly services: Record<Side, Service>,
    private readonly rules: () => ClientRules,
    private readonly keySets: KeySets,
  ) {}

  async answer(operation: string, request: Request): Promise<Answer> {
    const body = readBody(request);
    const client = clientOf(request, body);
    if (operation === 'POST /revoke') return this.#revoke(client, request, body);
    const renewed = operation === 'POST /token' ? fieldOf(body, 'refresh_token') : undefined;
    if (renewed !== undefined) return this.#renew(client, request, body, renewed);
    const token = operation === 'POST /token' ? undefined : fieldOf(body, 'token');
    const side = token === undefined ? this.#sideOfSession(client, body) : await this.#sideOfToken(client, token);
    return this.#send(client, side, request);
  }

  /** Looks for the issuer of a token with one request at a time: an imported token is valid at both services, and must work once only. */
  async #renew(client: string | undefined, request: Request, body: Body, token: string): Promise<Answer> {
    const hash = hashOf(token);
    while (this.#searches.has(hash)) await this.#searches.get(hash);
    const remembered = this.#issuers.get(hash);
    if (remembered !== undefined) {
      const answer = await this.#send(client, remembered, request);
      if (isSuccess(answer) && remembered !== this.#sideOfUnknown(client)) this.#countOf(client).elsewhere++;
      return answer;
    }
    const search = this.#renewUnknown(client, request, body, token);
    this.#searches.set(hash, search);
    try {
      return await search;
    } finally {
      this.#searches.delete(hash);
    }
  }

  /**
   * Asks the client's service first. If it refuses the token, nothing was used up, and the other service is asked. After a
   * success the token is revoked at the other service, because an imported token would still be valid there.
   */
  async #renewUnknown(client: string | undefined, request: Request, body: Body, token: string): Promise<Answer> {
    const own = this.#sideOfUnknown(client);
    const answer = await this.#send(client, own, request);
    const isRefused = answer.status === 400 || answer.status === 401;
    const other = isRefused ? await this.#ask(otherOf(own), request) : answer;
    if (!isSuccess(other)) return answer;
    const side = isRefused ? otherOf(own) : own;
    this.#issuers.set(hashOf(token), side);
    if (isRefused) {
      const count = this.#countOf(client);
      count.elsewhere++;
      // it was already counted for the service that refused it
      count[own]--;
      count[side]++;
    }
    await this.#ask(otherOf(side), revocationOf(request, body, token));
    return other;
  }

  /** Revokes at both services, because an imported token is valid at both. If one of them fails, the client gets that failure. */
  async #revoke(client: string | undefined, request: Request, body: Body): Promise<Answer> {
    const side = await this.#sideOfToken(client, fieldOf(body, 'token') ?? '');
    const [own, other] = await Promise.all([this.#send(client, side, request), this.#ask(otherOf(side), request)]);
    return isSuccess(own) && other.status >= 500 ? other : own;
  }

  async #send(client: string | undefined, side: Side, request: Request): Promise<Answer> {
    const answer = await this.#ask(side, request);
    this.count(client, side);
    return answer;
  }

  async #ask(side: Side, request: Request): Promise<Answer> {
    const answer = await orNoAnswer(this.services[side].send(request));
    if (answer instanceof NoAnswer) return problem(502, `The ${side} service gave no answer: ${answer.message}.`);
    const issued = isSuccess(answer) ? fieldOf(readBody(answer), 'refresh_token') : undefined;
    if (issued !== undefined) this.#issuers.set(hashOf(issued), side);
    return answer;
  }

  /** All new sessions of a person begin at the same service, also if only a share of the client's sessions has moved. */
  #sideOfSession(client: string | undefined, body: Body): Side {
    const token = fieldOf(body, 'id_token') ?? fieldOf(body, 'subject_token') ?? '';
    const person = readJwt(token)?.claims.sub;
    return sideOfNewSession(this.rules(), client, typeof person === 'string' ? person : token);
  }

  /** The service to ask first for a token of unknown origin: the new one only if all sessions of the client have moved. */
  #sideOfUnknown(client: string | undefined): Side {
    const { clients, others } = this.rules();
    return (clients.get(client ?? '') ?? others) === 100 ? 'new' : 'old';
  }

  async #sideOfToken(client: string | undefined, token: string): Promise<Side> {
    const side = await this.keySets.sideOf(token);
    return side ?? this.#issuers.get(hashOf(token)) ?? this.#sideOfUnknown(client);
  }

  /**
   * Chooses the service for any other request by the key that signed its access token. The old service answers requests
   * without a token, and those with an unknown key.
   */
  async sideOfBearer(authorization = ''): Promise<Side> {
    const [scheme = '', token = ''] = authorization.split(' ', 2);
    return /^(bearer|dpop)$/i.test(scheme) ? ((await this.keySets.sideOf(token)) ?? 'old') : 'old';
  }

  count(client: string | undefined, side: Side): void {
    this.#countOf(client)[side]++;
  }

  #countOf(client: string | undefined): ClientCount {
    const label = client === undefined ? 'no client' : isClientId(client) ? client : 'no proper client id';
    const isFull = this.#counts.size >= countedClientsMax && !this.#counts.has(label);
    const name = isFull ? 'other clients' : label;
    const count = this.#counts.get(name) ?? { client: name, old: 0, new: 0, elsewhere: 0 };
    this.#counts.set(name, count);
    return count;
  }

  counts = (): ClientCount[] => [...this.#counts.values()].sort((a, b) => (a.client < b.client ? -1 : 1));
}

const otherOf = (side: Side): Side => (side === 'old' ? 'new' : 'old');
const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** The public keys of both services. APIs verify tokens of both, and the key id says which service issued a token. */
class KeySets {
  readonly #keys: Record<Side, object[]> = { old: [], new: [] };
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(private readonly services: Record<Side, Service>) {}

  /** Returns the service that issued the access token; undefined for any other text. */
  async sideOf(token: string): Promise<Side | undefined> {
    const kid = readJwt(token)?.header.kid;
    if (typeof kid !== 'string') return undefined;
    const signer = () => (['new', 'old'] as const).find((side) => this.#keys[side].some((key) => kidOf(key) === kid));
    if (signer() === undefined) await this.#refresh();
    return signer();
  }

  /** Answers with the keys of both services. If a service does not answer, its last known keys are used. */
  async answer(): Promise<Answer> {
    await this.#refresh();
    const keys = [...this.#keys.new, ...this.#keys.old];
    const unique = [...new Map(keys.map((key) => [kidOf(key) ?? key, key])).values()];
    if (unique.length === 0) return problem(502, 'Neither service gave its keys.');
    return jsonAnswer(200, 'application/json', { keys: unique }, 'public, max-age=60');
  }

  async #refresh(): Promise<void> {
    if (performance.now() - this.#askedAt > keySetMsMin) {
      this.#askedAt = performance.now();
      this.#asking = Promise.all((['old', 'new'] as const).map((side) => this.#fetch(side))).then(() => undefined);
    }
    await this.#asking;
  }

  async #fetch(side: Side): Promise<void> {
    const request = { method: 'GET', target: jwksPath, headers: {}, body: Buffer.alloc(0) };
    const answer = await orNoAnswer(this.services[side].send(request));
    if (answer instanceof NoAnswer || answer.status !== 200) return;
    const body = readBody(answer);
    const keys = body.kind === 'json' && isJsonObject(body.json) ? body.json.keys : undefined;
    if (Array.isArray(keys)) this.#keys[side] = keys.filter(isJsonObject);
  }
}

const kidOf = (key: object): unknown => (key as { kid?: unknown }).kid;

/** Makes the request that revokes the token of a renewal, with the same credentials and media type. */
function revocationOf(request: Request, body: Body, token: string): Request {
  const isForm = body.kind === 'form';
  const fields = isForm ? body.fields : Object.entries<string>(body.kind === 'json' ? Object(body.json) : {});
  const kept: [string, string][] = [['token', token], ...fields.filter(([name]) => name.startsWith('client_'))];
  const text = isForm ? String(new URLSearchParams(kept)) : JSON.stringify(Object.fromEntries(kept));
  return { ...request, target: request.target.replace(/\/token(?=\/?(?:$|\?))/i, '/revoke'), body: Buffer.from(text) };
}

function clientOf({ headers }: Request, body: Body): string | undefined {
  const id = fieldOf(body, 'client_id');
  if (id !== undefined) return id;
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(' ', 2);
  if (!/^basic$/i.test(scheme)) return undefined;
  const text = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]!;
  try {
    // RFC 6749 §2.3.1: both are form-encoded
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Reads the whole request, with the headers for a service; undefined if it is too long for a token request. */
async function read(incoming: IncomingMessage): Promise<Request | undefined> {
  const sent = hold(incoming, bodyBytesMax);
  await finished(incoming, { writable: false });
  const body = sent();
  if (body === undefined) return undefined;
  const headers = without(joined(incoming.headers), ['content-length', 'accept-encoding', 'expect']);
  headers['x-forwarded-for'] = forwardedForOf(incoming);
  return { method: incoming.method!, target: originForm(incoming.url!), headers, body };
}

function write(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, without(headers, ['content-length', 'content-encoding']));
  outgoing.end(body);
}

/** Removes these headers, and those that belong to one connection. */
const without = (headers: Headers, names: readonly string[]): Headers =>
  Object.fromEntries(pairsToPass(Object.entries(headers).flat()).filter(([name]) => !names.includes(name)));

function jsonAnswer(status: number, mediaType: string, value: object, cacheControl = 'no-store'): Answer {
  const headers = { 'content-type': mediaType, 'cache-control': cacheControl };
  return { status, headers, body: Buffer.from(JSON.stringify(value)), isTooLong: false };
}

const problem = (status: number, title: string): Answer =>
  jsonAnswer(status, 'application/problem+json', { type: 'about:blank', title, status });

const tooMany = problem(503, 'Too many token requests are under way.');
const tooLong = problem(413, `A token request has at most ${bodyBytesMax} bytes.`);
