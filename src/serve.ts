/**
 * npm start: reads the settings, starts the service, and shuts down cleanly on a signal. The application is loaded where it answers:
 * with WORKERS only in the workers.
 */
import cluster from 'node:cluster';
import { failureText } from './cli/session.js';
import type { Config } from './config/config.js';
import { describeUnknown, loadConfig } from './config/loadConfig.js';
import { cautions } from './config/production.js';
import { openNotices } from './process/notices.js';
import type { Closing } from './server/gate.js';
import type { Greeting } from './startApp.js';

const { warn, fail: reportFailure, ready } = openNotices(process.env.NODE_ENV === 'production');

/** Ctrl-C ends everything within two seconds. */
const promptlyMs = 1_500;

async function run(): Promise<void> {
  const config = loadConfig(process.env);
  if (cluster.isWorker) return (await import('./process/worker.js')).runWorker(config, warn);
  for (const caution of [...cautions(config), ...describeUnknown(process.env)]) warn(caution);
  const service = await open(config);
  stopOnSignals(service, config);
  const { warning, screen } = await service.greet();
  if (warning) warn(warning);
  ready(service.url + config.basePath, screen);
}

async function open(config: Config): Promise<Service> {
  if (config.workers > 1) return (await import('./process/workers.js')).openWorkers(config, warn);
  return (await import('./startApp.js')).startApp({ config, notice: warn });
}

interface Service {
  url: string;
  /** What the operator is told when the service runs. */
  greet(): Promise<Greeting>;
  close(closing: Closing): Promise<void>;
  /** Ends child processes at once. */
  kill?: () => void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The first signal waits for open requests, Ctrl-C only for a second; the second signal ends the process at once. */
function stopOnSignals({ close, kill }: Service, config: Config): void {
  let isClosing = false;
  const stop = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (isClosing) {
      kill?.();
      process.exit(exitCodes[signal]);
    }
    isClosing = true;
    const delayMs = signal === 'SIGTERM' ? config.shutdownDelayMs : 0;
    const graceMs = signal === 'SIGTERM' ? config.shutdownGraceMs : promptlyMs;
    // connections to a database that is away may never close
    setTimeout(() => {
      kill?.();
      process.exit(0);
    }, delayMs + graceMs);
    close({ delayMs, graceMs }).then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** The primary says why a worker failed. */
function fail(error: unknown): void {
  const text = failureText(error);
  if (cluster.isWorker && process.connected) {
    process.send!({ failure: text }, () => process.exit(1));
    return;
  }
  reportFailure(text);
  process.exit(1);
}

// the reader of the output may be gone before the start ends
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
run().catch(fail);
