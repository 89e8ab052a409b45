/** Sets when grants end, extends them, or takes their ends away; goes to the review. */
import { useState } from 'react';
import { type Draft, putDrafts } from '../drafts';
import { editedEnd, isOver, momentOf } from '../grantEnd';
import { reviewDrafts } from '../review/reviewing';
import { Sheet, SheetActs } from '../ui/Dialog';
import { EndField } from '../ui/GrantEnd';
import { say } from '../ui/Toasts';

interface EndSheetProps {
  /** What ends, in words. */
  what: string;
  /** The end that they have, ISO 8601; undefined: they have different ones. */
  present: string | null | undefined;
  /** None for grants that have this end. */
  draftsFor: (end: string | null) => readonly Draft[];
  onClose: () => void;
}

export function EndSheet({ what, present, draftsFor, onClose }: EndSheetProps) {
  const [before] = useState(() => (present === undefined ? undefined : editedEnd(present)));
  const [value, setValue] = useState(before);
  // what was not edited stays to the millisecond
  const isEdited = value?.day !== before?.day || value?.time !== before?.time;
  const end = isEdited && value ? momentOf(value) : present;
  const set = () => {
    if (end === undefined) return;
    const drafts = draftsFor(end);
    onClose();
    if (drafts.length === 0) {
      say({ text: 'Nothing to change: it ends then already.' });
      return;
    }
    putDrafts(drafts);
    reviewDrafts();
  };
  return (
    <Sheet
      title="When it ends"
      sub={what}
      onClose={onClose}
      foot={
        <SheetActs
          onBack={onClose}
          label="Review"
          act={set}
          isLacking={end === undefined || (isEdited && isOver(end))}
        />
      }
    >
      <EndField label="Last day" value={value} onChange={setValue} />
    </Sheet>
  );
}
