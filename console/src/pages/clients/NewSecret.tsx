/** A new secret for a client or a webhook, shown once; the one before may go on for a while, so that the program can change over. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useKept } from '../../kept';
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

interface NewSecretProps {
  /** Whose secret it is. */
  id: string;
  name: string;
  question: string;
  /** What happens if the present secret is not kept. */
  warning: string;
  /** Resolves with the new secret. */
  rotate: (keepPreviousHours: number) => Promise<string>;
  onClose: () => void;
  onMade: () => void;
}

type Hours = (typeof keeping)[number][0];

export function NewSecret({ id, name, question, warning, rotate, onClose, onMade }: NewSecretProps) {
  const [hours, setHours] = useKept<Hours>(`hours of ${id}`, '24');
  const [secret, setSecret] = useState<string>();
  const queries = useQueryClient();
  const rotating = useMutation({
    mutationFn: () => rotate(Number(hours)),
    // the secret is shown at once, and closed when the page behind it has been read: its next one starts from there
    onSuccess: async (made) => {
      setSecret(made);
      setHours(undefined);
      onMade();
      await readBehind(queries);
    },
  });
  return (
    <Sheet
      title={`New secret of ${name}`}
      isBusy={rotating.isPending}
      isShownOnce={secret !== undefined}
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
          <p className="mute">{question}</p>
          <Segments label="Keep the present secret" value={hours} options={keeping} onChange={setHours} />
          {hours === '0' && <p className="notice near">{warning}</p>}
        </div>
      )}
      {rotating.error && <Failure error={rotating.error} />}
    </Sheet>
  );
}
