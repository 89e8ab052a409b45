/** What each draft of a review does, as the service counted it, and the sums of drafts of one kind. */
import type { Draft } from '../drafts';
import type { TryChangesMutation } from '../operations/generated/graph';
import { plural } from '../words';
import { changeKey } from './groups';

export type Tried = NonNullable<NonNullable<TryChangesMutation['applyChanges']>['effect']>;
export type Outcome = NonNullable<Tried['outcomes']>['nodes'][number];
export type Sums = Tried['groups']['nodes'][number];

export interface Counted {
  /** Outcomes by the keys of the drafts that were tried; a later draft has none yet. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Sums by the effects of the changes. */
  sums: ReadonlyMap<string, Sums>;
}

/** @param keys of the drafts that were tried, in the order of their changes */
export function countedOf({ outcomes, groups }: Tried, keys: readonly string[]): Counted {
  const byKey = (outcomes?.nodes ?? []).flatMap((outcome): [string, Outcome][] => {
    const key = keys[Number(/\d+/.exec(outcome.path)?.[0])];
    return key === undefined ? [] : [[key, outcome]];
  });
  return { outcomes: new Map(byKey), sums: new Map(groups.nodes.map((group) => [group.key, group])) };
}

/** The sums of exactly these drafts; undefined where the service counted no such group. */
export function sumsOf(drafts: readonly Draft[], { sums, outcomes }: Counted): Sums | undefined {
  const keys = new Set(drafts.map(changeKey));
  const [key] = keys;
  if (keys.size !== 1 || !drafts.every((draft) => outcomes.has(draft.key))) return undefined;
  return sums.get(key!);
}

type Reason = NonNullable<Outcome['reason']>;

/** Why nobody gains, and why nobody loses, by one change (`it`) or by several (`them`). @param way of a single change */
const reasons: Record<Reason, (what: 'it' | 'them', way: string) => Record<Side, string>> = {
  ALREADY_OPEN: (what, way) => ({
    gain: `the same people already have ${what} in another way${way}`,
    loss: `the same people still have ${what} in another way${way}`,
  }),
  OPENS_NOTHING: () => ({ gain: 'the profile opens nothing today', loss: 'the profile opened nothing' }),
  END_CHANGED: () => ({ gain: 'only an end changes', loss: 'only an end changes' }),
  OUT_OF_USE: (what) => ({
    gain: `out of use until ${what === 'it' ? 'it is' : 'they are'} in use again`,
    loss: 'out of use, so nobody had access',
  }),
  NOT_HELD: () => ({
    gain: 'nobody holds a profile that is concerned',
    loss: 'nobody holds a profile that is concerned',
  }),
  STATE_DOES_NOT_OPEN: () => ({ gain: 'the new state opens nothing', loss: 'the state before opened nothing' }),
  BLOCKED: () => ({ gain: 'all people concerned are blocked', loss: 'all people concerned are blocked' }),
};

type Side = 'gain' | 'loss';
const sideOf = ({ sign }: Draft): Side => (sign === 'loss' ? 'loss' : 'gain');

/** “: …”; empty where the service gives no reason. */
function reasonOf(draft: Draft, { reason, openBy }: Outcome, what: 'it' | 'them'): string {
  const way = openBy && what === 'it' ? `, by ${openBy.name}` : '';
  return reason ? `: ${reasons[reason](what, way)[sideOf(draft)]}` : '';
}

/** What one draft does for people; undefined while it is not counted, and where it is not about access. */
export function outcomeWords(draft: Draft, outcome: Outcome | undefined): string | undefined {
  if (!outcome || outcome.outcome === 'UNCHANGED') return undefined;
  if (outcome.outcome === 'NOBODY')
    return `Nobody ${draft.sign === 'loss' ? 'loses' : 'gains'} access${reasonOf(draft, outcome, 'it')}`;
  const sign = { GAINS: '+', LOSES: '−', BOTH: '±' }[outcome.outcome];
  return `${sign} ${plural(outcome.users, 'person', 'people')}`;
}

export interface Exception {
  key: string;
  count: number;
  /** Behind the count: “gain nobody: …”. */
  words: string;
  isWarning?: boolean;
  drafts: Draft[];
}

/** Drafts that do nothing for anybody, by their reasons, and those that a file manages; the most first. */
export function exceptionsOf(
  drafts: readonly Draft[],
  { outcomes }: Counted,
  managers: ReadonlyMap<string, string> = new Map(),
): Exception[] {
  const byReason = Map.groupBy(drafts, (draft) => {
    const outcome = outcomes.get(draft.key);
    if (outcome?.outcome !== 'NOBODY') return undefined;
    return `${sideOf(draft) === 'gain' ? 'gain' : 'lose'} nobody${reasonOf(draft, outcome, 'them')}`;
  });
  const managed = Map.groupBy(
    drafts.filter(({ key }) => managers.has(key)),
    ({ key }) => managers.get(key)!,
  );
  return [
    ...[...byReason].flatMap(([words, own]) => (words ? [{ key: words, count: own.length, words, drafts: own }] : [])),
    ...[...managed].map(([name, own]) => ({
      key: `managed by ${name}`,
      count: own.length,
      words: `are managed in git by “${name}”: its next apply reverts this`,
      isWarning: true,
      drafts: own,
    })),
  ].sort((one, other) => other.count - one.count);
}
