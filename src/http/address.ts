/** The address of a caller, as it is counted by and as records have it: at most 45 characters. */
import { isIP } from 'node:net';
import type { Request } from 'express';
import { unmapped } from '../config/network.js';

const addressMax = 45;

/** What the trusted proxies say (TRUST_PROXY), or else who is connected; never what a caller wrote that is no address. */
export function addressOf(request: Request): string | null {
  const told = findAddress(request.ip) ?? findAddress(request.socket.remoteAddress);
  return told?.slice(0, addressMax) ?? null;
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function findAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? undefined : unmapped(address);
}
