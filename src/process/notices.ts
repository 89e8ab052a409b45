/** What a process tells its operator of itself: sentences on a terminal, but in production lines of the log, as all its output. */
import { openLog } from '../observability/log.js';

interface Notices {
  /** What the operator should know or change. */
  warn(sentence: string): void;
  /** Why the process ends. */
  fail(text: string): void;
  /** That it serves; `screen` is for people. Goes to standard output. */
  ready(url: string, screen: string): void;
}

const onTerminal: Notices = {
  warn: (sentence) => void process.stderr.write(`${sentence}\n`),
  fail: (text) => void process.stderr.write(`${text}\n`),
  ready: (_url, screen) => void process.stdout.write(screen),
};

/** Whatever LOG_LEVEL says. What Node itself would write as text goes into the log too. */
export function openNotices(isProduction: boolean): Notices {
  if (!isProduction) return onTerminal;
  const log = openLog('info');
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ name, warning: message }, 'a warning of Node'));
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
