/** Rows that are asked for at the same moment share a statement: up to 32 of them, three statements at a time. */
import type pg from 'pg';

const atOnce = 3;
const sizeMax = 32;

interface Pending<Row> {
  values: readonly unknown[];
  resolve(row: Row | undefined): void;
  reject(error: Error): void;
}

/**
 * @param statement its parameters are arrays with a member for each who asks; its rows name theirs by `ord`, from 1
 */
export function openBatch<Row extends { ord: string | number }>(
  pool: pg.Pool,
  statement: { name: string; text: string },
): (values: readonly unknown[]) => Promise<Row | undefined> {
  const pending: Pending<Row>[] = [];
  let running = 0;

  const send = (): void => {
    while (running < atOnce && pending.length > 0) {
      const batch = pending.splice(0, sizeMax);
      running += 1;
      const values = batch[0]!.values.map((_value, index) => batch.map((one) => one.values[index]));
      pool.query({ ...statement, values }, (error, result) => {
        running -= 1;
        send();
        if (error) {
          for (const { reject } of batch) reject(error);
          return;
        }
        const rows = new Map((result.rows as Row[]).map((row) => [Number(row.ord), row]));
        batch.forEach(({ resolve }, index) => {
          resolve(rows.get(index + 1));
        });
      });
    }
  };

  return (values) =>
    new Promise((resolve, reject) => {
      pending.push({ values, resolve, reject });
      // what else arrives in this turn of the event loop goes along
      if (pending.length === 1) setImmediate(send);
    });
}
