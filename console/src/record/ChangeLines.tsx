/** What was done to records, a line each; equal lines are one, with their number and the names behind it. */
import { useState } from 'react';
import { Diff } from '../ui/Diff';
import { type ChangeLine, changeLines, type Recorded } from './changeLines';
import '../theme/history.css';

export const ChangeLines = ({ recorded, isWhole = true }: { recorded: readonly Recorded[]; isWhole?: boolean }) => (
  <ul className="change-lines">
    {changeLines(recorded, isWhole).map((line) => (
      <Line key={line.key} line={line} />
    ))}
  </ul>
);

function Line({ line: { text, names, changes } }: { line: ChangeLine }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <span>{text}</span>
      {names.length > 0 && (
        <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Which'}
          <span className="only-heard">: {text}</span>
        </button>
      )}
      {changes.length > 0 && <Diff changes={changes} />}
      {isOpen && <p className="mute">{names.join(', ')}</p>}
    </li>
  );
}
