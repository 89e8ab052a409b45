/** Limits how many requests an address may make a minute, whoever calls and whatever it asks. */
import { type LimiterStore, openLimiter } from './limiter.js';

/** Counts a request. Throws GatehouseError with status 429 over the limit. */
export type RequestLimit = (address: string | null) => Promise<void>;

/** @param limit requests a minute of an address; 0: none is counted, and there is no limit. @param of what is limited */
export function openRequestLimit(limit: number, store: LimiterStore, of: 'token' | 'admin'): RequestLimit | undefined {
  if (limit === 0) return undefined;
  const limiter = openLimiter({ limit, store, prefix: `request ${of}`, counted: 'requests' });
  return (address) => limiter.count(address ?? 'unknown');
}
