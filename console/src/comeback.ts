/** Notices when the service can be reached again: while something waits for it, one small question is asked now and then. */
import { ask, Refusal } from './graph';
import { me } from './operations/generated/session';

const firstPauseMs = 1_000;
/** While the service is away. */
const awayPauseMs = 8_000;
/** While it answers, and what waits fails all the same. */
const failingPauseMs = 60_000;
/** A service that hangs is away too. */
const answerMs = 5_000;

const waiting = new Set<() => unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;
let pauseMs = firstPauseMs;
let isLooking = false;

export const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.code === 'UNAVAILABLE';

/** Tries again when the service answers, until the returned function is called. */
export function whenBack(tryAgain: () => unknown): () => void {
  if (waiting.size === 0) pauseMs = firstPauseMs;
  waiting.add(tryAgain);
  timer ??= setTimeout(look, pauseMs);
  return () => void waiting.delete(tryAgain);
}

async function look(): Promise<void> {
  isLooking = true;
  if (waiting.size > 0 && !document.hidden) {
    const error = await ask(me, {}, AbortSignal.timeout(answerMs)).catch((error: unknown) => error);
    const isBack = !isUnavailable(error);
    pauseMs = Math.min(pauseMs * 2, isBack ? failingPauseMs : awayPauseMs);
    // what a page tries by itself comes before what is done for every page
    if (isBack) for (const tryAgain of [...waiting].reverse()) tryAgain();
  }
  isLooking = false;
  // everybody's page is not to ask at the same moment
  timer = waiting.size > 0 ? setTimeout(look, pauseMs * (0.75 + Math.random() / 2)) : undefined;
}

/** The network is back, or the page is looked at again: that is known at once. */
function lookNow(): void {
  if (timer === undefined || isLooking || document.hidden) return;
  clearTimeout(timer);
  pauseMs = firstPauseMs;
  timer = setTimeout(look);
}

addEventListener('online', lookNow);
document.addEventListener('visibilitychange', lookNow);
