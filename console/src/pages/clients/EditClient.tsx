/** Name and description of a client, and whether it may ask for decisions; what is typed is kept until it is saved. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { faultsOfInput } from '../../faults';
import { mutate } from '../../graph';
import { useKept } from '../../kept';
import { updateClient } from '../../operations/generated/clients';
import { readAgain } from '../../readAgain';
import { FieldList } from '../../record/FieldList';
import type { Values } from '../../record/formField';
import { Sheet, SheetActs } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { say } from '../../ui/Toasts';
import type { ClientRecord } from '../records';

const fields = [
  { name: 'name', isRequired: true },
  { name: 'description', kind: 'area' as const },
  {
    name: 'mayEvaluate',
    kind: 'switch' as const,
    hint: 'About every person and application (AuthZEN), as a gateway does.',
  },
  {
    name: 'mayReceiveEvents',
    label: 'May receive events',
    kind: 'switch' as const,
    hint: 'It manages event streams of its own, and hears what people lose (Shared Signals Framework).',
  },
];

const nothing: Values = {};

export function EditClient({ client, onClose }: { client: ClientRecord; onClose: () => void }) {
  const [typed, setTyped] = useKept(`client ${client.clientId}`, nothing);
  const { name, description, mayEvaluate, mayReceiveEvents } = client;
  const saved: Values = { name, description, mayEvaluate, mayReceiveEvents };
  const values: Values = { ...saved, ...typed };
  const queries = useQueryClient();
  const changed = new Set(Object.keys(values).filter((field) => values[field] !== saved[field]));
  const saving = useMutation({
    mutationFn: () => mutate(updateClient, { clientId: client.clientId, ifRevision: client.revision, input: values }),
    onSuccess: async () => {
      await readAgain(queries);
      setTyped(undefined);
      onClose();
      say({ text: 'The client is changed.' });
    },
  });
  const faults = faultsOfInput(saving.error);
  return (
    <Sheet
      title="Change the client"
      isBusy={saving.isPending}
      onClose={onClose}
      foot={
        <SheetActs
          onBack={onClose}
          label="Save"
          act={() => saving.mutate()}
          isBusy={saving.isPending}
          isLacking={changed.size === 0 || !values.name}
        />
      }
    >
      <FieldList
        fields={fields}
        values={values}
        changed={changed}
        faults={faults}
        onChange={(field, value) => {
          saving.reset();
          setTyped({ ...typed, [field]: value });
        }}
        isReadOnly={saving.isPending}
      />
      {saving.error && faults.size === 0 && <Failure error={saving.error} />}
    </Sheet>
  );
}
