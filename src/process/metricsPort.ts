/** METRICS_PORT: a port of its own for those who ask for metrics and health, within the limits of every listener. */
import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.js';
import type { Log } from '../observability/log.js';
import { createListener } from '../server/httpServer.js';
import { listen } from './listen.js';

const connectionsMax = 100;

export async function listenOnMetricsPort(
  { config, log }: { config: Config; log: Log },
  answer: RequestListener,
): Promise<{ url: string; close(): void }> {
  const server = createListener({ ...config, connectionsMax, log }).on('request', answer);
  const url = await listen(server, config.host, config.metricsPort!, 'METRICS_PORT');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, close };
}
