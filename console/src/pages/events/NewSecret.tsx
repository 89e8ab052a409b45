/** A new secret for a webhook, shown once; events are also signed with the one before for a while. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mutate } from '../../graph';
import { rotateEventStreamSecret } from '../../operations/generated/events';
import { readBehind } from '../../readAgain';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { Segments } from '../../ui/Segments';
import { Secret } from '../clients/Secret';
import type { Stream } from './stream';

const keeping = [
  ['0', 'Not at all'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
] as const;

interface NewSecretProps {
  stream: Stream;
  onClose: () => void;
  onMade: () => void;
}

export function NewSecret({ stream: { eventStreamGuid, name }, onClose, onMade }: NewSecretProps) {
  const [hours, setHours] = useState<(typeof keeping)[number][0]>('24');
  const [secret, setSecret] = useState<string>();
  const queries = useQueryClient();
  const rotating = useMutation({
    mutationFn: () => mutate(rotateEventStreamSecret, { eventStreamGuid, keepPreviousHours: Number(hours) }),
    onSuccess: async ({ rotateEventStreamSecret: made }) => {
      setSecret(made.secret!);
      onMade();
      await readBehind(queries);
    },
  });
  return (
    <Sheet
      title="New secret"
      isBusy={rotating.isPending}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" disabled={rotating.isPending} onClick={onClose}>
            {secret ? 'I have it' : 'Back'}
          </button>
          <span className="grow" />
          {!secret && (
            <button
              type="button"
              className="button primary"
              disabled={rotating.isPending}
              onClick={() => rotating.mutate()}
            >
              Make a new secret
            </button>
          )}
        </>
      }
    >
      {secret ? (
        <Secret clientId={name} secret={secret} />
      ) : (
        <div className="stack">
          <p className="mute">How long should events also be signed with the present secret?</p>
          <Segments label="Keep the present secret" value={hours} options={keeping} onChange={setHours} />
        </div>
      )}
      {rotating.error && <Failure error={rotating.error} />}
    </Sheet>
  );
}
