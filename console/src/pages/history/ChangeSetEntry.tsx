/** One change: who, when, why; opened, what it did to each record. */
import { useId, useState } from 'react';
import type { ChangeSetsQuery } from '../../operations/generated/graph';
import { review } from '../../review/reviewing';
import { useMay } from '../../session';
import { Badge } from '../../ui/Badge';
import { Icon } from '../../ui/icons';
import { Tile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import { fullName } from '../../words';
import { ChangeSetDetail } from './ChangeSetDetail';

type ChangeSet = NonNullable<ChangeSetsQuery['changeSets']>['nodes'][number];

const faces: Record<string, string> = {
  graphql: 'in the console or by the graph',
  rest: 'over REST',
  cli: 'on the command line',
  schedule: 'at its planned time',
  sql: 'by SQL, past the service',
};

/** Most records that the service undoes at once. */
const undoneMax = 10_000;

export function ChangeSetEntry({ changeSet }: { changeSet: ChangeSet }) {
  const { changeSetGuid, occurredAt, face, note, actorNavigation, undoes, undoneBy } = changeSet;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const mayChange = useMay('admin:write');
  const who = actorNavigation ? fullName(actorNavigation) : 'Gatehouse';
  const title = changeSet.summary ?? 'Nothing was recorded';
  const isUndoable = mayChange && !undoneBy && changeSet.isUndoable === true;
  const isTooLarge = (changeSet.events?.totalCount ?? 0) > undoneMax;
  return (
    <li className="entry">
      <span className="entry-when">
        <Time iso={occurredAt} />
      </span>
      <span className="entry-who" title={faces[face] ?? face}>
        <Tile name={who} round size="small" />
        <span className="two-lines whole">
          <b>{who}</b>
          <small>{faces[face] ?? face}</small>
        </span>
      </span>
      <span className="entry-what">
        <button
          type="button"
          className="disclosure"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          {title}
        </button>
        {note && <blockquote>{note}</blockquote>}
      </span>
      <span className="entry-act">
        {undoes && <Badge>undoes a change</Badge>}
        {undoneBy && <Badge>undone</Badge>}
        {isUndoable && isTooLarge && (
          <span className="mute">too large to undo: {undoneMax.toLocaleString('en')} is the most</span>
        )}
        {isUndoable && !isTooLarge && (
          <button
            type="button"
            className="button small"
            aria-label={`Undo: ${title}`}
            onClick={() =>
              review({
                kind: 'undo',
                changeSetGuid,
                title: changeSet.summary ? `“${changeSet.summary}”` : 'this change',
              })
            }
          >
            Undo…
          </button>
        )}
      </span>
      <div id={id} className="entry-detail">
        {isOpen && <ChangeSetDetail changeSetGuid={changeSetGuid} />}
      </div>
    </li>
  );
}
