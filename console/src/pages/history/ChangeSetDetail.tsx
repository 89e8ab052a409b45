/** What a change did to each record: before and after, with names for numbers. */
import { nameOfEvent, titleOfEvent, useEventsOf } from '../../record/eventsOf';
import { RecordChange } from '../../record/RecordChange';
import { readableChanges } from '../../record/versions';
import { PartList } from '../../ui/PartList';

export const ChangeSetDetail = ({ changeSetGuid }: { changeSetGuid: string }) => (
  <PartList parts={useEventsOf(changeSetGuid)} empty={null}>
    {(events) => (
      <ul>
        {events.map((each) => (
          <RecordChange
            key={each.event.auditEventId}
            name={nameOfEvent(each)}
            what={titleOfEvent(each)}
            changes={each.versions.flatMap(readableChanges)}
          />
        ))}
      </ul>
    )}
  </PartList>
);
