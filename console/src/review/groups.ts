/** Drafts as a reviewer decides them: many of one kind are one group, the rest are by their record. */
import { bySubject, type Draft, type Subject } from '../drafts';
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

/** What many drafts have in common; undefined: nothing that would be decided together. */
function shared({
  label,
  sign,
  from,
  to,
  change,
}: Draft): { key: string; title: (count: number) => string } | undefined {
  const { mapping, translation } = change;
  const holding = change.assignProfile ?? change.unassignProfile;
  if (mapping)
    return {
      key: `mapping ${mapping.accessScopeGuid ?? mapping.accessScopeTypeGuid} ${from} ${to}`,
      title: (count) => `${label} ${verbs.mapping[sign]} ${plural(count, 'application')}`,
    };
  if (holding)
    return {
      key: `holding ${holding.profileId} ${sign}`,
      title: (count) => `${label} ${verbs.holding[sign]} ${plural(count, 'person', 'people')}`,
    };
  if (translation)
    return {
      key: `text ${translation.languageCode}`,
      title: (count) => `${plural(count, 'text')} in ${translation.languageCode}`,
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
    ...large.map(([key, own]): Group => ({ key: key!, title: shared(own[0]!)!.title(own.length), drafts: own })),
    ...rest.map(({ subject, drafts }) => ({
      key: `${subject.kind} ${subject.id}`,
      subject,
      title: subject.name,
      drafts,
    })),
  ].sort((one, other) => other.drafts.length - one.drafts.length);
}
