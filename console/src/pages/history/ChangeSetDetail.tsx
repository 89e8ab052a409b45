/** What a change did to each record, in sentences. */
import { ChangeLines } from '../../record/ChangeLines';
import { nameOfEvent, type RecordedEvent, useEventsOf } from '../../record/eventsOf';
import { PartList } from '../../ui/PartList';

const recordedOf = (each: RecordedEvent) => ({
  subjectType: each.event.subjectType,
  action: each.event.action,
  name: nameOfEvent(each),
  versions: each.versions,
});

/** So many that what was done to some hundred records alike is one line. */
const eventsInPart = 400;

export function ChangeSetDetail({ changeSetGuid }: { changeSetGuid: string }) {
  const parts = useEventsOf(changeSetGuid, eventsInPart);
  return (
    <PartList parts={parts} empty={null}>
      {(events) => <ChangeLines recorded={events.map(recordedOf)} isWhole={!parts.hasMore} />}
    </PartList>
  );
}
