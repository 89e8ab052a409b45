/**
 * Decides to which host names a development start answers: only to names that no foreign DNS can resolve, so that pages of
 * other sites can't send requests (DNS rebinding).
 */
import { isIP } from 'node:net';

/** @param host the header, with its port */
export function isOwnHost(host: string | undefined, names: readonly string[]): boolean {
  const url = `http://${host}`;
  if (!host || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  // browsers ask no DNS for an address, nor for localhost (RFC 6761 §6.3)
  return (
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /^(.+\.)?localhost$/.test(hostname) || names.includes(hostname)
  );
}
