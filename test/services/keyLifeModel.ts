/** Several processes of the service on one database through a simulated year: their signing keys, and every token issued. */
import { randomUUID } from 'node:crypto';
import { type KeyRing, openKeyRing, type SigningKeyRow } from '../../src/auth/keyRing.js';
import { generateSigningKey } from '../../src/auth/newSigningKey.js';
import {
  openRenewalToken,
  signAccessToken,
  signRenewalToken,
  unknownKid,
  verifyAccessToken,
} from '../../src/auth/tokenFormat.js';
import type { Config } from '../../src/config/config.js';
import type { SigningKeys } from '../../src/context.js';
import { activeKidColumn, ringWith } from '../../src/services/keys/activeKey.js';
import { maintainKeys } from '../../src/services/keys/keyMaintenance.js';
import { openSigningKeys, readKeys, rotateSigningKey } from '../../src/services/keys/keyStore.js';
import type { Sql } from '../../src/sql.js';
import type { SimulatedDatabase } from '../support/simulatedClock.js';

export const hour = 3_600_000;
export const day = 24 * hour;
const issuer = 'https://gatehouse.example';
const audiences = ['GRID', 'IOT'];
const encryptionKeys = [Buffer.alloc(32, 9)];

export type Event =
  | { kind: 'wait'; milliseconds: number }
  /** To one millisecond before, at, or after the next instant at which something is due. */
  | { kind: 'waitForNextDue'; offset: -1 | 0 | 1 }
  /** To the last moment of the token that ends next. */
  | { kind: 'waitForNextEnd' }
  | { kind: 'look'; process: number }
  | { kind: 'allLook' }
  | { kind: 'restart'; process: number }
  | { kind: 'rotateByHand' }
  | { kind: 'issue'; process: number; hours: 1 | 24 };

interface Issued {
  token: string;
  renewalToken: string;
  endsAt: number;
  renewalEndsAt: number;
}

export class KeyLifeModel {
  now = Date.UTC(2030, 0, 1);
  readonly processes: SigningKeys[] = [];
  /** Every asymmetric key that there ever was, with what opens it. */
  readonly #rows = new Map<string, SigningKeyRow>();
  readonly #publishedSince = new Map<string, number>();
  #issued: Issued[] = [];
  readonly #config: Config;
  readonly #sql: Sql;
  readonly #simulated: SimulatedDatabase;

  constructor(
    simulated: SimulatedDatabase,
    readonly rotationDays: number,
  ) {
    this.#simulated = simulated;
    this.#sql = simulated.database.sql;
    this.#config = { keyRotationDays: rotationDays, systemUserGuid: randomUUID() } as Config;
  }

  async start(count: number): Promise<void> {
    await this.#sql.rows('delete from signing_keys');
    await this.#simulated.setClock(this.now);
    for (let process = 0; process < count; process++) this.processes.push(await this.#open());
    await this.#remember();
  }

  async apply(event: Event): Promise<void> {
    switch (event.kind) {
      case 'wait':
        return this.#moveTo(this.now + event.milliseconds);
      case 'waitForNextDue':
        return this.#moveTo((await this.#nextDue()) + event.offset);
      case 'waitForNextEnd':
        return this.#moveTo(Math.min(...this.#ends().filter((end) => end > this.now + 1), this.now + hour) - 1);
      case 'look':
        return this.#look([this.processes[event.process]!]);
      case 'allLook':
        return this.#look(this.processes);
      case 'restart':
        this.processes[event.process] = await this.#open();
        return this.#remember();
      case 'rotateByHand':
        await rotateSigningKey({ sql: this.#sql, encryptionKeys, signingAlg: 'ES256' });
        return this.#remember();
      case 'issue':
        return this.#issue(this.processes[event.process]!, event.hours);
    }
  }

  /** What is wrong at this instant; nothing, if all is well. */
  async faults(): Promise<string[]> {
    const faults = this.processes.flatMap((keys, process) => this.#publicationFaults(keys, `process ${process}`));
    for (const [process, keys] of this.processes.entries()) faults.push(...(await this.#refusals(keys, process)));
    const published = new Set<string>();
    for (const [process, keys] of this.processes.entries()) {
      await keys.reload();
      faults.push(...this.#publicationFaults(keys, `process ${process}, read again`));
      published.add(publishedBy(keys).join());
    }
    if (published.size > 1) faults.push('two processes publish different keys');
    const states = (await readKeys(this.#sql)).filter(({ alg }) => alg !== 'HS256').map(({ state }) => state);
    for (const state of ['active', 'next'])
      if (states.filter((each) => each === state).length !== 1) faults.push(`not exactly one key is ${state}`);
    return faults;
  }

  #open = () => openSigningKeys({ sql: this.#sql, encryptionKeys, signingAlg: 'ES256' }, () => this.now);

  async #moveTo(instant: number): Promise<void> {
    this.now = Math.max(this.now, instant);
    await this.#simulated.setClock(this.now);
  }

  #ends = () => this.#issued.flatMap(({ endsAt, renewalEndsAt }) => [endsAt, renewalEndsAt]);

  async #nextDue(): Promise<number> {
    const instants = (await readKeys(this.#sql)).flatMap(({ alg, state, createdAt, activatedAt, retiredAt }) => {
      if (alg === 'HS256') return [];
      if (state === 'next') return [createdAt.getTime() + day];
      return [state === 'active' ? activatedAt!.getTime() + this.rotationDays * day : retiredAt!.getTime() + 25 * hour];
    });
    return Math.min(...instants.filter((instant) => instant > this.now + 1), this.now + 400 * day);
  }

  async #look(processes: SigningKeys[]): Promise<void> {
    const sql = this.#sql;
    const changes = await Promise.all(
      processes.map((keys) => maintainKeys({ sql, encryptionKeys, config: this.#config, keys })),
    );
    const rotated = changes.flatMap((change) => change.rotated ?? []);
    if (rotated.length > 1) throw new Error('rotated more than once');
    for (const kid of rotated)
      if (!(this.now - (this.#publishedSince.get(kid) ?? this.now) >= day)) throw new Error(`${kid} signs unannounced`);
    await this.#remember();
  }

  async #remember(): Promise<void> {
    for (const row of await readKeys(this.#sql)) {
      if (row.alg === 'HS256') continue;
      if (!this.#rows.has(row.kid)) this.#publishedSince.set(row.kid, this.now);
      this.#rows.set(row.kid, row);
    }
  }

  /** As the token endpoint does: the key that the database names signs, whatever this process knew. */
  async #issue(keys: SigningKeys, hours: number): Promise<void> {
    const [row] = await this.#sql.rows<{ active_kid: string }>(`select ${activeKidColumn}`);
    const ring = await ringWith(keys, row!.active_kid);
    const renewalEndsAt = this.now + 30 * day;
    const renewalToken = signRenewalToken(ring, {
      iss: issuer,
      sub: 's',
      created_at: new Date(this.now).toISOString(),
      expires_at: new Date(renewalEndsAt).toISOString(),
      jti: `${randomUUID()}.0`,
    });
    const endsAt = Math.floor((this.now + hours * hour) / 1_000) * 1_000;
    this.#issued.push({
      token: signAccessToken(ring, this.#claims(endsAt), 'at+jwt'),
      endsAt,
      renewalToken,
      renewalEndsAt,
    });
  }

  #claims = (endsAt: number) => ({
    iss: issuer,
    sub: 's',
    aud: audiences,
    profileId: 'p',
    roleId: 'r',
    scopes: [],
    iat: Math.floor(this.now / 1_000),
    exp: Math.floor(endsAt / 1_000),
  });

  /** Tries a token of every key that there ever was. */
  #publicationFaults(keys: SigningKeys, where: string): string[] {
    const ring = keys.ring();
    const accepted = [...this.#rows.values()].filter((row) => {
      const token = signAccessToken(forgerWith(row), this.#claims(this.now + hour), 'at+jwt');
      return 'claims' in verifyAccessToken(ring, token, { issuer, audiences, nowSeconds: this.now / 1_000 });
    });
    const kids = accepted.map(({ kid }) => kid).sort();
    const over = accepted.filter(({ retiredAt }) => retiredAt && this.now >= retiredAt.getTime() + 25 * hour);
    if (over.length > 0) return [`${where} accepts a key that is over`];
    return kids.join() === publishedBy(keys).join() ? [] : [`${where} publishes ${publishedBy(keys)}, accepts ${kids}`];
  }

  async #refusals(keys: SigningKeys, process: number): Promise<string[]> {
    this.#issued = this.#issued.filter(({ renewalEndsAt }) => renewalEndsAt > this.now);
    const expected = { issuer, audiences, nowSeconds: this.now / 1_000 };
    const faults: string[] = [];
    for (const { token, endsAt, renewalToken } of this.#issued) {
      if (endsAt > this.now) {
        let judged = verifyAccessToken(keys.ring(), token, expected);
        if ('invalid' in judged && judged.invalid === unknownKid)
          judged = verifyAccessToken(await keys.reload(), token, expected);
        if ('invalid' in judged) faults.push(`process ${process} refuses a live token: ${judged.invalid}`);
      }
      if (!openRenewalToken(keys.ring(), renewalToken) && !openRenewalToken(await keys.reload(), renewalToken))
        faults.push(`process ${process} doesn't know a live renewal token`);
    }
    return faults;
  }
}

const publishedBy = (keys: SigningKeys): string[] =>
  keys
    .ring()
    .jwks()
    .keys.map(({ kid }) => String(kid))
    .sort();

const renewalRow = { ...(await generateSigningKey('HS256', encryptionKeys[0]!)), state: 'active' as const };
const forgers = new Map<string, KeyRing>();

/** A ring that signs with this key, whatever has become of it. */
function forgerWith(row: SigningKeyRow): KeyRing {
  const ring = forgers.get(row.kid) ?? openKeyRing([{ ...row, state: 'active' }, renewalRow], encryptionKeys);
  forgers.set(row.kid, ring);
  return ring;
}
