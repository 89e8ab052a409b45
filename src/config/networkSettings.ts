/** Settings of callers: who they are taken for, and how often they may come. */
import { anyOrigins, boolean, hosts, integer, oneOf, trustProxy } from './parsers.js';
import { setting } from './setting.js';

export const networkSettings = {
  compression: setting(
    'COMPRESSION',
    boolean,
    'yes',
    'no: answers are not compressed. yes: lists, queries of GraphQL, /openapi.json and the console’s files are, from a kilobyte on, where the client accepts zstd, br or gzip; never what may hold a token or secret.',
  ),
  clientFailureLimit: setting(
    'CLIENT_FAILURE_LIMIT',
    integer(0, 1_000_000),
    '30',
    'Failures of client authentication a minute, per client and per address, before 429; 0: no limit.',
  ),
  tokenRateLimit: setting(
    'TOKEN_RATE_LIMIT',
    integer(0, 1_000_000),
    '0',
    'Requests a minute of an address to /token, /revoke, /validate-token, /profiles, /introspect and /backchannel-logout, before 429; 0: no limit.',
  ),
  adminRateLimit: setting(
    'ADMIN_RATE_LIMIT',
    integer(0, 1_000_000),
    '0',
    'Requests a minute of an address to /api and /graphql, before 429; 0: no limit.',
  ),
  limiterStore: setting(
    'LIMITER_STORE',
    oneOf('memory', 'database'),
    'memory',
    'Where failures and requests are counted for their limits: memory, each process for itself; database, all processes together.',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    integer(1, 1_000_000),
    '10000',
    'Most connections of clients to a process; the next is closed at once.',
  ),
  readerBytesPerSecondMin: setting(
    'READER_BYTES_PER_SECOND_MIN',
    integer(0, 1_000_000_000),
    '32768',
    'What a client must take of an answer that waits for it, in bytes a second on average; a slower one loses its connection. 0: no minimum.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    trustProxy,
    'no',
    'Proxies whose X-Forwarded-For counts: no, a number of hops, or their addresses and nets, `loopback`, `linklocal` and `uniquelocal` among them.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    anyOrigins,
    '',
    'Origins whose pages may call the token endpoints and read keys and metadata, separated by commas; *: any. Not set: none.',
  ),
  privateProviderHosts: setting(
    'PRIVATE_PROVIDER_HOSTS',
    hosts,
    '',
    'Hosts of identity providers that have private addresses under names that do not show it, separated by commas.',
  ),
} as const;
