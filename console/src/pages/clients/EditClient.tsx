/** Name and description of a client. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { faultsOfInput } from '../../faults';
import { ask } from '../../graph';
import { updateClient } from '../../operations/generated/clients';
import { FieldList } from '../../record/FieldList';
import type { Values } from '../../record/fieldDraft';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { say } from '../../ui/Toasts';
import type { ClientRecord } from '../Client';

const fields = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'description', label: 'Description', kind: 'area' as const },
];

export function EditClient({ client, onClose }: { client: ClientRecord; onClose: () => void }) {
  const [values, setValues] = useState<Values>({ name: client.name, description: client.description });
  const queries = useQueryClient();
  const changed = new Set(
    Object.keys(values).filter((field) => values[field] !== client[field as 'name' | 'description']),
  );
  const saving = useMutation({
    mutationFn: () => ask(updateClient, { clientId: client.clientId, ifRevision: client.revision, input: values }),
    onSuccess: () => {
      onClose();
      say({ text: 'The client is changed.' });
      void queries.invalidateQueries();
    },
  });
  const faults = faultsOfInput(saving.error);
  return (
    <Sheet
      title="Change the client"
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <span className="grow" />
          <button
            type="button"
            className="button primary"
            disabled={changed.size === 0 || !values.name || saving.isPending}
            onClick={() => saving.mutate()}
          >
            Save
          </button>
        </>
      }
    >
      <FieldList
        fields={fields}
        values={values}
        changed={changed}
        faults={faults}
        onChange={(field, value) => {
          saving.reset();
          setValues({ ...values, [field]: value });
        }}
        isReadOnly={false}
      />
      {saving.error && faults.size === 0 && <Failure error={saving.error} />}
    </Sheet>
  );
}
