/** A new secret for a client; the one before may go on for a while, so that the program can change over. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mutate } from '../../graph';
import { useKept } from '../../kept';
import { rotateClientSecret } from '../../operations/generated/clients';
import { readBehind } from '../../readAgain';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { Segments } from '../../ui/Segments';
import { Secret } from './Secret';

const keeping = [
  ['0', 'Not at all'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
] as const;

interface RotateSecretProps {
  clientId: string;
  revision: number;
  onClose: () => void;
  onMade: () => void;
}

type Hours = (typeof keeping)[number][0];

export function RotateSecret({ clientId, revision, onClose, onMade }: RotateSecretProps) {
  const [hours, setHours] = useKept<Hours>(`hours of ${clientId}`, '24');
  const [secret, setSecret] = useState<string>();
  const queries = useQueryClient();
  const rotating = useMutation({
    mutationFn: () => mutate(rotateClientSecret, { clientId, keepPreviousHours: Number(hours), ifRevision: revision }),
    // the secret is shown at once, and closed when the page behind it has been read: its next one starts from there
    onSuccess: async ({ rotateClientSecret: { clientSecret } }) => {
      setSecret(clientSecret);
      setHours(undefined);
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
        <Secret clientId={clientId} secret={secret} />
      ) : (
        <div className="stack">
          <p className="mute">The new secret works at once. How long should the present one keep working?</p>
          <Segments label="Keep the present secret" value={hours} options={keeping} onChange={setHours} />
          {hours === '0' && <p className="notice near">Programs that use the present secret are refused at once.</p>}
        </div>
      )}
      {rotating.error && <Failure error={rotating.error} />}
    </Sheet>
  );
}
