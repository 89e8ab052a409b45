/** Requests of the same moment that share a statement: what becomes of each when it fails. */
import { DatabaseError } from 'pg';
import { openBatcher } from '../../src/engine/batching.js';
import { TooManyWaiting } from '../../src/slots.js';

const statement = { types: { value: 'text' }, one: 'one', many: 'many' };

/** @param failure of the statement for many */
function open(failure: Error) {
  const run: string[] = [];
  const batched = openBatcher({
    async rows(text, values) {
      run.push(text);
      if (text === statement.many) throw failure;
      return [{ value: values[0] }];
    },
    atOnce: 1,
    singlesMax: 3,
    sizeMax: 3,
    waitingMax: 3,
    timeoutMs: 60_000,
  });
  const ask = (values: string[]) => Promise.allSettled(values.map((value) => batched(statement, { value })));
  return { run, ask };
}

it('a statement that may have been carried out is not run again, so nothing is written twice', async () => {
  const away = new Error('Connection terminated unexpectedly');
  const { run, ask } = open(away);
  expect(await ask(['a', 'b', 'c'])).toEqual(Array(3).fill({ status: 'rejected', reason: away }));
  expect(run).toEqual([statement.many]);
});

it('a value that is refused is the fault of its own request alone: each runs by itself', async () => {
  const refusal = Object.assign(new DatabaseError('invalid', 7, 'error'), { severity: 'ERROR', code: '22P02' });
  const { run, ask } = open(refusal);
  expect(await ask(['a', 'b'])).toEqual(['a', 'b'].map((value) => ({ status: 'fulfilled', value: { value } })));
  expect(run).toEqual([statement.many, statement.one, statement.one]);
});

it('a statement is refused at once when as many wait as may', async () => {
  const { ask } = open(new Error());
  const settled = await ask(['a', 'b', 'c', 'd']);
  expect((settled[3] as PromiseRejectedResult).reason).toBeInstanceOf(TooManyWaiting);
  expect(settled.filter((one) => one.status === 'rejected' && one.reason instanceof TooManyWaiting)).toHaveLength(1);
});
