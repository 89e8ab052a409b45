/** The address of a caller, as it is counted by and as records have it: at most 45 characters. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { unmapped } from '../config/network.js';

const addressMax = 45;

/** What the trusted proxies say (TRUST_PROXY), or else who is connected; never what a caller wrote that is no address. */
export function addressOf({
  ip,
  socket,
}: Pick<IncomingMessage, 'socket'> & { ip?: string | undefined }): string | null {
  const told = findAddress(ip) ?? findAddress(socket.remoteAddress);
  return told?.slice(0, addressMax) ?? null;
}

/** Whether an address is a proxy's whose word counts; `index` 0 is who is connected. As Express compiles it. */
export type Trust = (address: string, index: number) => boolean;

/** What Express calls `request.ip`: the first that is no trusted proxy, from the nearest on. */
export function forwardedAddress({ socket, headers }: IncomingMessage, trust: Trust): string | undefined {
  const told = headers['x-forwarded-for'];
  if (typeof told !== 'string') return socket.remoteAddress;
  const named = told.split(',').map((address) => address.trim());
  const chain = [socket.remoteAddress ?? '', ...named.filter(Boolean).reverse()];
  return chain.find((address, index) => index === chain.length - 1 || !trust(address, index));
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function findAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? undefined : unmapped(address);
}
