/** Through a simulated year, whatever the processes do: what is published is what is accepted, and no live token is refused. */
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { isSealedWith } from '../../src/auth/keyRing.js';
import type { Config } from '../../src/config/config.js';
import { maintainKeys, startKeyMaintenance } from '../../src/services/keys/keyMaintenance.js';
import { openSigningKeys, readKeys, rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { openSimulatedDatabase, type SimulatedDatabase } from '../support/simulatedClock.js';
import { day, type Event, hour, KeyLifeModel } from './keyLifeModel.js';

let simulated: SimulatedDatabase;
beforeAll(async () => {
  simulated = await openSimulatedDatabase();
});

const processCount = 3;
const process = fc.nat(processCount - 1);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.integer({ min: 1, max: 30 * day }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.integer({ min: 1, max: 2 * hour }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('waitForNextDue' as const), offset: fc.constantFrom(-1, 0, 1) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('look' as const), process }) },
  { weight: 3, arbitrary: fc.constant<Event>({ kind: 'allLook' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), process }) },
  { weight: 3, arbitrary: fc.constant<Event>({ kind: 'rotateByHand' }) },
  { weight: 4, arbitrary: fc.constant<Event>({ kind: 'waitForNextEnd' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('issue' as const), process, hours: fc.constantFrom(1, 24) }) },
);

it('at every instant of a year the JWKS is exactly the set of keys accepted, and every live token verifies everywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.array(event, { minLength: 60, maxLength: 60, size: 'max' }),
      async (rotationDays, events) => {
        const model = new KeyLifeModel(simulated, rotationDays);
        const end = model.now + 365 * day;
        await model.start(processCount);
        for (const each of events) {
          if (model.now > end) break;
          await model.apply(each);
          expect(await model.faults()).toEqual([]);
        }
      },
    ),
    { numRuns: 12, verbose: 1 },
  );
});

describe('a look at the keys', () => {
  const encryptionKeys = [randomBytes(32)];
  const config = { keyRotationDays: 90, systemUserGuid: randomUUID() } as Config;
  const start = Date.UTC(2031, 0, 1);
  const open = (signingAlg: Config['signingAlg'] = 'ES256', keys = encryptionKeys) =>
    openSigningKeys({ sql: simulated.database.sql, encryptionKeys: keys, signingAlg }, () => start);
  const owner = async (more: Partial<Config> = {}, keys = encryptionKeys) => ({
    sql: simulated.database.sql,
    encryptionKeys: keys,
    config: { ...config, ...more },
    keys: await open('ES256', keys),
  });
  const stored = () => readKeys(simulated.database.sql);

  beforeEach(async () => {
    await simulated.database.sql.rows('delete from signing_keys');
    await simulated.setClock(start);
  });

  it('rotates when the signing key has its days, not a moment before, and says so in the audit log', async () => {
    const mine = await owner();
    const [before, next] = mine.keys.ring().jwks().keys;
    await simulated.setClock(start + 90 * day - 1);
    expect(await maintainKeys(mine)).toEqual({ removed: 0, resealed: 0 });
    await simulated.setClock(start + 90 * day);
    expect(await maintainKeys(mine)).toEqual({ removed: 0, resealed: 0, rotated: next!.kid });
    expect(mine.keys.ring().signing.kid).toBe(next!.kid);
    expect((await stored()).find(({ kid }) => kid === before!.kid)?.state).toBe('retired');
    const events = await simulated.database.sql.rows(
      `select actor, action, subject_type from audit_events where subject_id = $1`,
      [next!.kid],
    );
    expect(events).toEqual([{ actor: config.systemUserGuid, action: 'rotate', subject_type: 'SigningKey' }]);
  });

  it('of any number of processes at the same moment rotates once', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => owner()));
    await simulated.setClock(start + 200 * day);
    const changes = await Promise.all(owners.map(maintainKeys));
    expect(changes.filter(({ rotated }) => rotated !== undefined)).toHaveLength(1);
    expect(new Set(owners.map(({ keys }) => keys.ring().signing.kid)).size).toBe(1);
  });

  it('leaves the signing key alone when KEY_ROTATION_DAYS is 0, and for a day after a rotation by hand', async () => {
    const mine = await owner({ keyRotationDays: 0 });
    await simulated.setClock(start + 3_000 * day);
    expect((await maintainKeys(mine)).rotated).toBeUndefined();
    await rotateSigningKey({ ...mine, signingAlg: 'ES256' });
    await simulated.setClock(start + 3_001 * day - 1);
    expect((await maintainKeys({ ...mine, config: { ...config, keyRotationDays: 1 } })).rotated).toBeUndefined();
    await simulated.setClock(start + 3_001 * day);
    expect((await maintainKeys({ ...mine, config: { ...config, keyRotationDays: 1 } })).rotated).toBeDefined();
  });

  it('waits until the next key was published for a day, however old the signing key is', async () => {
    const mine = await owner();
    await simulated.database.sql.rows(`delete from signing_keys where state = 'next'`);
    await simulated.setClock(start + 300 * day);
    await open(); // publishes another next key
    expect((await maintainKeys(mine)).rotated).toBeUndefined();
    await simulated.setClock(start + 301 * day);
    expect((await maintainKeys(mine)).rotated).toBeDefined();
  });

  it('by a process that has an older SIGNING_ALG goes on with the algorithm that signs now', async () => {
    const old = await owner();
    await open('EdDSA');
    await simulated.setClock(start + 91 * day);
    await maintainKeys(old);
    expect(old.keys.ring().signing.alg).toBe('EdDSA');
    expect((await stored()).filter(({ state }) => state === 'next').map(({ alg }) => alg)).toEqual(['EdDSA']);
  });

  it('replaces the key of renewal tokens too, and keeps the one before for as long as they live', async () => {
    const mine = await owner();
    const { kid } = mine.keys.ring().renewal;
    await simulated.setClock(start + 90 * day);
    await maintainKeys(mine);
    expect(mine.keys.ring().renewal.kid).not.toBe(kid);
    await simulated.setClock(start + 120 * day);
    expect((await maintainKeys(mine)).removed).toBe(1); // the access token's key
    expect(mine.keys.ring().findRenewalSecret(kid)?.symmetricKeySize).toBe(32);
    await simulated.setClock(start + 120 * day + hour);
    expect((await maintainKeys(mine)).removed).toBe(1);
    expect(mine.keys.ring().findRenewalSecret(kid)).toBeUndefined();
  });

  it('closes every key with the first KEY_ENCRYPTION_KEY, after which the old one may go', async () => {
    await rotateSigningKey({ ...(await owner()), signingAlg: 'ES256' });
    const [newKey, oldKey] = [randomBytes(32), encryptionKeys[0]!];
    await expect(open('ES256', [newKey])).rejects.toThrow(/KEY_ENCRYPTION_KEY doesn't open signing key/);
    const moving = await owner({}, [newKey, oldKey]);
    const jwks = moving.keys.ring().jwks();
    expect(await maintainKeys(moving)).toEqual({ removed: 0, resealed: 4 });
    expect(await maintainKeys(moving)).toEqual({ removed: 0, resealed: 0 });
    expect((await stored()).every(({ privateCiphertext }) => isSealedWith(privateCiphertext!, newKey))).toBe(true);
    const kidsOf = ({ keys }: { keys: { [member: string]: unknown }[] }) => keys.map(({ kid }) => kid).sort();
    expect(kidsOf((await open('ES256', [newKey])).ring().jwks())).toEqual(kidsOf(jwks));
    await expect(open('ES256', [oldKey])).rejects.toThrow(/KEY_ENCRYPTION_KEY doesn't open/);
  });

  it('that fails is logged and breaks nothing; after the stop there is none', async () => {
    const mine = await owner();
    const logged: object[] = [];
    const log = { info: (what: object) => logged.push(what), error: (what: object) => logged.push(what) };
    const broken = { ...mine.sql, transaction: () => Promise.reject(new Error('the database is away')) };
    const life = await startKeyMaintenance({ ...mine, sql: broken, log } as never);
    await life.stop();
    expect(logged).toEqual([{ error: new Error('the database is away') }]);
  });
});
