/** Client secrets: neither the answer nor its time tells whether a client exists, and a good client pays once. */
import {
  generateSecret,
  normalizeHash,
  openRememberedSecrets,
  openSecretChecker,
  type SecretChecker,
  SecretCheckOverloaded,
  SecretUnusable,
} from '../../src/auth/clientSecret.js';

const checker = openSecretChecker({ cost: 4 });
const hash = await checker.hash('s3cret');
const fails = async (presented: string, storedHash: string | undefined, by: SecretChecker = checker) =>
  expect(await by.check('client', presented, storedHash)).toEqual({ ok: false });

/** Microseconds on a processor, in all threads: a busy machine adds nothing to them. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

describe('a secret', () => {
  it('succeeds with its hash and with no other', async () => {
    expect(await checker.check('client', 's3cret', hash)).toMatchObject({ ok: true });
    await fails('S3cret', hash);
    await fails('', hash);
    await fails('s3cret', await checker.hash('another'));
  });

  it('fails for an unknown or inactive client, and for a hash that is none', async () => {
    await checker.check('client', 's3cret', hash);
    await fails('s3cret', undefined);
    for (const broken of ['', 'x', 's3cret', hash.slice(0, -1), hash.replace('$04$', '$31$')])
      await fails('s3cret', broken);
  });

  it('of more than 72 bytes fails, though bcrypt would read only 72', async () => {
    const long = 'é'.repeat(36);
    const storedHash = await checker.hash(long);
    expect(await checker.check('client', long, storedHash)).toMatchObject({ ok: true });
    await fails(`${long}x`, storedHash);
  });

  it('with a NUL fails, though bcrypt takes a\\0a for a', async () => {
    const storedHash = await checker.hash('a');
    await fails('a\0a', storedHash);
    await fails('a\0', storedHash);
  });

  it('with a lone surrogate fails, though its bytes are those of another', async () => {
    const storedHash = await checker.hash('\ufffd');
    expect((await checker.check('client', '\ufffd', storedHash)).ok).toBe(true);
    await fails('\ud800', storedHash);
    expect(checker.isRemembered('client', '\ud800', storedHash)).toBe(false);
  });

  it('is not hashed when it could never be presented', async () => {
    for (const secret of ['', 'x'.repeat(73), 'é'.repeat(37), 'a\0b', '\ud800']) {
      await expect(checker.hash(secret)).rejects.toBeInstanceOf(SecretUnusable);
    }
    await expect(checker.hash('x'.repeat(73))).rejects.toThrow('is longer than 72 bytes in UTF-8');
  });

  it('is generated from 32 random bytes', () => {
    expect(generateSecret()).toMatch(/^[\w-]{43}$/);
    expect(generateSecret()).not.toBe(generateSecret());
  });
});

describe('a success', () => {
  it('is remembered for this client, secret and stored hash alone', async () => {
    const other = await checker.hash('s3cret');
    await checker.check('client', 's3cret', hash);
    expect(checker.isRemembered('client', 's3cret', hash)).toBe(true);
    for (const [client, secret, storedHash] of [
      ['other', 's3cret', hash],
      ['client', 'S3cret', hash],
      ['client', 's3cret', other],
      ['client', 's3cret', undefined],
    ] as const)
      expect(checker.isRemembered(client, secret, storedHash)).toBe(false);
  });

  it('is not remembered by a failure', async () => {
    await fails('wrong', hash);
    expect(checker.isRemembered('client', 'wrong', hash)).toBe(false);
  });

  it('costs no comparison the second time', async () => {
    const slow = openSecretChecker({ cost: 10 });
    const storedHash = await slow.hash('s3cret');
    await slow.check('client', 's3cret', storedHash);
    const once = await cpuOf(() => slow.check('another', 's3cret', storedHash));
    const again = async () => {
      for (let count = 0; count < 100; count++) await slow.check('client', 's3cret', storedHash);
    };
    expect(await cpuOf(again)).toBeLessThan(20 * once);
  });

  it('is forgotten when others fill the memory, the longest unused first', () => {
    const small = openRememberedSecrets(2);
    for (const client of ['a', 'b']) small.remember(client, 's3cret', hash);
    expect(small.recall('a', 's3cret')).toBe(hash);
    small.remember('c', 's3cret', hash);
    expect(['a', 'b', 'c'].map((client) => small.recall(client, 's3cret'))).toEqual([hash, undefined, hash]);
  });

  it('with a hash of another cost brings the hash to store, which is remembered when it is stored', async () => {
    const dearer = openSecretChecker({ cost: 5 });
    const { ok, rehash } = await dearer.check('client', 's3cret', hash);
    expect(ok).toBe(true);
    expect(rehash).toMatch(/^\$2b\$05\$/);
    expect(dearer.findRemembered('client', 's3cret')).toBe(hash);
    dearer.remember('client', 's3cret', rehash!);
    expect(dearer.isRemembered('client', 's3cret', rehash)).toBe(true);
    expect(await openSecretChecker({ cost: 5 }).check('client', 's3cret', rehash)).toMatchObject({ ok: true });
    await fails('wrong', hash, dearer);
  });
});

describe('the time of a comparison', () => {
  const slow = openSecretChecker({ cost: 9 });

  const timeOf = (presented: string, storedHash: string | undefined) =>
    cpuOf(() => slow.check('client', presented, storedHash));
  const medianOf = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;

  it('is the same for an unknown client, a wrong secret and one that is too long', async () => {
    const storedHash = await slow.hash('s3cret');
    const times = { wrong: [] as number[], unknown: [] as number[], tooLong: [] as number[] };
    for (let round = 0; round < 11; round++) {
      times.wrong.push(await timeOf(generateSecret(), storedHash));
      times.unknown.push(await timeOf(generateSecret(), undefined));
      times.tooLong.push(await timeOf('x'.repeat(10_000), storedHash));
    }
    const wrong = medianOf(times.wrong);
    for (const time of [medianOf(times.unknown), medianOf(times.tooLong)]) {
      expect(time).toBeGreaterThan(wrong * 0.5);
      expect(time).toBeLessThan(wrong * 2);
    }
  });
});

describe('many comparisons', () => {
  it('of the same values are one', async () => {
    const narrow = openSecretChecker({ cost: 4, atOnce: 1, waitingMax: 0 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => narrow.check('client', 's3cret', hash)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it('beyond the queue are refused unjudged, and the next ones are judged again', async () => {
    const narrow = openSecretChecker({ cost: 4, atOnce: 1, waitingMax: 2 });
    const settled = await Promise.allSettled(
      ['a', 'b', 'c', 'd', 'e'].map((client) => narrow.check(client, 's3cret', hash)),
    );
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect((settled[4] as PromiseRejectedResult).reason).toBeInstanceOf(SecretCheckOverloaded);
    expect(await narrow.check('e', 's3cret', hash)).toMatchObject({ ok: true });
  });

  it('that fail keep their place for as long again, and no others: who tries secrets has half of the time', async () => {
    const narrow = openSecretChecker({ cost: 4, atOnce: 1, waitingMax: 0 });
    await narrow.check('client', 's3cret', hash);
    narrow.assertNotFull();
    await narrow.check('client', 'wrong', hash);
    expect(() => narrow.assertNotFull()).toThrow(SecretCheckOverloaded);
  });

  it('never keep a good client waiting: a remembered one passes a full queue', async () => {
    const narrow = openSecretChecker({ cost: 8, atOnce: 1, waitingMax: 0 });
    const storedHash = await narrow.hash('s3cret');
    await narrow.check('good', 's3cret', storedHash);
    const attack = narrow.check('good', 'wrong', storedHash);
    expect(await narrow.check('good', 's3cret', storedHash)).toMatchObject({ ok: true });
    await expect(narrow.check('good', 'wrong too', storedHash)).rejects.toBeInstanceOf(SecretCheckOverloaded);
    expect(await attack).toEqual({ ok: false });
  });

  it('leave a success standing when there is no time to hash anew', async () => {
    const narrow = openSecretChecker({ cost: 5, atOnce: 1, waitingMax: 1 });
    const [first] = await Promise.all([narrow.check('a', 's3cret', hash), narrow.check('b', 's3cret', hash)]);
    expect(first.ok).toBe(true);
  });
});

describe('a hash of another system', () => {
  it('is stored as $2b$, and its secrets go on working', async () => {
    const imported = normalizeHash(`$2y$${hash.slice(4)}`);
    expect(imported).toBe(hash);
    expect(normalizeHash(`$2a$${hash.slice(4)}`)).toBe(`$2a$${hash.slice(4)}`);
    expect((await checker.check('client', 's3cret', `$2a$${hash.slice(4)}`)).ok).toBe(true);
  });

  it('is refused when it is none, or too cheap or too dear', () => {
    for (const wrong of [
      '',
      'x',
      `${hash}x`,
      hash.slice(0, -1),
      `$2x$${hash.slice(4)}`,
      ` ${hash}`,
      `${hash}\n`,
      hash.replace('$04', '$4'),
    ])
      expect(() => normalizeHash(wrong)).toThrow('is not a bcrypt hash');
    expect(() => normalizeHash(hash.replace('$04$', '$03$'))).toThrow('cost 3');
    expect(() => normalizeHash(hash.replace('$04$', '$15$'))).toThrow(
      'is a bcrypt hash of cost 15; 4 to 14 are accepted',
    );
  });
});
