/** The ring in memory: never older than who asks for it, opened only when the keys changed, and kept when they can't be read. */
import { openKeyRing, type SigningKeyRow } from '../../src/auth/keyRing.js';
import { generateSigningKey } from '../../src/auth/newSigningKey.js';
import { cacheKeyRing } from '../../src/services/keys/keyStore.js';

const encryptionKey = Buffer.alloc(32, 3);
const active = async (alg: 'ES256' | 'HS256'): Promise<SigningKeyRow> => ({
  ...(await generateSigningKey(alg, encryptionKey)),
  state: 'active',
});
const renewal = await active('HS256');
const [before, after] = [
  [renewal, await active('ES256')],
  [renewal, await active('ES256')],
];

/** As a driver gives it: equal, and never the same object. */
const copy = (row: SigningKeyRow) => ({ ...row, privateCiphertext: Buffer.from(row.privateCiphertext!) });

/** A stored key table whose reads a test answers. */
function hold() {
  let stored = before;
  const reads: { answer(): void; fail(): void }[] = [];
  const counts = { read: 0, opened: 0 };
  const read = () => {
    counts.read++;
    const found = stored;
    const { promise, resolve, reject } = Promise.withResolvers<SigningKeyRow[]>();
    reads.push({
      answer: () => resolve(found.map(copy)),
      fail: () => reject(new Error('the database is away')),
    });
    return promise;
  };
  const keys = cacheKeyRing(before, read, (rows) => {
    counts.opened++;
    return openKeyRing(rows, [encryptionKey]);
  });
  /** Answers whatever is asked until the work is done. */
  const answerAll = async <T>(work: Promise<T>, how: 'answer' | 'fail' = 'answer'): Promise<T> => {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    while (!isDone) {
      for (const each of reads.splice(0)) each[how]();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work;
  };
  return { keys, counts, reads, answerAll, rotate: () => (stored = after) };
}

it('a reload tells what was stored when it was asked for, though another one was under way', async () => {
  const { keys, reads, rotate, answerAll } = hold();
  const early = keys.reload();
  rotate();
  const late = keys.reload();
  expect(reads.length).toBe(1);
  expect((await answerAll(early)).signing.kid).toBe(before[1]!.kid);
  expect((await answerAll(late)).signing.kid).toBe(after[1]!.kid);
  expect(keys.ring().signing.kid).toBe(after[1]!.kid);
});

it('any number of reloads at the same moment are two reads, and the keys are opened only when they changed', async () => {
  const { keys, counts, rotate, answerAll } = hold();
  await answerAll(Promise.all(Array.from({ length: 100 }, () => keys.reload())));
  expect(counts).toEqual({ read: 2, opened: 1 });
  rotate();
  await answerAll(keys.reload());
  expect(counts).toEqual({ read: 3, opened: 2 });
});

it('the published ring is of the call where the read is answered, and that of before where it is not; nobody waits behind a late read', async () => {
  const { keys, reads, counts, rotate, answerAll } = hold();
  rotate();
  expect((await answerAll(keys.ringInTime())).signing.kid).toBe(after[1]!.kid);
  expect((await answerAll(keys.ringInTime(), 'fail')).signing.kid).toBe(after[1]!.kid);
  const begun = counts.read;
  // never answered
  expect((await keys.ringInTime()).signing.kid).toBe(after[1]!.kid);
  const many = await Promise.all(Array.from({ length: 500 }, () => keys.ringInTime()));
  expect(new Set(many.map(({ signing }) => signing.kid))).toEqual(new Set([after[1]!.kid]));
  expect(counts.read).toBe(begun + 1);
  for (const late of reads.splice(0)) late.answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await answerAll(keys.ringInTime())).signing.kid).toBe(after[1]!.kid);
  expect(counts.read).toBe(begun + 2);
});

it('unknown key ids, however many, are judged by keys read after they came, and cause few reads', async () => {
  const { keys, counts, rotate, answerAll } = hold();
  await answerAll(keys.reloadForUnknown());
  const strangers = Array.from({ length: 500 }, () => keys.reloadForUnknown());
  expect(counts.read).toBe(1);
  rotate();
  const genuine = keys.reloadForUnknown();
  expect((await answerAll(genuine)).signing.kid).toBe(after[1]!.kid);
  await Promise.all(strangers);
  expect(counts.read).toBe(2);
});

it('keys that can not be read, or opened, leave the ring as it is, and an unknown key id unjudged', async () => {
  const { keys, answerAll } = hold();
  await expect(answerAll(keys.reload(), 'fail')).rejects.toThrow('the database is away');
  await expect(answerAll(keys.reloadForUnknown(), 'fail')).rejects.toMatchObject({ status: 503 });
  expect(keys.ring().signing.kid).toBe(before[1]!.kid);
  const closed = cacheKeyRing(
    before,
    async () => after,
    (rows) => openKeyRing(rows, [rows === before ? encryptionKey : Buffer.alloc(32, 4)]),
  );
  await expect(closed.reload()).rejects.toThrow('KEY_ENCRYPTION_KEY');
  await expect(closed.reload()).rejects.toThrow('KEY_ENCRYPTION_KEY');
  expect(closed.ring().signing.kid).toBe(before[1]!.kid);
});
