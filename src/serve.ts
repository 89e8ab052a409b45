/** npm start: reads the settings, constructs everything, listens, and shuts down cleanly on a signal. */
import cluster from 'node:cluster';
import { failureText } from './cli/session.js';
import type { Config } from './config/config.js';
import { describeUnknown, loadConfig } from './config/loadConfig.js';
import { cautions } from './config/production.js';
import { openNotices } from './process/notices.js';
import { welcome } from './process/welcome.js';
import { runWorker } from './process/worker.js';
import { openWorkers } from './process/workers.js';
import type { Closing } from './server/gate.js';
import { describeUsersOfNoIssuer } from './services/tokens/usersOfNoIssuer.js';
import { startApp } from './startApp.js';

const { warn, fail: reportFailure, ready } = openNotices(process.env.NODE_ENV === 'production');

/** Ctrl-C ends everything within two seconds. */
const promptlyMs = 1_500;

async function run(): Promise<void> {
  const config = loadConfig(process.env);
  if (cluster.isWorker) return runWorker(config);
  for (const caution of [...cautions(config), ...describeUnknown(process.env)]) warn(caution);
  const service = config.workers > 1 ? await openWorkers(config, warn) : await startApp({ config, notice: warn });
  stopOnSignals(service, config);
  // the service runs: a database failure must not end it now
  const ofNoIssuer = await describeUsersOfNoIssuer(service.dependencies.sql, config).catch(() => undefined);
  if (ofNoIssuer) warn(ofNoIssuer);
  ready(service.url + config.basePath, await welcome(service));
}

interface Service {
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
    close({ delayMs, graceMs: Math.floor(graceMs * 0.8) }).then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function fail(error: unknown): never {
  reportFailure(failureText(error));
  process.exit(1);
}

// the reader of the output may be gone before the start ends
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
run().catch(fail);
