/**
 * How documents of identity providers are fetched: without following redirects, and never from an address of one's own
 * network unless the operator's own words name a host of it. The address is judged where the connection is made, so that
 * a name which means another address a moment later (DNS rebinding) leads nowhere either.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isLinkLocal, isLocalHost, isPublicAddress } from '../config/network.js';

export interface ProviderNetwork {
  /** Hosts that may have private addresses, besides those whose name or address says so. */
  privateHosts?: readonly string[];
  /** Whether the written host itself may say that it is of our own network; true. */
  isLocalByName?: boolean;
  /** The system's. */
  lookup?: typeof systemLookup;
  /** Called when a fetch begins; returns what to call when it ended. */
  observe?: (url: URL) => ((outcome: { status?: number; error?: unknown }) => void) | undefined;
}

/**
 * A `fetch` for one provider.
 * @param written the address that the operator wrote; what it leads to is reached only where that one may lead
 */
export function openProviderFetch(written: string, network: ProviderNetwork = {}): typeof fetch {
  const host = new URL(written).hostname;
  const isLocal = (network.isLocalByName !== false && isLocalHost(host)) || (network.privateHosts ?? []).includes(host);
  const mayReach = (address: string): boolean =>
    isPublicAddress(address) || (isLocal && (!isLinkLocal(address) || host.includes(address)));
  const lookup = guardedLookup(mayReach, network.lookup ?? systemLookup);
  return (input, init) => {
    const url = new URL(String(input));
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !mayReach(literal)) return Promise.reject(refusal(literal));
    const ended = network.observe?.(url);
    const answer = send(url, lookup, init ?? {});
    if (ended)
      answer.then(
        ({ status }) => ended({ status }),
        (error) => ended({ error }),
      );
    return answer;
  };
}

function guardedLookup(mayReach: (address: string) => boolean, lookup: typeof systemLookup): LookupFunction {
  return (hostname: string, options: LookupOptions, answer) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return answer(error, []);
      const reachable = found.filter(({ address }) => mayReach(address));
      const [first] = reachable;
      if (!first) return answer(refusal(found.map(({ address }) => address).join(', ')), []);
      if (options.all) answer(null, reachable);
      else answer(null, first.address, first.family);
    });
  };
}

const refusal = (address: string): Error =>
  new Error(
    `is not asked: ${address || 'no address'} is of a private network, and the issuer is not (PRIVATE_PROVIDER_HOSTS)`,
  );

/** @param init a body is text */
function send(url: URL, lookup: LookupFunction, init: RequestInit): Promise<Response> {
  const { headers, signal, method = 'GET', body } = init;
  const sent = { ...(headers as Record<string, string>), 'accept-encoding': 'identity' };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { lookup, agent: false as const, method, headers: sent, signal: signal! };
    const asked: ClientRequest = request(url, options, (answer) => resolve(responseOf(answer)));
    asked.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    asked.end(typeof body === 'string' ? body : undefined);
  });
}

/** As much of a Response as the reader of provider documents looks at. */
function responseOf(answer: IncomingMessage): Response {
  const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  const headers = new Headers({ 'content-type': answer.headers['content-type'] ?? '' });
  return { status: answer.statusCode ?? 0, headers, body } as Response;
}
