/** A new profile with the access scopes of another, and their ends; nobody holds it, and it is reviewed before it is there. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Draft, putDrafts } from '../../drafts';
import { untilWords } from '../../grantEnd';
import { ask } from '../../graph';
import { scopesOfProfile } from '../../operations/generated/profiles';
import { readToEnd } from '../../readToEnd';
import { FieldList } from '../../record/FieldList';
import type { FormField, Values } from '../../record/formField';
import { reviewDrafts } from '../../review/reviewing';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { useSignal } from '../../ui/useSignal';
import { plural } from '../../words';
import type { ProfileRecord } from '../records';

const fields: readonly FormField[] = [
  {
    name: 'profileId',
    isRequired: true,
    charactersMax: 50,
    hint: 'Its name in tokens. It cannot be changed later.',
  },
  { name: 'name', isRequired: true },
  { name: 'description', kind: 'area' },
];

export function CopyProfile({ profile, onClose }: { profile: ProfileRecord; onClose: () => void }) {
  const { description, ownerProfileId, name } = profile;
  const [values, setValues] = useState<Values>({ profileId: '', name: `Copy of ${name}`, description });
  const signalNow = useSignal();
  const drafting = useMutation({
    mutationFn: () => copyDrafts(profile.profileId, { ...values, ownerProfileId }, signalNow()),
    onSuccess: (drafts) => {
      putDrafts(drafts);
      onClose();
      reviewDrafts();
    },
  });
  const isBusy = drafting.isPending;
  const lacks = ['profileId', 'name'].some((field) => !String(values[field] ?? '').trim());
  return (
    <Sheet
      title={`Copy ${name}`}
      sub={`A new profile with the same ${plural(profile.profileAccessScopes.totalCount, 'access scope')}. Nobody holds it.`}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" disabled={isBusy} onClick={onClose}>
            Cancel
          </button>
          <span className="grow" />
          <button type="button" className="button primary" disabled={lacks || isBusy} onClick={() => drafting.mutate()}>
            Review
          </button>
        </>
      }
    >
      <FieldList
        fields={fields}
        values={values}
        changed={none}
        faults={noFaults}
        onChange={(field, value) => setValues({ ...values, [field]: value })}
        isReadOnly={isBusy}
      />
      {drafting.error && <Failure error={drafting.error} />}
    </Sheet>
  );
}

const none: ReadonlySet<string> = new Set();
const noFaults: ReadonlyMap<string, string> = new Map();

/** The new profile, its access scopes, and the ends of those that end. Throws Refusal. */
async function copyDrafts(from: string, values: Values, signal: AbortSignal): Promise<Draft[]> {
  const scopes = await readToEnd(
    async (page) => (await ask(scopesOfProfile, { ...page, profileId: from }, signal)).accessScopes,
  );
  const profileId = String(values.profileId).trim();
  const input = {
    profileId,
    name: String(values.name).trim(),
    description: values.description ? String(values.description) : null,
    ownerProfileId: values.ownerProfileId ? String(values.ownerProfileId) : null,
  };
  const base = { subject: { kind: 'profile' as const, id: profileId, name: input.name }, sign: 'change' as const };
  const filled = Object.entries(input).filter(([, value]) => value);
  const endOf = (scope: (typeof scopes)[number]) => scope.profileAccessScopes.nodes[0]?.validUntil ?? null;
  return [
    {
      ...base,
      key: `fields profile ${profileId}`,
      label: 'Will be created',
      isNew: true,
      from: '',
      to: '',
      fields: filled.map(([field, after]) => ({ field, before: null, after })),
      change: { createProfile: { input } },
    },
    {
      ...base,
      key: `scopes of ${profileId}`,
      label: 'Access scopes',
      from: '0',
      to: String(scopes.length),
      sign: 'gain',
      words: scopes.map(({ name }) => `+ ${name}`),
      change: {
        setProfileAccessScopes: { profileId, accessScopeGuids: scopes.map(({ accessScopeGuid }) => accessScopeGuid) },
      },
    },
    ...scopes.flatMap((scope): Draft[] => {
      const validUntil = endOf(scope);
      return validUntil === null
        ? []
        : [
            {
              ...base,
              key: `end of ${profileId} ${scope.accessScopeGuid}`,
              label: scope.name,
              from: untilWords(null),
              to: untilWords(validUntil),
              change: { assignAccessScope: { profileId, accessScopeGuid: scope.accessScopeGuid, validUntil } },
            },
          ];
    }),
  ];
}
