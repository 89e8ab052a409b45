/**
 * Counts who gains and who loses what. A person gains an application or an entry of scopes if none of the person's profiles had
 * it before and one has it after; the other way round the person loses it. The tokens that change are counted by themselves.
 */

import type { RecordClass } from '../../entities/description.js';
import type { Row } from '../../services/read/select.js';
import { Bits } from './bits.js';
import type { Compared, Group } from './effectDiff.js';
import type { ChangePart } from './plannedChange.js';

export type Side = 'gains' | 'loses';

/** Records that are not in the tables, because a dry run made them or the set removed them, by their keys. */
export type Passing = Map<RecordClass, Map<unknown, Row>>;

/** What of one side of an effect goes through a change. */
export interface Share {
  /** What profiles gain or lose through it, by the place of the profile. */
  values: Map<number, Bits>;
  /** The profiles that users come to hold, or hold no longer, through it: places, by the number of the user. */
  holdings: Map<number, number[]>;
}

type Outcome = 'GAINS' | 'LOSES' | 'BOTH' | 'NOBODY' | 'UNCHANGED';
export type Reason =
  | 'ALREADY_OPEN'
  | 'OPENS_NOTHING'
  | 'END_CHANGED'
  | 'OUT_OF_USE'
  | 'NOT_HELD'
  | 'STATE_DOES_NOT_OPEN'
  | 'BLOCKED';

/** What people gain and lose through a change. */
export interface ChangeOutcome extends ChangePart {
  outcome: Outcome;
  reason: Reason | null;
  /** With ALREADY_OPEN: id of a profile by which the people concerned have the access anyway. */
  openBy: string | null;
  managedBy: string | null;
  users: number;
  gains: Share;
  loses: Share;
}

/** All that the counts and the lists of an effect are made of. */
export interface Counted extends Compared {
  /** The outcomes of the requested changes; absent for other effects. */
  outcomes?: ChangeOutcome[];
  /** How many sessions users have, by the place of the profile and the number of the user. */
  sessions: ReadonlyMap<number, ReadonlyMap<number, number>>;
  passing: Passing;
}

export interface AccessSums {
  /** People, each once. */
  users: number;
  /** Applications and entries, each once. */
  applications: number;
  scopes: number;
  /** Pairs of a person and an application. */
  pairs: number;
  /** The fewest and the most applications of one of these people. */
  least: number;
  most: number;
  /** Sessions of these people, for the profiles by which they have it. */
  sessions: number;
}

/** A side of an effect: exact counts, and what its lists are made of. */
export interface AccessDelta extends AccessSums {
  side: Side;
  counted: Counted;
  /** Profiles by which somebody gains or loses something. */
  profiles: number;
  /** The people who gain or lose something. */
  groups: readonly Group[];
}

/** A profile whose tokens change for their holders, or that people gain or lose. */
export interface TokenItem {
  counted: Counted;
  profile: number;
  users: number;
  sessions: number;
  gains: Bits;
  loses: Bits;
  /** Whether somebody holds the profile no longer. */
  isLost: boolean;
}

export interface TokenCounts {
  profiles: number;
  users: number;
  sessions: number;
  items: readonly TokenItem[];
}

const unionOf = (places: readonly number[], of: readonly Bits[]): Bits => {
  const union = new Bits();
  for (const place of places) union.unite(of[place]!);
  return union;
};

/** What each person of the group has on that side only. */
export function differenceOf({ before, after }: Counted, group: Group, side: Side): Bits {
  const [was, is] = [unionOf(group.before, before), unionOf(group.after, after)];
  return side === 'gains' ? is.without(was) : was.without(is);
}

/** Whether the profile opens or issues something else. */
export const differs = ({ before, after }: Compared, profile: number): boolean =>
  !before[profile]!.without(after[profile]!).isEmpty || !after[profile]!.without(before[profile]!).isEmpty;

/** What a profile has on that side only, whoever holds it. */
export function changeOf({ before, after }: Counted, profile: number, side: Side): Bits {
  const [was, is] = [before[profile]!, after[profile]!];
  return side === 'gains' ? is.without(was) : was.without(is);
}

/** The profiles by which the group has something on that side, and what each of them has. */
export const profilesOn = ({ before, after }: Group, side: Side): readonly number[] =>
  side === 'gains' ? after : before;
export const valuesOn = ({ before, after }: Counted, side: Side): readonly Bits[] =>
  side === 'gains' ? after : before;

export const sessionsOf = ({ sessions }: Counted, profile: number, userIds: readonly number[]): number => {
  const own = sessions.get(profile);
  return own ? userIds.reduce((sum, userId) => sum + (own.get(userId) ?? 0), 0) : 0;
};

/** Adds up what groups of people gain or lose. */
export class Sum {
  users = 0;
  pairs = 0;
  least = Number.POSITIVE_INFINITY;
  most = 0;
  sessions = 0;
  readonly values = new Bits();
  readonly profiles = new Set<number>();

  constructor(
    readonly counted: Counted,
    readonly side: Side,
  ) {}

  /** @param profiles by which these people have the values */
  add(userIds: readonly number[], values: Bits, profiles: readonly number[]): void {
    if (userIds.length === 0 || values.isEmpty) return;
    this.users += userIds.length;
    const applications = values.common(this.counted.applications).size;
    this.pairs += userIds.length * applications;
    this.least = Math.min(this.least, applications);
    this.most = Math.max(this.most, applications);
    this.values.unite(values);
    const of = valuesOn(this.counted, this.side);
    for (const profile of profiles) {
      if (!of[profile]!.meets(values)) continue;
      this.profiles.add(profile);
      this.sessions += sessionsOf(this.counted, profile, userIds);
    }
  }

  get sums(): AccessSums {
    const { users, pairs, most, sessions, values } = this;
    const least = users > 0 ? this.least : 0;
    const applications = values.common(this.counted.applications).size;
    return { users, applications, scopes: values.size - applications, pairs, least, most, sessions };
  }
}

export function countSide(counted: Counted, side: Side): AccessDelta {
  const sum = new Sum(counted, side);
  const groups = counted.groups.filter((group) => {
    const values = differenceOf(counted, group, side);
    sum.add(group.userIds, values, profilesOn(group, side));
    return !values.isEmpty;
  });
  return { ...sum.sums, side, counted, profiles: sum.profiles.size, groups };
}

/** Tokens of profiles that open or carry something else, and tokens of profiles that people gain or lose. */
export function countTokens(counted: Counted): TokenCounts {
  const items = counted.profiles.values.map((_, profile): TokenItem => {
    const [gains, loses] = [changeOf(counted, profile, 'gains'), changeOf(counted, profile, 'loses')];
    return { counted, profile, users: 0, sessions: 0, gains, loses, isLost: false };
  });
  const isChanged = items.map(({ gains, loses }) => !gains.isEmpty || !loses.isEmpty);
  const moved = new Set<number>();
  let [users, sessions] = [0, 0];
  for (const { before, after, userIds } of counted.groups) {
    let isConcerned = false;
    for (const profile of new Set([...before, ...after])) {
      const [was, is] = [before.includes(profile), after.includes(profile)];
      if (was === is && !isChanged[profile]) continue;
      isConcerned = true;
      const item = items[profile]!;
      if (was !== is) moved.add(profile);
      if (!was) item.gains.unite(counted.after[profile]!);
      if (!is) {
        item.loses.unite(counted.before[profile]!);
        item.isLost = true;
      }
      const own = sessionsOf(counted, profile, userIds);
      item.users += userIds.length;
      item.sessions += own;
      sessions += own;
    }
    if (isConcerned) users += userIds.length;
  }
  const changed = items.filter(({ profile }) => isChanged[profile] || moved.has(profile));
  changed.sort((one, other) => other.users - one.users || one.profile - other.profile);
  return { profiles: changed.length, users, sessions, items: changed };
}
