/** Requests of the same moment that share a statement: what becomes of each when it fails. */
import { DatabaseError } from 'pg';
import { openBatcher } from '../../src/engine/batching.js';
import { TooManyWaiting } from '../../src/slots.js';
import { until } from '../support/until.js';

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
    holdBackMs: 60_000,
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

it.each([
  'ERROR',
  'FEHLER',
])('a value that is refused, in whatever language (%s), is the fault of its own request alone: each runs by itself', async (severity) => {
  const refusal = Object.assign(new DatabaseError('invalid', 7, 'error'), { severity, code: '22P02' });
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

describe('requests that come while a statement for several is under way', () => {
  /** Statements end only when they are told to. */
  function openHeld(holdBackMs = 60_000) {
    const sizes: number[] = [];
    const ends: (() => void)[] = [];
    const batched = openBatcher({
      rows(text, values) {
        const size = text === statement.many ? (values[0] as string[]).length : 1;
        sizes.push(size);
        const answer = Array.from({ length: size }, (_, index) => ({ ord: String(index + 1) }));
        return new Promise((resolve) => ends.push(() => resolve(answer)));
      },
      atOnce: 3,
      singlesMax: 3,
      sizeMax: 8,
      holdBackMs,
      waitingMax: 100,
      timeoutMs: 60_000,
    });
    const ask = (count: number) =>
      Promise.all(Array.from({ length: count }, () => batched(statement, { value: 'a' }))).then(() => undefined);
    return { sizes, ends, ask };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('wait for it and go together', async () => {
    const { sizes, ends, ask } = openHeld();
    const first = ask(5);
    await turn();
    const rest = [ask(1)];
    await turn();
    rest.push(ask(2));
    await turn();
    expect(sizes).toEqual([5]);
    ends[0]!();
    await first;
    await turn();
    expect(sizes).toEqual([5, 3]);
    ends[1]!();
    await Promise.all(rest);
  });

  it.each([
    ['when they fill a statement', [4, 8]],
    ['while only single ones are under way', [1, 1, 4]],
  ])('go at once %s', async (_when, asked) => {
    const { sizes, ends, ask } = openHeld();
    const answers: Promise<void>[] = [];
    for (const count of asked) {
      answers.push(ask(count));
      await turn();
    }
    expect(sizes).toEqual(asked);
    for (const end of ends) end();
    await Promise.all(answers);
  });

  it('do not wait for its end where the database is slow', async () => {
    const { sizes, ends, ask } = openHeld(1);
    const asked = [ask(5), turn().then(() => ask(2))];
    await until(() => sizes.length === 2);
    expect(sizes).toEqual([5, 2]);
    for (const end of ends) end();
    await Promise.all(asked);
  });
});
