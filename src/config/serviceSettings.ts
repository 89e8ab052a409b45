/** Settings of the process itself. */
import { basePath, integer, oneOf, text } from './parsers.js';
import { setting } from './setting.js';

export const serviceSettings = {
  nodeEnv: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    'development, test or production, which refuses every default that is only fit for development.',
  ),
  port: setting('PORT', integer(0, 65_535), '4000', 'Port to listen on; 0 takes a free one.'),
  host: setting('HOST', text, '127.0.0.1', 'Address to listen on.'),
  basePath: setting('BASE_PATH', basePath, '', 'Prefix of every path.'),
  workers: setting('WORKERS', integer(1, 256), '1', 'Processes that share the port; each has its own connections.'),
  dataDir: setting('DATA_DIR', text, '.gatehouse', 'Folder of the embedded database and of development keys.'),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(0, 600_000),
    '0',
    'After SIGTERM, milliseconds in which it still takes requests while /readyz says no, for load balancers to notice.',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    integer(0, 600_000),
    '10000',
    'After that, most milliseconds for requests under way to end.',
  ),
} as const;
