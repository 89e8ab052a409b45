/** Drafts as a reviewer decides them: many of one kind are one group, the rest are by their record. */
import { type Draft, type Subject, subjectOf } from '../drafts';
import { plural } from '../words';

export interface Group {
  key: string;
  /** The heading, for a single record. */
  subject?: Subject;
  /** For several records: what is done to them, such as “Harbour opens 992 applications”. */
  title: string;
  drafts: Draft[];
}

/** Fewer are by their record, each with all that becomes of it. */
const groupMin = 3;

const verbs = {
  mapping: { gain: 'opens', loss: 'no longer opens', change: 'changes its state for' },
  holding: { gain: 'given to', loss: 'removed from', change: 'changed for' },
};

/** What a draft does to what, as the service groups changes (`groups(by: CHANGE)` of an effect). */
export function changeKey({ change }: Draft): string {
  const [member = ''] = Object.keys(change);
  const { mapping, assignProfile, assignProfiles, unassignProfile } = change;
  const given = assignProfile ?? assignProfiles;
  if (mapping) return `mapping ${mapping.accessScopeGuid ?? mapping.accessScopeTypeGuid} ${mapping.to ?? 'none'}`;
  if (given) return `assignProfile ${given.profileId}`;
  return unassignProfile ? `unassignProfile ${unassignProfile.profileId}` : member;
}

/** What many drafts have in common; undefined: nothing that would be decided together. */
function shared(draft: Draft): { key: string; title: (drafts: readonly Draft[]) => string } | undefined {
  const { label, change } = draft;
  const { mapping, translation } = change;
  const verbOf = (of: keyof typeof verbs, drafts: readonly Draft[]) =>
    verbs[of][drafts.every(({ sign }) => sign === draft.sign) ? draft.sign : 'change'];
  if (mapping)
    return {
      key: changeKey(draft),
      title: (drafts) => `${label} ${verbOf('mapping', drafts)} ${plural(drafts.length, 'application')}`,
    };
  if (change.assignProfile ?? change.unassignProfile)
    return {
      key: changeKey(draft),
      title: (drafts) => `${label} ${verbOf('holding', drafts)} ${plural(drafts.length, 'person', 'people')}`,
    };
  if (translation)
    return {
      key: `text ${translation.languageCode}`,
      title: ({ length }) => `${plural(length, 'text')} in ${translation.languageCode}`,
    };
  return undefined;
}

/** The largest first. */
export function groupsOf(drafts: readonly Draft[]): Group[] {
  const alike = Map.groupBy(drafts, (draft) => shared(draft)?.key);
  const large = [...alike].filter(([key, own]) => key !== undefined && own.length >= groupMin);
  const taken = new Set(large.flatMap(([, own]) => own));
  const rest = bySubject(drafts.filter((draft) => !taken.has(draft)));
  return [
    ...large.map(([key, own]): Group => ({ key: key!, title: shared(own[0]!)!.title(own), drafts: own })),
    ...rest.map(({ subject, drafts }) => ({
      key: `${subject.kind} ${subject.id}`,
      subject,
      title: subject.name,
      drafts,
    })),
  ].sort((one, other) => other.drafts.length - one.drafts.length);
}

/** Drafts by their subject, in the order in which subjects first came. */
export function bySubject(drafts: readonly Draft[]): { subject: Subject; drafts: Draft[] }[] {
  const groups = Map.groupBy(drafts, subjectOf);
  return [...groups.values()].map((group) => ({ subject: group[0]!.subject, drafts: group }));
}
