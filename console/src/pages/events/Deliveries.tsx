/** The last 100 deliveries of a stream, read when they are opened. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../graph';
import { eventDeliveries } from '../../operations/generated/events';
import { AsOf } from '../../ui/AsOf';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { Time } from '../../ui/Time';
import '../../theme/timeline.css';

export function Deliveries({ eventStreamGuid, name }: { eventStreamGuid: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="deliveries" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Last deliveries<span className="only-heard"> of {name}</span>
      </summary>
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
  if (page.error && !page.data) return <Failure error={page.error} retry={() => void page.refetch()} />;
  if (page.isPending) return <Loading lines={3} />;
  const deliveries = page.data?.eventStream?.deliveries ?? [];
  return (
    <>
      <AsOf query={page} />
      {deliveries.length === 0 && <p className="note">Nothing was sent yet.</p>}
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
    </>
  );
}
