/** Requests of the same moment share a statement: up to 32 of them, three statements of a kind at a time. */
import { type Cell, openWire, type Statement, type Wire } from './wire.js';

const atOnce = 3;
const sizeMax = 32;

/** Told of the row of who asked, undefined where there is none. */
type Callback = (error: Error | undefined, row: Cell[] | undefined) => void;
type Ask<Value> = (value: Value, callback: Callback) => void;

/**
 * @param columnsOf the statement's values of a batch, made when it is sent: a member for each who asks, or one for all
 */
export async function openBatch<Value>(
  connectionString: string,
  statement: Statement,
  columnsOf: (batch: readonly Value[]) => (readonly (Buffer | string)[] | string)[],
): Promise<Ask<Value>> {
  const free = await Promise.all(Array.from({ length: atOnce }, () => openWire(connectionString, statement)));
  let values: Value[] = [];
  let callbacks: Callback[] = [];
  let isPlanned = false;

  const send = (): void => {
    isPlanned = false;
    while (free.length > 0 && values.length > 0) sendOne(free.pop()!);
  };

  function sendOne(wire: Wire): void {
    const isAll = values.length <= sizeMax;
    const batch = isAll ? values : values.splice(0, sizeMax);
    const asking = isAll ? callbacks : callbacks.splice(0, sizeMax);
    if (isAll) [values, callbacks] = [[], []];
    wire.run(columnsOf(batch), (error, rows) => {
      free.push(wire);
      if (values.length > 0) send();
      const answers: (Cell[] | undefined)[] = new Array(batch.length);
      for (const row of rows) answers[(row[0] as number) - 1] = row;
      for (let index = 0; index < asking.length; index++) asking[index]!(error, answers[index]);
    });
  }

  return (value, callback) => {
    values.push(value);
    callbacks.push(callback);
    // what else arrives in this turn of the event loop goes along
    if (isPlanned || free.length === 0) return;
    isPlanned = true;
    setImmediate(send);
  };
}
