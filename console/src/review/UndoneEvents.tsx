/** What taking back will do to each record. */
import { type AuditedEvent, eventTitle, subjectWords } from '../eventWords';
import { Icon } from '../ui/icons';

export const UndoneEvents = ({ events }: { events: readonly AuditedEvent[] }) => (
  <div className="reviewed">
    <h3>What will be done</h3>
    <ul>
      {events.map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events of a dry run have no number yet, and stay in their order
        <li key={index}>
          <span className="sign">
            <Icon name="undo" size={14} />
          </span>
          <b>{subjectWords(event)}</b>
          <span className="from-to">{eventTitle(event).toLowerCase()}</span>
        </li>
      ))}
    </ul>
  </div>
);
