/** What a change did to each record: before and after, with names for numbers. */
import { useQuery } from '@tanstack/react-query';
import { type AuditedEvent, eventTitle, subjectName, subjectWords } from '../../eventWords';
import { ask } from '../../graph';
import { changeSetDetail } from '../../operations/generated/history';
import { RecordChange } from '../../record/RecordChange';
import { linkTitle, readableChanges, type Version } from '../../record/versions';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { plural } from '../../words';

export function ChangeSetDetail({ changeSetGuid }: { changeSetGuid: string }) {
  const detail = useQuery({
    queryKey: ['change set', changeSetGuid],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await ask(changeSetDetail, { changeSetGuid }, signal)).changeSet,
  });
  if (detail.error) return <Failure error={detail.error} retry={() => void detail.refetch()} />;
  if (detail.isPending) return <Loading lines={2} />;
  if (!detail.data?.events) return null;
  const { events, versions } = detail.data;
  const byKey = Map.groupBy(versions?.nodes ?? [], ({ recordKey }) => recordKey);
  const rest = events.totalCount - events.nodes.length;
  return (
    <ul>
      {events.nodes.map((event) => (
        <EventItem key={event.auditEventId} event={event} versions={byKey.get(event.subjectId) ?? []} />
      ))}
      {rest > 0 && <li className="mute">and {plural(rest, 'more record')}</li>}
    </ul>
  );
}

interface EventItemProps {
  event: AuditedEvent;
  versions: readonly Version[];
}

function EventItem({ event, versions }: EventItemProps) {
  const [version] = versions;
  // of a record that is gone its version says what it was
  const name = subjectName(event) ?? (version && linkTitle(version)) ?? subjectWords(event);
  return <RecordChange name={name} what={eventTitle(event)} changes={versions.flatMap(readableChanges)} />;
}
