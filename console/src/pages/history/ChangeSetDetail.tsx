/** What a change did to each record: before and after, with names for numbers. */
import { useQuery } from '@tanstack/react-query';
import { type AuditedEvent, eventTitle, subjectName, subjectWords } from '../../eventWords';
import { ask } from '../../graph';
import { changeSetDetail } from '../../operations/generated/history';
import { Diff } from '../../ui/Diff';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { plural } from '../../words';
import { type Named, nameVersions, type Version } from './nameVersions';

export function ChangeSetDetail({ changeSetGuid }: { changeSetGuid: string }) {
  const detail = useQuery({
    queryKey: ['change set', changeSetGuid],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { changeSet } = await ask(changeSetDetail, { changeSetGuid }, signal);
      if (!changeSet) return null;
      return { ...changeSet, names: await nameVersions(changeSet.versions?.nodes ?? [], signal) };
    },
  });
  if (detail.error) return <Failure error={detail.error} retry={() => void detail.refetch()} />;
  if (detail.isPending) return <Loading lines={2} />;
  if (!detail.data?.events) return null;
  const { events, versions, names } = detail.data;
  const byKey = Map.groupBy(versions?.nodes ?? [], ({ recordKey }) => recordKey);
  const rest = events.totalCount - events.nodes.length;
  return (
    <ul>
      {events.nodes.map((event) => (
        <EventItem key={event.auditEventId} event={event} versions={byKey.get(event.subjectId) ?? []} names={names} />
      ))}
      {rest > 0 && <li className="mute">and {plural(rest, 'more record')}</li>}
    </ul>
  );
}

interface EventItemProps {
  event: AuditedEvent;
  versions: readonly Version[];
  names: Named;
}

function EventItem({ event, versions, names }: EventItemProps) {
  const changes = versions.flatMap((version) => names.changesOf(version));
  // of a record that is gone its version says what it was
  const name = subjectName(event) ?? names.titleOf(versions[0]) ?? subjectWords(event);
  return (
    <li>
      <b>{name}</b> <span className="mute">{eventTitle(event).toLowerCase()}</span>
      {changes.length > 0 && <Diff changes={changes} />}
    </li>
  );
}
