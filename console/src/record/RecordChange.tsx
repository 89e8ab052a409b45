/** What a change did to one record. */
import { Diff, type Difference } from '../ui/Diff';

interface RecordChangeProps {
  /** The record's, or that of a link's ends. */
  name: string | undefined;
  /** Such as “Mapping changed”. */
  what: string;
  changes: readonly Difference[];
}

export const RecordChange = ({ name, what, changes }: RecordChangeProps) => (
  <li>
    {name ? (
      <>
        <b>{name}</b> <span className="mute">{what.toLowerCase()}</span>
      </>
    ) : (
      <span className="mute">{what}</span>
    )}
    {changes.length > 0 && <Diff changes={changes} />}
  </li>
);
