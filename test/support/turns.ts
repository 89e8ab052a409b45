/** Lets concurrent operations go on one statement at a time, in an order that a test chooses: races that happen again by their seed. */
import type { Sql } from '../../src/sql.js';

export interface Turn {
  /** Which of the waiting operations goes on, counted round. */
  who: number;
  /** Its connection breaks before or after its statement; only where the operation may fail. */
  breaks?: 'before' | 'after' | undefined;
}

interface Task<T> {
  mayBreak: boolean;
  run(sql: Sql): Promise<T>;
}

interface Waiting {
  task: number;
  goOn(turn: Turn): void;
}

/**
 * Runs the tasks together: only when each of them is at a statement, or done, the next one goes on.
 * @param nextTurn gives the turns in order
 */
export async function inTurns<T>(sql: Sql, tasks: readonly Task<T>[], nextTurn: () => Turn): Promise<T[]> {
  let running = tasks.length;
  const waiting: Waiting[] = [];

  function settle(): void {
    running--;
    if (running > 0 || waiting.length === 0) return;
    waiting.sort((one, other) => one.task - other.task);
    const turn = nextTurn();
    const [next] = waiting.splice(turn.who % waiting.length, 1);
    running++;
    next!.goOn(turn);
  }

  const gated = (task: number, mayBreak: boolean): Sql => ({
    ...sql,
    async rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      const turn = await new Promise<Turn>((goOn) => {
        waiting.push({ task, goOn });
        settle();
      });
      if (mayBreak && turn.breaks === 'before') throw new Error('Connection terminated unexpectedly');
      const rows = await sql.rows<Row>(text, values);
      if (mayBreak && turn.breaks === 'after') throw new Error('Connection terminated unexpectedly');
      return rows;
    },
  });

  return Promise.all(tasks.map(({ run, mayBreak }, index) => run(gated(index, mayBreak)).finally(settle)));
}
