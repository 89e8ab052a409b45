/** A few turns to spare, which come back over time (a token bucket): for what strangers may cause, but not often. */

export interface BudgetOptions {
  /** Turns that may be taken at once. */
  spare: number;
  /** Milliseconds after which a turn comes back. */
  refillMilliseconds: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Budget {
  /** Takes a turn, if there is one. */
  take(): boolean;
}

export function openBudget({ spare, refillMilliseconds, now }: BudgetOptions): Budget {
  let turns = spare;
  let countedAt = now();
  return {
    take() {
      // a clock that was put back must not lengthen the wait
      turns = Math.min(spare, turns + Math.abs(now() - countedAt) / refillMilliseconds);
      countedAt = now();
      if (turns < 1) return false;
      turns -= 1;
      return true;
    },
  };
}
