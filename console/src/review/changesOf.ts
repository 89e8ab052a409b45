/** Drafts as the service takes them: in an order in which none stands in another's way. */
import type { Draft } from '../drafts';
import type { ChangeInput } from '../operations/generated/graph';

/** Records that others refer to are made first, and removed last; a record's own lock comes before its links change. */
function rankOf({ change }: Draft): number {
  const [member = ''] = Object.keys(change);
  if (member.startsWith('create')) return 0;
  if (lockOf(change) !== undefined) return 1;
  return member.startsWith('delete') ? 3 : 2;
}

export const inOrder = (drafts: readonly Draft[]): Draft[] =>
  [...drafts].sort((one, other) => rankOf(one) - rankOf(other));

/** The revision of its own record that a change was read at; that of a link is no such. */
export function lockOf({ unassignProfile, ...change }: ChangeInput): number | undefined {
  if (unassignProfile) return undefined;
  const [given] = Object.values(change);
  return given && 'ifRevision' in given && typeof given.ifRevision === 'number' ? given.ifRevision : undefined;
}

/** The same change, with that lock or none. */
export function withLock(change: ChangeInput, ifRevision: number | undefined): ChangeInput {
  const [[member, given] = ['', {}]] = Object.entries(change);
  const { ifRevision: _read, ...rest } = given as { ifRevision?: number };
  return { [member]: ifRevision === undefined ? rest : { ...rest, ifRevision } } as ChangeInput;
}

/**
 * The first change of a record raises its revision, so the others of it have no lock: the first one's is the oldest
 * that any of them was read at.
 * @param drafts in order
 */
export function changesOf(drafts: readonly Draft[]): ChangeInput[] {
  const recordOf = ({ subject }: Draft) => `${subject.kind} ${subject.id}`;
  const oldest = new Map<string, number>();
  for (const draft of drafts) {
    const lock = lockOf(draft.change);
    const known = oldest.get(recordOf(draft)) ?? Number.POSITIVE_INFINITY;
    if (lock !== undefined) oldest.set(recordOf(draft), Math.min(lock, known));
  }
  const locked = new Set<string>();
  return drafts.map((draft) => {
    if (lockOf(draft.change) === undefined) return draft.change;
    const record = recordOf(draft);
    const isFirst = !locked.has(record);
    locked.add(record);
    return withLock(draft.change, isFirst ? oldest.get(record) : undefined);
  });
}
