/** A new client. It is made at once, for its secret is shown this one time; what is typed is kept until then. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsOfInput } from '../../faults';
import { mutate } from '../../graph';
import { useKept } from '../../kept';
import { createClient } from '../../operations/generated/clients';
import { readBehind } from '../../readAgain';
import { FieldList } from '../../record/FieldList';
import type { Values } from '../../record/formField';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { Secret } from './Secret';

const fields = [
  { name: 'clientId', isRequired: true, charactersMax: 100, hint: 'What the program sends as client_id.' },
  { name: 'name', isRequired: true },
  { name: 'description', kind: 'area' as const },
];
const nothingChanged = new Set<string>();

const nothing: Values = { clientId: '', name: '', description: null };

interface NewClientProps {
  onClose: () => void;
  /** It is there: nothing that was typed is needed any more. */
  onMade: () => void;
}

export function NewClient({ onClose, onMade }: NewClientProps) {
  const [values, setValues] = useKept('new client', nothing);
  const [made, setMade] = useState<{ clientId: string; clientSecret: string }>();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: async () => {
      const input = values as { clientId: string; name: string };
      const { clientSecret } = (await mutate(createClient, { input })).createClient;
      return { clientId: input.clientId, clientSecret };
    },
    // the secret is shown at once, and closed when the page behind it has been read
    onSuccess: async (client) => {
      setMade(client);
      setValues(undefined);
      onMade();
      await readBehind(queries);
    },
  });
  const faults = faultsOfInput(making.error);
  return (
    <Sheet
      title="New client"
      isBusy={making.isPending}
      isShownOnce={made !== undefined}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" disabled={making.isPending} onClick={onClose}>
            {made ? 'I have it' : 'Back'}
          </button>
          <span className="grow" />
          {made ? (
            <Link className="button primary" to="/clients/$id" params={{ id: made.clientId }}>
              Open the client
            </Link>
          ) : (
            <button
              type="button"
              className="button primary"
              disabled={!values.clientId || !values.name || making.isPending}
              onClick={() => making.mutate()}
            >
              Make it
            </button>
          )}
        </>
      }
    >
      {made ? (
        <Secret clientId={made.clientId} secret={made.clientSecret} />
      ) : (
        <FieldList
          fields={fields}
          values={values}
          changed={nothingChanged}
          faults={faults}
          onChange={(field, value) => {
            making.reset();
            setValues({ ...values, [field]: value });
          }}
          isReadOnly={making.isPending}
        />
      )}
      {making.error && faults.size === 0 && <Failure error={making.error} />}
    </Sheet>
  );
}
