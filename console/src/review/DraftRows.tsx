/** Many drafts as a list of their own, of which only those in sight are in the document. */
import type { Draft } from '../drafts';
import { wholeList } from '../pages';
import type { Column } from '../ui/Row';
import { Rows } from '../ui/Rows';
import type { Counted } from './outcomes';
import { outcomeWords } from './outcomes';
import { nameOfDraft, UndoButton } from './ReviewedDraft';

interface DraftRowsProps {
  label: string;
  drafts: readonly Draft[];
  /** Says beside each what it does for people. */
  counted?: Counted | undefined;
}

export const DraftRows = ({ label, drafts, counted }: DraftRowsProps) => (
  <Rows
    label={label}
    pages={wholeList([...drafts], label)}
    columns={counted ? [...columns, effectColumn(counted), undo] : [...columns, undo]}
    keyOf={({ key }) => key}
    nameOf={nameOfDraft}
  />
);

const columns: Column<Draft>[] = [
  {
    key: 'name',
    label: 'Change',
    width: 'minmax(200px, 1fr)',
    keepSmall: true,
    cell: ({ subject, label }) => (
      <span className="two-lines">
        <b>{subject.name}</b>
        <small>{subject.hint ?? label}</small>
      </span>
    ),
  },
  { key: 'from', label: 'From', width: '90px', cell: ({ from }) => from },
  { key: 'to', label: 'To', width: '90px', cell: ({ to }) => to },
];
const effectColumn = ({ outcomes }: Counted): Column<Draft> => ({
  key: 'effect',
  label: 'People',
  width: '130px',
  cell: (draft) => {
    const words = outcomeWords(draft, outcomes.get(draft.key));
    return <span title={words}>{words}</span>;
  },
});
const undo: Column<Draft> = {
  key: 'undo',
  label: 'Undo',
  width: '48px',
  keepSmall: true,
  cell: (draft) => <UndoButton draft={draft} />,
};
