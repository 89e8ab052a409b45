/** The memory of answers: how much it holds, while answers are gathered too, and what is never remembered. */
import type { Context } from '../../src/context.js';
import { AnswerBuffers, type CachedAnswer, openAnswerCache } from '../../src/engine/answerCache.js';
import { lookUpAnswer } from '../../src/services/read/lookUpAnswer.js';

const answerOf = (body: Buffer): CachedAnswer => ({
  state: '',
  users: '',
  logins: '',
  headers: {},
  body,
  codings: new Map(),
});

it('remembered answers take at most half of the memory together with their codings, and the least recently used are forgotten', () => {
  const cache = openAnswerCache(1_000_000);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, answerOf(Buffer.alloc(120_000)));
  cache.find('a');
  cache.set('e', answerOf(Buffer.alloc(120_000)));
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.find(key))).toEqual(['a', 'c', 'd', 'e']);
  cache.addCoding('e', cache.find('e')!, 'gzip', Buffer.alloc(100_000));
  expect(['a', 'c', 'd', 'e'].filter((key) => cache.find(key))).toEqual(['c', 'd', 'e']);
  expect(cache.find('e')!.codings.get('gzip')).toHaveLength(100_000);
});

it('an answer of more than a quarter of it is not remembered', () => {
  const cache = openAnswerCache(1_000_000);
  cache.set('large', answerOf(Buffer.alloc(250_001)));
  expect(cache.find('large')).toBeUndefined();
});

it('a coding of an answer that was replaced meanwhile is not kept', () => {
  const cache = openAnswerCache(1_000_000);
  cache.set('a', answerOf(Buffer.from('before')));
  const before = cache.find('a')!;
  cache.set('a', answerOf(Buffer.from('after')));
  cache.addCoding('a', before, 'gzip', Buffer.from('coded before'));
  expect(cache.find('a')!.codings.size).toBe(0);
});

it('small answers hold their own bytes, and not the large buffer that they were made in', () => {
  const cache = openAnswerCache(1_000_000);
  cache.set('a', answerOf(Buffer.allocUnsafeSlow(100_000).subarray(0, 10)));
  expect(cache.find('a')!.body.buffer.byteLength).toBe(10);
});

describe('gathering', () => {
  it('gives up the answer that is past the bound, and those together that are', () => {
    const room = new AnswerBuffers(100);
    const [one, other] = [room.open('one'), room.open('other')];
    one.add(Buffer.alloc(60));
    other.add(Buffer.alloc(41));
    expect(other.take()).toBeUndefined();
    one.add(Buffer.alloc(40));
    expect(one.take()).toHaveLength(100);
    const large = room.open('large');
    large.add(Buffer.alloc(101));
    large.add(Buffer.alloc(1));
    expect(large.take()).toBeUndefined();
  });

  it('gathers the same once at a time', () => {
    const room = new AnswerBuffers(100);
    const [one, other] = [room.open('one'), room.open('one')];
    one.add(Buffer.from('1'));
    other.add(Buffer.from('2'));
    other.drop();
    expect([one.take()?.toString(), other.take()]).toEqual(['1', undefined]);
    const again = room.open('one');
    again.add(Buffer.from('3'));
    expect(again.take()?.toString()).toBe('3');
  });

  it('whoever is read slowly makes room for others, of the same name and of any', () => {
    let now = 0;
    const room = new AnswerBuffers(100, () => now);
    const slow = room.open('slow');
    slow.add(Buffer.alloc(90));
    now = 900;
    const refused = room.open('refused');
    refused.add(Buffer.alloc(20));
    expect(refused.take()).toBeUndefined();
    now = 1_100;
    const other = room.open('other');
    other.add(Buffer.alloc(20));
    expect([slow.take(), other.take()?.length]).toEqual([undefined, 20]);
    const left = room.open('same');
    now = 2_200;
    const same = room.open('same');
    same.add(Buffer.from('1'));
    left.add(Buffer.from('2'));
    left.drop();
    expect([left.take(), same.take()?.toString()]).toEqual([undefined, '1']);
  });
});

/** A context whose catalogue is in these states, one after the other. */
function contextIn(states: { version: string; changes?: string; logins?: string }[]) {
  const asked: unknown[] = [];
  const context = {
    answers: openAnswerCache(1_000_000),
    caller: { kind: 'system', sub: '', permissions: new Set(['admin:read']) },
    sql: {
      batchedRow: async (_statement: unknown, { users }: { users: unknown }) => {
        asked.push(users);
        return { logins: '', ...states.shift()! };
      },
    },
  } as unknown as Context;
  return { context, asked };
}
const body = Buffer.from('an answer');

it('an answer during which the version changed, by its number or its random value alone, is not remembered', async () => {
  for (const after of [{ version: '2' }, { version: '1.other' }]) {
    const { context } = contextIn([{ version: '1' }, { version: '1' }, after, { version: '1' }, { version: '2' }]);
    await (await lookUpAnswer(context, ['x']))!.store(body);
    await (await lookUpAnswer(context, ['x']))!.store(body);
    expect((await lookUpAnswer(context, ['x']))!.found).toBeUndefined();
  }
});

it('an answer is found for the same question, permissions, version and sign-ins, and no other', async () => {
  const same = { version: '1' };
  const { context, asked } = contextIn([
    same,
    same,
    same,
    { ...same, logins: 'guid 2026' },
    { ...same, logins: 'guid 2027' },
    { version: '2', logins: 'guid 2026' },
    { version: '1.other', logins: 'guid 2026' },
    same,
    same,
  ]);
  await (await lookUpAnswer(context, ['x']))!.store(body);
  await (await lookUpAnswer(context, ['x']))!.store(body, { logins: new Map([['guid', '2026']]) });
  const find = async (what: string, given = context) => (await lookUpAnswer(given, [what]))!.found?.body;
  expect(await find('x')).toEqual(body);
  for (let count = 0; count < 3; count++) expect(await find('x')).toBeUndefined();
  expect(await find('y')).toBeUndefined();
  const caller = { kind: 'system' as const, sub: '', permissions: new Set(['admin:read', 'admin:write'] as const) };
  expect(await find('x', { ...context, caller })).toBeUndefined();
  expect(asked).toEqual(['', '', '', 'guid', 'guid', 'guid', 'guid', '', '']);
});

it('an answer is remembered when it is asked for again in the same state, and not before', async () => {
  const states = ['1', '1', '1', '1', '2', '2', '2', '2', '2'].map((version) => ({ version }));
  const { context } = contextIn(states);
  const ask = async (what: string) => {
    const asked = (await lookUpAnswer(context, [what]))!;
    await asked.store(body);
    return [asked.found?.body.toString(), asked.isAskedAgain];
  };
  expect([await ask('x'), await ask('y'), await ask('x')]).toEqual([
    [undefined, false],
    [undefined, false],
    [undefined, true],
  ]);
  expect([await ask('x'), await ask('x')]).toEqual([
    [undefined, false],
    [undefined, true],
  ]);
  const atOnce = [(await lookUpAnswer(context, ['y']))!, (await lookUpAnswer(context, ['y']))!];
  expect(atOnce.map(({ isAskedAgain }) => isAskedAgain)).toEqual([false, false]);
});

it('whoever may not read asks for nothing', async () => {
  const { context } = contextIn([]);
  await expect(lookUpAnswer({ ...context, caller: { kind: 'anonymous' } }, ['x'])).rejects.toThrow();
});
