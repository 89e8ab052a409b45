/**
 * Caches the keys of one identity provider: refreshes them before they are old, keeps them while the provider is away, and fetches them again
 * when a token names an unknown key, but not so often that forged tokens could overload the provider.
 */
import { type DocumentSource, fetchPublishedKeys } from './providerDocuments.js';
import type { PublishedKey } from './publishedKey.js';
import { openTokenBucket } from './tokenBucket.js';

/** No keys could be fetched: the token was not checked. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = 'IdentityProviderUnavailable';
  constructor(
    readonly issuer: string,
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(`the keys of ${issuer} are not available at the moment`, options);
  }
}

/** Whose keys they are, for the log. */
type KeyOwner = 'provider' | 'client';

interface ProviderKeysOptions extends DocumentSource {
  /** `provider`. */
  owner?: KeyOwner;
  log(details: object, message: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface KeyQuery {
  kid: string | undefined;
  alg: string;
}

export interface ProviderKeys {
  /** Cached keys that fit; fetched when there are none or they are too old. Throws IdentityProviderUnavailable. */
  findKeys(query: KeyQuery): Promise<PublishedKey[]>;
  /**
   * Returns matching keys after another fetch, as often as the token bucket allows; otherwise cached ones. Throws the same.
   * @param isAnybodys whether anybody may have sent the token: clients authenticate, and keep some fetches of their own
   */
  refetchKeys(query: KeyQuery, isAnybodys?: boolean): Promise<PublishedKey[]>;
  /** Why a key that the query could mean is not used, for the log; undefined if there is none. */
  findMisfit(query: KeyQuery): Promise<string | undefined>;
}

const refreshAfterMs = 5 * 60_000; // in the background
const ageMsMax = 10 * 60_000; // from here on requests wait for the refresh
// For tokens that no cached key fits: on average ten fetches a minute, so that a token is refused only after a check with new keys.
const refetchBucket = { spare: 5, refillMs: 6_000 };
const reservedForClients = 3;
const failureCooldownMs = 5_000; // after a fetch that failed
const keysTriedMax = 8;

/** Returns keys that never change, of a provider that this service cannot reach, or of a client. */
export function openStaticKeys(keys: readonly PublishedKey[], owner?: KeyOwner): ProviderKeys {
  const find = async (query: KeyQuery) => fittingKeys(keys, query);
  return { findKeys: find, refetchKeys: find, findMisfit: (query) => findMisfitAmong(keys, query, owner) };
}

const allFitting = (keys: readonly PublishedKey[], { kid, alg }: KeyQuery): PublishedKey[] =>
  keys.filter((key) => (kid === undefined || key.kid === kid) && key.fits(alg));
const fittingKeys = (keys: readonly PublishedKey[], query: KeyQuery): PublishedKey[] =>
  allFitting(keys, query).slice(0, keysTriedMax);

async function findMisfitAmong(
  keys: readonly PublishedKey[],
  query: KeyQuery,
  owner: KeyOwner = 'provider',
): Promise<string | undefined> {
  const { kid, alg } = query;
  const fitting = allFitting(keys, query);
  const notUsed = `the ${owner}'s key of this id is not used: it`;
  if (fitting.length > keysTriedMax)
    return kid === undefined
      ? `only ${keysTriedMax} of the ${owner}'s keys are tried for a token`
      : `${notUsed} is one of more than ${keysTriedMax}`;
  if (kid === undefined && fitting.length > 0) return undefined;
  const named = keys.filter((key) => kid === undefined || key.kid === kid);
  const isMalformed = async () => (await Promise.all(fitting.map((key) => key.findKey(alg)))).every((key) => !key);
  if (fitting.length > 0) return (await isMalformed()) ? `${notUsed} is malformed` : undefined;
  const misfits = [...new Set(named.map((key) => key.findMisfit(alg)))].join('; another one ');
  if (kid === undefined) return `none of the ${owner}'s keys is for a token without a key id: one ${misfits}`;
  return misfits ? `${notUsed} ${misfits}` : undefined;
}

export function openProviderKeys(options: ProviderKeysOptions): ProviderKeys {
  const { issuer, log, now, owner } = options;
  let cached: { keys: PublishedKey[]; fetchedAt: number } | undefined;
  let failure: { at: number; cause: unknown } | undefined;
  const refetches = openTokenBucket({ ...refetchBucket, now });
  let underWay: Promise<void> | undefined;

  function refresh(): Promise<void> {
    underWay ??= load().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function load(): Promise<void> {
    try {
      const keys = await fetchPublishedKeys(options);
      // none is left to judge a token by: those that were known are withdrawn
      cached = keys.length > 0 ? { keys, fetchedAt: now() } : undefined;
      if (!cached) throw new Error('publishes no key');
      failure = undefined;
      log({ issuer, keys: keys.length }, 'identity provider keys fetched');
    } catch (error) {
      failure = { at: now(), cause: error };
      log({ issuer, problem: (error as Error).message }, 'identity provider unavailable');
      throw unavailable();
    }
  }

  // A clock that was put back must not lengthen a pause.
  const since = (instant: number): number => Math.abs(now() - instant);

  const failureCooldown = (): number => (failure ? Math.max(0, failureCooldownMs - since(failure.at)) : 0);

  const unavailable = (): IdentityProviderUnavailable =>
    new IdentityProviderUnavailable(issuer, Math.max(1, Math.ceil(failureCooldown() / 1000)), failure);

  async function requireRefresh(): Promise<void> {
    if (failureCooldown() > 0) throw unavailable();
    await refresh();
  }

  // after a failed fetch no request waits for the next one: the stale keys are used
  async function keepFresh(fetchedAt: number): Promise<void> {
    const age = since(fetchedAt);
    if (age < refreshAfterMs || failureCooldown() > 0) return;
    const refreshed = refresh().catch(() => undefined);
    if (age >= ageMsMax && !failure) await refreshed;
  }

  const pick = (query: KeyQuery): PublishedKey[] => fittingKeys(cached?.keys ?? [], query);

  return {
    async findKeys(query) {
      await (cached ? keepFresh(cached.fetchedAt) : requireRefresh());
      return pick(query);
    },
    async refetchKeys(query, isAnybodys = false) {
      if (failureCooldown() > 0) throw unavailable();
      // a fetch that began earlier may have been answered before the provider rotated, so its keys may not match
      if (underWay) {
        await refresh();
        const keys = pick(query);
        if (keys.length > 0 && query.kid !== undefined) return keys;
      }
      if (underWay || refetches.tryTake(isAnybodys ? reservedForClients : 0)) await refresh();
      return pick(query);
    },
    findMisfit: (query) => findMisfitAmong(cached?.keys ?? [], query, owner),
  };
}
