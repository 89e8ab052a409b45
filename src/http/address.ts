/** The address of a caller, as it is counted by and as records have it: at most 45 characters. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Config } from '../config/config.js';
import { unmapped } from '../config/network.js';
import type { Log } from '../observability/log.js';

const addressMax = 45;

/** What the trusted proxies say (TRUST_PROXY), or else who is connected; never what a caller wrote that is no address. */
export function addressOf({
  ip,
  socket,
}: Pick<IncomingMessage, 'socket'> & { ip?: string | undefined }): string | null {
  const address = findAddress(ip) ?? findAddress(socket.remoteAddress);
  return address?.slice(0, addressMax) ?? null;
}

/** What one caller may have many addresses of: a /64 of IPv6 (RFC 6177), else the address. */
export function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? 'unknown';
  // the parser writes it in its one short form (RFC 5952), without a zone
  const [head = '', tail] = (URL.parse(`http://[${address.split('%', 1)[0]}]`)?.hostname ?? '')
    .slice(1, -1)
    .split('::');
  const groups = head.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}

/** Says once that a proxy's word counts for nothing, so that all who come by way of it have its address. */
export function warnOfForwarding({ trustProxy }: Config, log: Log, answer: RequestListener): RequestListener {
  if (trustProxy !== false) return answer;
  let isLogged = false;
  return (request, response) => {
    if (!isLogged && request.headers['x-forwarded-for'] !== undefined) {
      isLogged = true;
      log.warn(
        'X-Forwarded-For arrives while TRUST_PROXY is no: all callers behind a proxy count as its one address, and the failures of one lock out all. Set TRUST_PROXY to the proxy, or have it drop the header.',
      );
    }
    answer(request, response);
  };
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function findAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (isIPv4(text)) return text;
  const [, bracketed, plain] = /^(?:\[([^\]]{1,64})\]|([^:]{1,64}))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? undefined : unmapped(address);
}
