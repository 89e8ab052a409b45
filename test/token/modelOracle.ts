/** What token families may do, one operation at a time; and whether answers of concurrent ones fit any order of them. */

interface ModelClient {
  isHardened: boolean;
  isActive: boolean;
  /** Numbers of secrets; null: there is none before. */
  current: number;
  previous: number | null;
}

interface ModelFamily {
  /** What renews it; undefined when nobody can know, because the answer was lost. */
  token: string | undefined;
  generation: number;
  isRevoked: boolean;
  isExpired: boolean;
  /** The client that it is bound to. */
  boundTo: number | null;
  /** What the present token was asked for with; null without a key. Of an imported or forgotten one nothing is known. */
  madeBy: { key: number; client: number; token: string } | null;
}

export interface ModelState {
  /** By the service's policy; else the client's own counts. */
  isHardened: boolean;
  /** A record that has no client is that one's who exchanges or renews it. */
  isRehearsal: boolean;
  isBlocked: boolean;
  /** Of the user in the profile; null without a link. */
  role: string | null;
  hasScope: boolean;
  clients: ModelClient[];
  /** By the record's guid. */
  families: Record<string, ModelFamily>;
  /** Records whose answer was lost, so that nobody knows their guid. */
  orphans: number;
}

export interface HeldToken {
  token: string;
  guid: string;
  generation: number;
}

interface Asking {
  client: number;
  secret: number;
}

/** What a consumer, an administrator or time may do. */
export type Operation =
  | ({ kind: 'exchange'; isForgotten: boolean } & Asking)
  | ({
      kind: 'renew';
      held: HeldToken;
      /** Number of the Idempotency-Key; null without one. */
      key: number | null;
      isOtherProfile: boolean;
      isForgotten: boolean;
    } & Asking)
  | ({ kind: 'revoke'; held: HeldToken } & Asking)
  | { kind: 'expire'; guid: string }
  | { kind: 'block'; isBlocked: boolean }
  | { kind: 'role'; role: string | null }
  | { kind: 'scope'; hasScope: boolean }
  | { kind: 'activate'; client: number; isActive: boolean }
  | { kind: 'rotate'; client: number; secret: number; isOtherCost: boolean; keepsPrevious: boolean };

export type Seen =
  | { kind: 'issued'; accessToken: string; role: string; hasScope: boolean; held: HeldToken }
  | { kind: 'refused'; reason: string }
  | { kind: 'revoked'; wasFound: boolean }
  | { kind: 'unavailable' }
  | { kind: 'done' };

export interface Happened {
  operation: Operation;
  seen: Seen;
}

/** What an operation does after its first point in time, when it has two: others may come between. */
type Afterwards =
  | { kind: 'revokeReused'; held: HeldToken; isCertain: boolean; boundTo?: number; repeats?: Repeated }
  | { kind: 'recover'; operation: Repeated & { isOtherProfile: boolean }; seen: Seen }
  | { kind: 'revokeChecked'; held: HeldToken; client: number; seen: Seen };

/** A renewal that may be known again. */
interface Repeated {
  held: HeldToken;
  key: number | null;
  client: number;
}

interface Outcome {
  state: ModelState;
  afterwards?: Afterwards;
}

/** The states that the operations may have led to, done in some order with just these answers; none: there is no such order. */
export function findEnds(state: ModelState, happened: readonly Happened[]): ModelState[] {
  const ends = new Map<string, ModelState>();
  const visited = new Set<string>();
  const go = (now: ModelState, open: readonly Happened[], later: readonly Afterwards[]): void => {
    const name = JSON.stringify([
      now,
      open.map(({ operation }) => happened.findIndex((each) => each.operation === operation)),
      later,
    ]);
    if (visited.has(name)) return;
    visited.add(name);
    if (open.length === 0 && later.length === 0) ends.set(JSON.stringify(now), now);
    for (const each of open) {
      const rest = open.filter((other) => other !== each);
      for (const { state, afterwards } of step(now, each)) go(state, rest, afterwards ? [...later, afterwards] : later);
    }
    for (const each of later) {
      const rest = later.filter((other) => other !== each);
      for (const { state, afterwards } of finish(now, each)) go(state, open, afterwards ? [...rest, afterwards] : rest);
    }
  };
  go(state, happened, []);
  return [...ends.values()];
}

/** What the operation may lead to when it is done now and answers just this. */
function step(state: ModelState, { operation, seen }: Happened): Outcome[] {
  switch (operation.kind) {
    case 'exchange':
      return exchange(state, operation, seen);
    case 'renew':
      return renew(state, operation, seen);
    case 'revoke':
      return revoke(state, operation, seen);
    default:
      return [{ state: change(state, operation) }];
  }
}

function exchange(state: ModelState, { client, secret }: Asking, seen: Seen): Outcome[] {
  const reason = !isGenuine(state, client, secret)
    ? 'invalidClient'
    : state.isBlocked || state.role === null
      ? 'invalidProfile'
      : undefined;
  if (seen.kind === 'unavailable')
    return reason ? [{ state }] : [{ state }, { state: { ...state, orphans: state.orphans + 1 } }];
  if (reason) return seen.kind === 'refused' && seen.reason === reason ? [{ state }] : [];
  if (!isIssuedNow(state, seen) || seen.held.generation !== 0) return [];
  const { guid, token } = seen.held;
  const family = { token, generation: 0, isRevoked: false, isExpired: false, madeBy: null };
  return [{ state: withFamily(state, guid, { ...family, boundTo: isBound(state, client) ? client : null }) }];
}

function renew(state: ModelState, operation: Extract<Operation, { kind: 'renew' }>, seen: Seen): Outcome[] {
  const { client, secret, held, isOtherProfile } = operation;
  if (!isGenuine(state, client, secret))
    return seen.kind === 'unavailable' || (seen.kind === 'refused' && seen.reason === 'invalidClient')
      ? [{ state }]
      : [];
  const family = state.families[held.guid]!;
  const isAllowed = !isHardened(state, client, family) || (!isOtherProfile && isOf(family, client));
  const isRenewed = isLive(family, held) && !state.isBlocked && state.role !== null && isAllowed;
  const isUnavailable = seen.kind === 'unavailable';
  if (!isRenewed) return [{ state, afterwards: { kind: 'recover', operation, seen } }];
  const madeBy = operation.key === null ? null : { key: operation.key, client, token: held.token };
  const boundTo = family.boundTo ?? (isBound(state, client) ? client : null);
  const next = { ...family, generation: family.generation + 1, boundTo, madeBy };
  if (isUnavailable) return [{ state }, { state: withFamily(state, held.guid, { ...next, token: undefined }) }];
  if (!isIssuedNow(state, seen) || seen.held.guid !== held.guid || seen.held.generation !== next.generation) return [];
  return [{ state: withFamily(state, held.guid, { ...next, token: seen.held.token }) }];
}

function revoke(state: ModelState, { client, secret, held }: Asking & { held: HeldToken }, seen: Seen): Outcome[] {
  if (isHardened(state, client, state.families[held.guid]) && !isGenuine(state, client, secret))
    return seen.kind === 'unavailable' || (seen.kind === 'refused' && seen.reason === 'invalidClient')
      ? [{ state }]
      : [];
  if (seen.kind === 'unavailable')
    return [{ state }, { state, afterwards: { kind: 'revokeChecked', held, client, seen } }];
  return seen.kind === 'revoked' ? [{ state, afterwards: { kind: 'revokeChecked', held, client, seen } }] : [];
}

/** A renewal that was not done may be one that was done before, whose answer was lost: then just that answer is given again. */
function recover(state: ModelState, { operation, seen }: Extract<Afterwards, { kind: 'recover' }>): Outcome[] {
  const { held, isOtherProfile } = operation;
  const family = state.families[held.guid]!;
  const isLiveNow = !family.isRevoked && !family.isExpired && !state.isBlocked && state.role !== null;
  const isAllowed = !isHardened(state, operation.client) || !isOtherProfile;
  if (isRepeated(family, operation) && isLiveNow && isAllowed) {
    if (seen.kind === 'unavailable') return [{ state }];
    if (!isIssuedNow(state, seen) || seen.held.guid !== held.guid || seen.held.generation !== family.generation)
      return [];
    // the one live successor: what is stored has to be its hash
    if (family.token !== undefined && family.token !== seen.held.token) return [];
    return [{ state: withFamily(state, held.guid, { ...family, token: seen.held.token }) }];
  }
  const isUnavailable = seen.kind === 'unavailable';
  if (!isUnavailable && !(seen.kind === 'refused' && seen.reason === 'invalidRenewalToken')) return [];
  return isHardened(state, operation.client, family)
    ? [{ state, afterwards: { kind: 'revokeReused', held, isCertain: !isUnavailable, repeats: operation } }]
    : [{ state }];
}

const isRepeated = ({ generation, madeBy }: ModelFamily, { held, key, client }: Repeated): boolean =>
  generation === held.generation + 1 &&
  madeBy !== null &&
  madeBy.key === key &&
  madeBy.client === client &&
  madeBy.token === held.token;

function finish(state: ModelState, afterwards: Afterwards): Outcome[] {
  if (afterwards.kind === 'recover') return recover(state, afterwards);
  const { held } = afterwards;
  const family = state.families[held.guid]!;
  const revoked = withFamily(state, held.guid, { ...family, isRevoked: true });
  if (afterwards.kind === 'revokeReused') {
    const { boundTo, isCertain, repeats } = afterwards;
    const isOwn = repeats !== undefined && isRepeated(family, repeats);
    const isReused = family.generation > held.generation && (boundTo === undefined || isOf(family, boundTo)) && !isOwn;
    if (family.isRevoked || !isReused) return [{ state }];
    return isCertain ? [{ state: revoked }] : [{ state }, { state: revoked }];
  }
  const { client, seen } = afterwards;
  const isStrict = isHardened(state, client, family);
  const isFound = isLive(family, held) && (!isStrict || isOf(family, client));
  if (seen.kind === 'revoked' && seen.wasFound !== isFound) return [];
  if (isFound) return [{ state: revoked }];
  const isCertain = seen.kind === 'revoked';
  return isStrict ? [{ state, afterwards: { kind: 'revokeReused', held, isCertain, boundTo: client } }] : [{ state }];
}

function change(state: ModelState, operation: Operation): ModelState {
  switch (operation.kind) {
    case 'block':
      return { ...state, isBlocked: operation.isBlocked };
    case 'role':
      return { ...state, role: operation.role };
    case 'scope':
      return { ...state, hasScope: operation.hasScope };
    case 'expire':
      return withFamily(state, operation.guid, { ...state.families[operation.guid]!, isExpired: true });
    case 'activate':
      return withClient(state, operation.client, { isActive: operation.isActive });
    case 'rotate': {
      const { client, secret, keepsPrevious } = operation;
      const { current } = state.clients[client]!;
      return withClient(state, client, { current: secret, previous: keepsPrevious ? current : null });
    }
    default:
      throw new Error(`no change: ${operation.kind}`);
  }
}

function isGenuine({ clients }: ModelState, client: number, secret: number): boolean {
  const { isActive, current, previous } = clients[client]!;
  return isActive && (secret === current || secret === previous);
}

/** Of a request by the client, or for the family's. */
const isBound = (state: ModelState, client: number): boolean => state.isRehearsal || isHardened(state, client);
const isHardened = (state: ModelState, client: number, family?: ModelFamily): boolean =>
  state.isHardened || [client, family?.boundTo ?? client].some((each) => state.clients[each]!.isHardened);

const isLive = (family: ModelFamily, { token }: HeldToken): boolean =>
  family.token === token && !family.isRevoked && !family.isExpired;
const isOf = ({ boundTo }: ModelFamily, client: number): boolean => boundTo === null || boundTo === client;

/** Whether what was issued says what is true now. */
const isIssuedNow = (state: ModelState, seen: Seen): seen is Extract<Seen, { kind: 'issued' }> =>
  seen.kind === 'issued' && seen.role === state.role && seen.hasScope === state.hasScope;

const withFamily = (state: ModelState, guid: string, family: ModelFamily): ModelState => ({
  ...state,
  families: { ...state.families, [guid]: family },
});
const withClient = (state: ModelState, number: number, more: Partial<ModelClient>): ModelState => ({
  ...state,
  clients: state.clients.map((client, index) => (index === number ? { ...client, ...more } : client)),
});
