/** What became of a record and of what belongs to it: who, when, before and after; and how to take it back. */
import { ask } from '../graph';
import type { RecordHistoryQuery } from '../operations/generated/graph';
import { recordHistory } from '../operations/generated/history';
import { review } from '../review/reviewing';
import { useMay } from '../session';
import { Badge } from '../ui/Badge';
import { Empty } from '../ui/Empty';
import { Forbidden } from '../ui/Failure';
import { PartList, useParts } from '../ui/PartList';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { fullName } from '../words';
import { ChangeLines } from './ChangeLines';
import { recordedOf } from './changeLines';

type Version = RecordHistoryQuery['history']['nodes'][number];

export function HistoryTab({ subjectType, subjectId }: { subjectType: string; subjectId: string }) {
  const mayRead = useMay('admin:security');
  const parts = useParts(
    ['history of', subjectType, subjectId],
    async (after, signal) => (await ask(recordHistory, { subjectType, subjectId, first: 25, after }, signal)).history,
    { enabled: mayRead },
  );
  if (!mayRead) return <Forbidden permission="admin:security" />;
  return (
    <section className="card" aria-label="History">
      <PartList
        parts={parts}
        empty={
          <Empty icon="history" title="Nothing was changed yet">
            The history begins with the installation of this version of Gatehouse.
          </Empty>
        }
      >
        {(all) => (
          <ol>
            {[...Map.groupBy(all, ({ changeSet }) => changeSet.changeSetGuid)].map(([guid, versions]) => (
              // only the oldest that is read can have more than these
              <ChangeSetOf key={guid} versions={versions} isWhole={!parts.hasMore || versions.at(-1) !== all.at(-1)} />
            ))}
          </ol>
        )}
      </PartList>
    </section>
  );
}

/** What one change set did to the record and its parts. */
function ChangeSetOf({ versions, isWhole }: { versions: readonly Version[]; isWhole: boolean }) {
  const mayChange = useMay('admin:write');
  const { changeSetGuid, occurredAt, note, face, actorNavigation, undoneBy } = versions[0]!.changeSet;
  const who = actorNavigation
    ? fullName(actorNavigation)
    : face === 'sql'
      ? 'A statement past the service'
      : 'Gatehouse';
  return (
    <li className="entry">
      <span className="entry-when">
        <Time iso={occurredAt} />
      </span>
      <span className="entry-who">
        <Tile name={who} round size="small" />
        <b>{who}</b>
      </span>
      <span className="entry-what">
        <ChangeLines recorded={versions.map(recordedOf)} isWhole={isWhole} />
        {note && <blockquote>{note}</blockquote>}
      </span>
      <span className="entry-act">
        {undoneBy ? (
          <Badge>undone</Badge>
        ) : (
          mayChange && (
            <button
              type="button"
              className="button small"
              onClick={() => review({ kind: 'undo', changeSetGuid, title: 'this change' })}
            >
              Undo…
            </button>
          )
        )}
      </span>
    </li>
  );
}
