/** The state of a mapping in a list of them, and how it is changed there. */
import { type Draft, dropDrafts, putDrafts, useDrafts } from '../drafts';
import { isOpening, openState } from '../openingStates';
import { useMay } from '../session';
import { StateBadge, toneOf } from '../ui/Badge';
import { StateSelect } from '../ui/StateSelect';
import '../theme/mappingState.css';

interface ListedMapping {
  /** What of it the list names. */
  name: string;
  /** As it was read. */
  state: string;
  /** That it becomes so; null is no mapping. */
  draftOf: (to: string | null) => Draft;
}

function useDraftOf({ draftOf }: ListedMapping): Draft | undefined {
  const { key } = draftOf(null);
  return useDrafts().find((draft) => draft.key === key);
}

const put = ({ state, draftOf }: ListedMapping, to: string | null): void =>
  to === state ? dropDrafts([draftOf(to).key]) : putDrafts([draftOf(to)]);

/** Any state can be chosen; those who may only read see the one that is. */
export function MappingState(mapping: ListedMapping) {
  const { name, state } = mapping;
  const draft = useDraftOf(mapping);
  if (!useMay('admin:write')) return <StateBadge state={state} />;
  const shown = draft ? (draft.change.mapping?.to ?? null) : state;
  return (
    <span className={`state ${draft && draft.sign !== 'change' ? draft.sign : toneOf(shown ?? '')}`}>
      <StateSelect label={`State: ${name}`} value={shown} isOptional onChange={(to) => put(mapping, to)} />
      {draft && <small>was {draft.from}</small>}
    </span>
  );
}

/** The usual step: one that opens is removed, another is made to open; a draft is undone. */
export function MappingAct(mapping: ListedMapping) {
  const { name, state } = mapping;
  const draft = useDraftOf(mapping);
  if (!useMay('admin:write')) return null;
  const act = draft ? 'Undo' : isOpening(state) ? 'Remove' : 'Make active';
  const next = draft ? state : isOpening(state) ? null : openState();
  return (
    <button type="button" className="button small" aria-label={`${act}: ${name}`} onClick={() => put(mapping, next)}>
      {act}
    </button>
  );
}
