/** The memory of answers: how much it holds, while answers are gathered too, and what is never remembered. */
import type { Context, RememberedAnswer } from '../../src/context.js';
import { askMemory } from '../../src/services/remembered/ask.js';
import { GatheringRoom } from '../../src/services/remembered/gathering.js';
import { openAnswerMemory } from '../../src/services/remembered/memory.js';

const answerOf = (body: Buffer): RememberedAnswer => ({
  state: '',
  users: '',
  logins: '',
  headers: {},
  body,
  codings: new Map(),
});

it('answers take half of the memory together, codings counted, and the least recently used leave', () => {
  const memory = openAnswerMemory(1_000_000);
  for (const key of ['a', 'b', 'c', 'd']) memory.keep(key, answerOf(Buffer.alloc(120_000)));
  memory.find('a');
  memory.keep('e', answerOf(Buffer.alloc(120_000)));
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => memory.find(key))).toEqual(['a', 'c', 'd', 'e']);
  memory.addCoding('e', memory.find('e')!, 'gzip', Buffer.alloc(100_000));
  expect(['a', 'c', 'd', 'e'].filter((key) => memory.find(key))).toEqual(['c', 'd', 'e']);
  expect(memory.find('e')!.codings.get('gzip')).toHaveLength(100_000);
});

it('an answer of more than a quarter of it is not remembered', () => {
  const memory = openAnswerMemory(1_000_000);
  memory.keep('large', answerOf(Buffer.alloc(250_001)));
  expect(memory.find('large')).toBeUndefined();
});

it('a coding of an answer that was replaced meanwhile is not kept', () => {
  const memory = openAnswerMemory(1_000_000);
  memory.keep('a', answerOf(Buffer.from('before')));
  const before = memory.find('a')!;
  memory.keep('a', answerOf(Buffer.from('after')));
  memory.addCoding('a', before, 'gzip', Buffer.from('coded before'));
  expect(memory.find('a')!.codings.size).toBe(0);
});

it('small answers hold their own bytes, and not the large buffer that they were made in', () => {
  const memory = openAnswerMemory(1_000_000);
  memory.keep('a', answerOf(Buffer.allocUnsafeSlow(100_000).subarray(0, 10)));
  expect(memory.find('a')!.body.buffer.byteLength).toBe(10);
});

describe('gathering', () => {
  it('gives up the answer that is past the bound, and those together that are', () => {
    const room = new GatheringRoom(100);
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
    const room = new GatheringRoom(100);
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
    const room = new GatheringRoom(100, () => now);
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
    answers: openAnswerMemory(1_000_000),
    caller: { kind: 'system', sub: '', permissions: new Set(['admin:read']) },
    sql: {
      batchedRow: async (_statement: unknown, [users]: unknown[]) => {
        asked.push(users);
        return { changes: '1', logins: '', ...states.shift()! };
      },
    },
  } as unknown as Context;
  return { context, asked };
}
const body = Buffer.from('an answer');

it('an answer during which the version changed, or something past the service, is not remembered', async () => {
  for (const after of [{ version: '2' }, { version: '1', changes: '2' }]) {
    const { context } = contextIn([{ version: '1' }, after, { version: '1' }, { version: '2' }]);
    await (await askMemory(context, ['x']))!.remember(body);
    expect((await askMemory(context, ['x']))!.found).toBeUndefined();
  }
});

it('an answer is found for the same question, permissions, version and sign-ins, and no other', async () => {
  const same = { version: '1' };
  const { context, asked } = contextIn([
    same,
    same,
    { ...same, logins: 'guid 2026' },
    { ...same, logins: 'guid 2027' },
    { version: '2', logins: 'guid 2026' },
    { ...same, changes: '2', logins: 'guid 2026' },
    same,
    same,
  ]);
  await (await askMemory(context, ['x']))!.remember(body, { logins: new Map([['guid', '2026']]) });
  const find = async (what: string, given = context) => (await askMemory(given, [what]))!.found?.body;
  expect(await find('x')).toEqual(body);
  for (let count = 0; count < 3; count++) expect(await find('x')).toBeUndefined();
  expect(await find('y')).toBeUndefined();
  const caller = { kind: 'system' as const, sub: '', permissions: new Set(['admin:read', 'admin:write'] as const) };
  expect(await find('x', { ...context, caller })).toBeUndefined();
  expect(asked).toEqual(['', '', 'guid', 'guid', 'guid', 'guid', '', '']);
});

it('whoever may not read asks for nothing', async () => {
  const { context } = contextIn([]);
  await expect(askMemory({ ...context, caller: { kind: 'anonymous' } }, ['x'])).rejects.toThrow();
});
