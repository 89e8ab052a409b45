/** What undoing a change set will do to each record: the opposite of what the set did. */
import { kindWords } from '../eventWords';
import { nameOfEvent, type RecordedEvent, useEventsOf } from '../record/eventsOf';
import { readableChanges } from '../record/versions';
import { Diff, type Difference } from '../ui/Diff';
import { Icon } from '../ui/icons';
import { PartList } from '../ui/PartList';
import '../theme/reviewed.css';

export const UndoneEvents = ({ changeSetGuid }: { changeSetGuid: string }) => (
  <div className="reviewed">
    <h3>What will be done</h3>
    <PartList parts={useEventsOf(changeSetGuid)} empty={null}>
      {(events) => (
        <ul>
          {events.map((each) => (
            <UndoneEvent key={each.event.auditEventId} undone={each} />
          ))}
        </ul>
      )}
    </PartList>
  </div>
);

const opposites: Record<string, string> = { create: 'removed', delete: 'made again', update: 'changed back' };

function UndoneEvent({ undone }: { undone: RecordedEvent }) {
  const { event, versions } = undone;
  const changes = event.action === 'update' ? versions.flatMap(readableChanges).map(inverse) : [];
  return (
    <li>
      <span className="sign">
        <Icon name="undo" size={14} />
      </span>
      <b>{nameOfEvent(undone)}</b>
      <span className="from-to">
        {kindWords(event.subjectType)} {opposites[event.action] ?? event.action}
      </span>
      {changes.length > 0 && <Diff changes={changes} />}
    </li>
  );
}

const inverse = ({ field, before, after }: Difference): Difference => ({ field, before: after, after: before });
