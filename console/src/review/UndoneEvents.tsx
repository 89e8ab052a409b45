/** What taking back will do to each record. */
import { type AuditedEvent, eventTitle, subjectName, subjectWords } from '../eventWords';
import { linkTitle, readableChanges, type Version } from '../record/versions';
import { Diff, type Difference } from '../ui/Diff';
import { Icon } from '../ui/icons';

interface UndoneEventsProps {
  events: readonly AuditedEvent[];
  /** What the change made of the records: a record that is gone has its name there. */
  versions: readonly Version[];
}

export function UndoneEvents({ events, versions }: UndoneEventsProps) {
  const byKey = Map.groupBy(versions, ({ recordKey }) => recordKey);
  return (
    <div className="reviewed">
      <h3>What will be done</h3>
      <ul>
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events of a dry run have no number yet, and stay in their order
          <UndoneEvent key={index} event={event} versions={byKey.get(event.subjectId) ?? []} />
        ))}
      </ul>
    </div>
  );
}

function UndoneEvent({ event, versions }: { event: AuditedEvent; versions: readonly Version[] }) {
  const [version] = versions;
  const changes = event.action === 'update' ? versions.flatMap(readableChanges).map(inverse) : [];
  return (
    <li>
      <span className="sign">
        <Icon name="undo" size={14} />
      </span>
      <b>{subjectName(event) ?? (version && linkTitle(version)) ?? subjectWords(event)}</b>
      <span className="from-to">{eventTitle(event).toLowerCase()}</span>
      {changes.length > 0 && <Diff changes={changes} />}
    </li>
  );
}

const inverse = ({ field, before, after }: Difference): Difference => ({ field, before: after, after: before });
