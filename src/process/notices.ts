/** Writes a process's messages for its operator: sentences on a terminal, log lines in production. */
import { openLog } from '../observability/log.js';

interface Notices {
  /** A warning for the operator. */
  warn(sentence: string): void;
  /** The reason why the process ends. */
  fail(text: string): void;
  /** The service is ready. Written to standard output; `screen` is the text for people. */
  ready(url: string, screen: string): void;
}

const onTerminal: Notices = {
  warn: (sentence) => void process.stderr.write(`${sentence}\n`),
  fail: (text) => void process.stderr.write(`${text}\n`),
  ready: (_url, screen) => void process.stdout.write(screen),
};

/** Independent of LOG_LEVEL. Node's own warnings and uncaught errors go to the log too. */
export function openNotices(isProduction: boolean): Notices {
  if (!isProduction) return onTerminal;
  const log = openLog('info');
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ name, warning: message }, 'Node reported a warning'));
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'an unexpected error ends the process');
    process.exit(1);
  });
  return {
    warn: (sentence) => log.warn(sentence),
    fail: (text) => log.fatal(text),
    ready: (url) => openLog('info', process.stdout).info({ url }, `Gatehouse listens on ${url}`),
  };
}
