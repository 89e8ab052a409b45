/** Returns the address that this service listens on; the default issuer. */

/** With IPv6 addresses in brackets. */
export const hostIn = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const ownAddress = ({ host, port, basePath }: { host: string; port: number; basePath: string }): string =>
  `http://${hostIn(host)}:${port}${basePath}`;
