/**
 * The database's clock, which all processes share, as the key read of each second brings it. What the database compares
 * with its own time is stamped by it: a process whose clock is wrong would end sessions that are alive.
 */
import type { DatabaseClock } from '../../context.js';
import type { Log } from '../../observability/log.js';

export interface ReadClock extends DatabaseClock {
  /**
   * Takes a reading.
   * @param databaseMs milliseconds since the epoch @param askedAt when it was asked for, by performance.now()
   */
  read(databaseMs: number, askedAt: number): void;
}

/** Until it is read, it is the clock of this process. */
export function openDatabaseClock(): ReadClock {
  let reading: { databaseMs: number; at: number; uncertaintyMs: number } | undefined;
  // not by the clock of this process, which may be set meanwhile
  const nowMs = (): number =>
    reading === undefined ? Date.now() : reading.databaseMs + performance.now() - reading.at;
  return {
    now: () => new Date(nowMs()),
    aheadMs() {
      const difference = Date.now() - nowMs();
      const sure = Math.max(0, Math.abs(difference) - (reading?.uncertaintyMs ?? 0));
      return Math.sign(difference) * sure;
    },
    read(databaseMs, askedAt) {
      const uncertaintyMs = (performance.now() - askedAt) / 2;
      reading = { databaseMs, at: askedAt + uncertaintyMs, uncertaintyMs };
    },
  };
}

/** In words; for one that is right as well. */
export function describeDifference(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`;
}

const loggedBeyondMs = 5_000;

/** To be called after each reading: logs once that the clock is wrong, and once that it is right again. */
export function openClockWatch(clock: DatabaseClock, log: Log): () => void {
  let isWrong = false;
  return () => {
    const aheadMs = clock.aheadMs();
    const wasWrong = isWrong;
    isWrong = Math.abs(aheadMs) > loggedBeyondMs;
    if (isWrong && !wasWrong) log.warn({ aheadMs }, `the clock of this process is ${describeDifference(aheadMs)}`);
    if (!isWrong && wasWrong) log.info("the clock of this process agrees with the database's again");
  };
}
