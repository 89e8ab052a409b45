/** Sets when grants end, extends them, or takes their ends away; goes to the review. */
import { useState } from 'react';
import { type Draft, putDrafts } from '../drafts';
import { dayOf, endOfDay } from '../grantEnd';
import { reviewDrafts } from '../review/reviewing';
import { Sheet } from '../ui/Dialog';
import { EndField } from '../ui/GrantEnd';

interface EndSheetProps {
  /** What ends, in words. */
  what: string;
  /** The end that they have, ISO 8601, where it is one. */
  present: string | null;
  draftsFor: (end: string | null) => readonly Draft[];
  onClose: () => void;
}

export function EndSheet({ what, present, draftsFor, onClose }: EndSheetProps) {
  const [date, setDate] = useState(present ? dayOf(present) : '');
  const end = endOfDay(date);
  const isPast = end !== null && Date.parse(end) <= Date.now();
  const set = () => {
    putDrafts(draftsFor(end));
    onClose();
    reviewDrafts();
  };
  return (
    <Sheet
      title="When it ends"
      sub={what}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <span className="grow" />
          <button type="button" className="button primary" disabled={isPast} onClick={set}>
            Review
          </button>
        </>
      }
    >
      <EndField
        label="Last day"
        hint={
          isPast
            ? 'The day has passed: choose a later one.'
            : 'Empty: it does not end. It counts until the end of this day.'
        }
        value={date}
        onChange={setDate}
      />
    </Sheet>
  );
}
