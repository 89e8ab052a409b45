/** The last 100 deliveries of a stream, read when they are opened. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../graph';
import { eventDeliveries } from '../../operations/generated/events';
import { Failure } from '../../ui/Failure';
import { Time } from '../../ui/Time';
import '../../theme/timeline.css';

export function Deliveries({ eventStreamGuid }: { eventStreamGuid: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="deliveries" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Last deliveries</summary>
      {isOpen && <Listed eventStreamGuid={eventStreamGuid} />}
    </details>
  );
}

function Listed({ eventStreamGuid }: { eventStreamGuid: string }) {
  const page = useQuery({
    queryKey: ['events', eventStreamGuid, 'deliveries'],
    queryFn: ({ signal }) => ask(eventDeliveries, { eventStreamGuid }, signal),
    refetchInterval: 5_000,
  });
  if (page.error) return <Failure error={page.error} />;
  const deliveries = page.data?.eventStream?.deliveries ?? [];
  if (page.data && deliveries.length === 0) return <p className="note">Nothing was sent yet.</p>;
  return (
    <ol className="timeline">
      {deliveries.map(({ eventGuid, type, sentAt, status, problem, milliseconds }) => (
        <li key={`${eventGuid} ${sentAt}`}>
          <b>{type}</b> <Time iso={sentAt} />
          <p className="when">
            {problem ?? `acknowledged${status === null ? '' : ` with ${status}`}`}, {milliseconds} ms,{' '}
            <code>{eventGuid}</code>
          </p>
        </li>
      ))}
    </ol>
  );
}
