/** Sends the events since a time once more. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mutate } from '../../graph';
import { replayEvents } from '../../operations/generated/events';
import { readAgain } from '../../readAgain';
import { Sheet, SheetActs } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { Segments } from '../../ui/Segments';
import { say } from '../../ui/Toasts';
import type { Stream } from './stream';

const hourMs = 3_600_000;
const spans = [
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

export function Replay({
  stream: { eventStreamGuid, name, status },
  onClose,
}: {
  stream: Stream;
  onClose: () => void;
}) {
  const [hours, setHours] = useState<(typeof spans)[number][0]>('24');
  const queries = useQueryClient();
  const isEnabled = status === 'enabled';
  const replaying = useMutation({
    mutationFn: () =>
      mutate(replayEvents, { eventStreamGuid, since: new Date(Date.now() - Number(hours) * hourMs).toISOString() }),
    onSuccess: async () => {
      await readAgain(queries);
      onClose();
      say({ text: `Events for ${name} are ${isEnabled ? 'being repeated' : 'repeated when it goes on'}.` });
    },
  });
  return (
    <Sheet
      title="Replay events"
      sub={name}
      isBusy={replaying.isPending}
      onClose={onClose}
      foot={<SheetActs onBack={onClose} label="Replay" act={() => replaying.mutate()} isBusy={replaying.isPending} />}
    >
      <div className="stack">
        <p className="mute">
          The receiver gets the events of this time once more, with their ids and in their order, as far back as history
          reaches.
        </p>
        {!isEnabled && <p className="notice near">The stream is {status}: they are sent when it goes on.</p>}
        <Segments label="Since" value={hours} options={spans} onChange={setHours} />
      </div>
      {replaying.error && <Failure error={replaying.error} />}
    </Sheet>
  );
}
