/** Sends requests to identity providers through the operator's HTTP proxy (HTTPS_PROXY, NO_PROXY). */
import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import querystring from 'node:querystring';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../config/config.js';
import { isInNetwork } from '../config/parsers.js';

export interface EgressProxy {
  /** Address of the proxy: http://host:port, perhaps with user and password. */
  url: URL;
  /** Hosts that are reached directly: names with their subdomains, addresses, or `*`, each perhaps with a port; or networks. */
  noProxy: readonly string[];
}

/** How the settings let the addresses of others be reached. */
export const providerNetworkOf = ({ privateProviderHosts: privateHosts, httpsProxy, noProxy }: Config) => ({
  privateHosts,
  proxy: httpsProxy && { url: httpsProxy, noProxy },
});

/** Whether requests to the address go through the proxy. Only https does: the tunnel shows the proxy nothing but the host. */
export const usesProxy = ({ noProxy }: EgressProxy, { protocol, hostname, port }: URL): boolean =>
  protocol === 'https:' &&
  !noProxy.some((entry) => matches(entry, withoutBrackets(hostname.toLowerCase()), port || '443'));

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

function matches(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(hostname, entry);
  const [, name = entry, entryPort] = /^([^:]{1,255}):(\d{1,5})$/.exec(entry) ?? [];
  const domain = name.replace(/^\*?\./, '');
  return (entryPort === undefined || entryPort === port) && (hostname === domain || hostname.endsWith(`.${domain}`));
}

/** Opens a TLS connection to the address through the proxy (RFC 9110 §9.3.6). Throws Error without the proxy's credentials. */
export function openTunnel({ url: proxy }: EgressProxy, target: URL, signal: AbortSignal | null): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || 443}`;
  const credentials = `${querystring.unescape(proxy.username)}:${querystring.unescape(proxy.password)}`;
  const headers = {
    host: authority,
    ...(proxy.username && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(signal?.aborted ? signal.reason : error);
    const connecting = request({
      host: withoutBrackets(proxy.hostname),
      port: proxy.port || 80,
      method: 'CONNECT',
      path: authority,
      headers,
      agent: false,
      ...(signal && { signal }),
    });
    connecting.on('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        return reject(new Error(`the proxy answers ${statusCode} (HTTPS_PROXY)`));
      }
      const host = withoutBrackets(target.hostname);
      // RFC 6066 §3: an address is not a server name
      const servername = isIP(host) === 0 ? host : '';
      const secured = connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] });
      if (signal) addAbortSignal(signal, secured);
      secured.once('secureConnect', () => resolve(secured));
      secured.once('error', fail);
    });
    connecting.on('error', (error: NodeJS.ErrnoException) =>
      fail(new Error(`the proxy cannot be reached: ${error.code ?? error.message} (HTTPS_PROXY)`)),
    );
    connecting.end();
  });
}
