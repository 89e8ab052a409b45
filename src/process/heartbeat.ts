/** Whether a worker still answers: it is asked every few seconds, also while it is starting. */
import type { Worker } from 'node:cluster';

export interface Heartbeat {
  /** It has missed more than one question. */
  isSilent(): boolean;
}

const askEveryMs = 5_000;
/** Questions, not time: a primary that was itself suspended finds nobody silent. */
const unansweredMax = 6;

/** @param onSilent called once, when it has said nothing for half a minute */
export function openHeartbeat(worker: Worker, onSilent: () => void): Heartbeat {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === unansweredMax) {
      clearInterval(timer);
      onSilent();
      return;
    }
    unanswered += 1;
    if (worker.isConnected()) worker.send({ isAskedFor: 'heartbeat' }, () => undefined);
  }, askEveryMs).unref();
  worker.on('message', () => {
    unanswered = 0;
  });
  worker.once('exit', () => clearInterval(timer));
  return { isSilent: () => unanswered > 1 };
}
