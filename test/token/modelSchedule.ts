/** Schedules of token families: made by fast-check, played in a world batch by batch, judged after each batch. */
import fc from 'fast-check';
import { validate } from '../../src/services/tokens/validate.js';
import type { Turn } from '../support/turns.js';
import type { Driver } from './modelDrivers.js';
import { findEnds, type Happened, type HeldToken, type ModelState, type Operation } from './modelOracle.js';
import { readStored, roles, type World } from './modelWorld.js';

/** An operation as it is made: what it is about is found when its batch begins. */
interface Command {
  kind: 'exchange' | 'renew' | 'reuse' | 'revoke' | 'expire' | 'block' | 'role' | 'scope' | 'activate' | 'rotate';
  client: number;
  /** 0 to 4 present the secret as it is at the beginning of the batch, 5 and 6 the one before, 7 a wrong one. */
  secret: number;
  /** Which of the tokens or values. */
  which: number;
  flag: boolean;
  other: boolean;
  /** 0: no Idempotency-Key; one of the others, so that some come again. */
  key: number;
}

const commands = fc.record<Command>({
  kind: fc.constantFrom<Command['kind'][]>(
    ...(['exchange', 'exchange', 'renew', 'renew', 'renew', 'renew', 'reuse', 'reuse', 'revoke', 'revoke'] as const),
    ...(['expire', 'block', 'role', 'scope', 'activate', 'activate', 'rotate', 'rotate'] as const),
  ),
  client: fc.nat(1),
  secret: fc.nat(7),
  which: fc.nat(11),
  flag: fc.boolean(),
  other: fc.nat(5).map((number) => number === 5),
  key: fc.nat(2),
});

interface Schedule {
  batches: Command[][];
  turns: Turn[];
  isOtherCost: boolean;
}

const turns = fc.record<Turn>({
  who: fc.nat(11),
  breaks: fc.option(fc.constantFrom('before' as const, 'after' as const), { freq: 12, nil: undefined }),
});

/** @param together most operations of a batch */
export const schedules = (together: number): fc.Arbitrary<Schedule> =>
  fc.record({
    batches: fc.array(fc.array(commands, { minLength: 1, maxLength: together, size: 'max' }), {
      minLength: 1,
      maxLength: 6,
      size: 'max',
    }),
    turns: fc.array(turns, { minLength: 1, maxLength: 40, size: 'max' }),
    isOtherCost: fc.boolean(),
  });

const wrongSecret = 2;
const firstFreeSecret = 3;

/** Plays the schedule. Throws when no order of a batch's operations explains what was answered and stored. */
export async function play(world: World, start: ModelState, schedule: Schedule, driver: Driver): Promise<number> {
  let state = start;
  let freeSecret = firstFreeSecret;
  const held: HeldToken[] = [];
  const findSecret = ({ client, secret }: Command): number => {
    const { current, previous } = state.clients[client]!;
    return secret === 7 ? wrongSecret : secret >= 5 ? (previous ?? wrongSecret) : current;
  };
  const newest = (): HeldToken[] => Object.values(Object.fromEntries(held.map((each) => [each.guid, each] as const)));
  const resolve = (command: Command): Operation => {
    const { kind, client, which, flag, other } = command;
    const asking = { client, secret: findSecret(command) };
    const pick = (from: HeldToken[]) => from[which % from.length];
    const isAnyAge = kind === 'reuse' || (kind === 'revoke' && flag);
    const token = pick(isAnyAge ? held : newest());
    switch (kind) {
      case 'block':
        return { kind, isBlocked: flag };
      case 'role':
        return { kind, role: other ? null : roles[which % 2]! };
      case 'scope':
        return { kind, hasScope: flag };
      case 'activate':
        return { kind, client, isActive: flag };
      case 'rotate':
        return {
          kind,
          client,
          secret: Math.min(freeSecret++, world.secrets.length - 1),
          isOtherCost: which % 2 === 0,
          keepsPrevious: flag,
        };
    }
    if (kind === 'exchange' || !token) return { kind: 'exchange', ...asking, isForgotten: other };
    if (kind === 'expire') return { kind, guid: token.guid };
    if (kind === 'revoke') return { kind, held: token, ...asking };
    const key = command.key === 0 ? null : command.key;
    return { kind: 'renew', held: token, ...asking, key, isOtherProfile: other && flag, isForgotten: other };
  };
  const restore: Operation[] = [
    { kind: 'block', isBlocked: false },
    { kind: 'role', role: roles[1]! },
    { kind: 'activate', client: 0, isActive: true },
    { kind: 'activate', client: 1, isActive: true },
  ];
  const renewAll = (): Operation[] =>
    newest().map((token) => {
      const client = state.families[token.guid]?.boundTo ?? 0;
      const secret = state.clients[client]!.current;
      return { kind: 'renew', held: token, client, secret, key: null, isOtherProfile: false, isForgotten: false };
    });
  const done = async (operations: Operation[]): Promise<void> => {
    if (operations.length === 0) return;
    operations = operations.filter(
      (each, index) => operations.findIndex((other) => isSameChange(each, other)) === index,
    );
    const seen = await driver(world, operations);
    const happened = operations.map((operation, index): Happened => ({ operation, seen: seen[index]! }));
    state = await judge(world, state, happened);
    for (const each of happened) {
      const { operation } = each;
      const isForgotten = 'isForgotten' in operation && operation.isForgotten;
      if (each.seen.kind === 'issued' && !isForgotten) held.push(each.seen.held);
    }
  };
  for (const batch of schedule.batches) await done(batch.map(resolve));
  // whatever happened before: with everything allowed again, just the live tokens renew
  for (const operation of restore) await done([operation]);
  for (const operation of renewAll()) await done([operation]);
  return held.length;
}

/** Of two changes of one thing at the same moment nobody could say which counts. */
function isSameChange(one: Operation, other: Operation): boolean {
  if (one === other) return true;
  const isChange = !['exchange', 'renew', 'revoke', 'expire'].includes(one.kind);
  const isSameClient = !('client' in one && 'client' in other) || one.client === other.client;
  return isChange && one.kind === other.kind && isSameClient;
}

/** The one state that explains answers and database; and every answered access token is good. */
async function judge(world: World, before: ModelState, happened: readonly Happened[]): Promise<ModelState> {
  const ends = findEnds(before, happened);
  const stored = await readStored(world);
  const after = ends.find(stored.fits);
  if (!after)
    throw new Error(
      `no order of these operations explains ${ends.length ? 'what is stored' : 'their answers'}:\n${tell({ before, happened, stored: stored.rows, ends })}`,
    );
  for (const { operation, seen } of happened) {
    if (seen.kind !== 'issued') continue;
    // an access token names its record where its client is hardened
    const isHardened = after.isHardened || ('client' in operation && after.clients[operation.client]!.isHardened);
    const isLive = !isHardened || !after.families[seen.held.guid]!.isRevoked;
    const judged = await validate(world.context, seen.accessToken);
    if ('claims' in judged !== isLive)
      throw new Error(`an answered access token: ${JSON.stringify({ judged, isLive })}`);
  }
  return after;
}

/** Without the tokens themselves: `guid` and `generation` name them. */
const tell = (value: object): string =>
  Object.entries(value)
    .map(
      ([name, each]) =>
        `${name} ${JSON.stringify(each, (key, member) => (/^(token|accessToken)$/.test(key) ? undefined : member))}`,
    )
    .join('\n');
