/** Gives an access scope to several applications, or removes it: asks which, reads what is, and goes to the review. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { putDrafts } from '../../drafts';
import { all, scopeWords } from '../../filters';
import { ask } from '../../graph';
import { type MappedScope, mappingDraft } from '../../mappingDraft';
import { isGiven, openState } from '../../openingStates';
import { columnOfScope } from '../../operations/generated/matrix';
import { pickScopes } from '../../operations/generated/pickers';
import { type Range, readToEnd } from '../../readToEnd';
import { reviewDrafts } from '../../review/reviewing';
import { Sheet, SheetActs } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { Picker } from '../../ui/Picker';
import { StateSelect } from '../../ui/StateSelect';
import { useSignal } from '../../ui/useSignal';
import { plural } from '../../words';

interface GiveAccessProps {
  how: 'give' | 'remove';
  /** Guids. */
  applications: readonly string[];
  onClose: () => void;
  onDrafted: () => void;
}

export function GiveAccess({ how, applications, onClose, onDrafted }: GiveAccessProps) {
  const [scope, setScope] = useState<MappedScope>();
  const [text, setText] = useState('');
  const [state, setState] = useState(openState);
  const found = useQuery({
    queryKey: ['pick scopes', text],
    queryFn: ({ signal }) => ask(pickScopes, { filter: all(scopeWords(text)) ?? null }, signal),
  });
  const options = (found.data?.accessScopes.nodes ?? []).map(
    ({ accessScopeGuid, name, isActive, accessScopeType }) => ({
      id: accessScopeGuid,
      label: name,
      hint: isActive ? accessScopeType.name : `${accessScopeType.name}, out of use`,
      isActive,
    }),
  );
  const signalNow = useSignal();
  const drafting = useMutation({
    mutationFn: (chosen: MappedScope) =>
      draftMappings(applications, chosen, how === 'give' ? state : null, signalNow()),
    onSuccess: (count) => {
      if (count === 0) return;
      onDrafted();
      reviewDrafts();
    },
  });
  const nothing = drafting.data === 0;
  return (
    <Sheet
      title={how === 'give' ? 'Give access' : 'Remove access'}
      isBusy={drafting.isPending}
      onClose={onClose}
      foot={
        <SheetActs
          onBack={onClose}
          label="Review"
          act={() => scope && drafting.mutate(scope)}
          isBusy={drafting.isPending}
          isLacking={!scope}
        />
      }
    >
      <p className="mute">
        {how === 'give' ? 'Which access scope should open' : 'Which access scope should no longer open'}{' '}
        {applications.length === 1 ? 'this application?' : `these ${plural(applications.length, 'application')}?`} You
        see who gains or loses before anything is saved.
      </p>
      <br />
      {/* what is being read is for this choice */}
      <div inert={drafting.isPending}>
        <Picker
          label="Access scope"
          placeholder="Name or key of the access scope"
          autoFocus
          value={scope ? { id: scope.guid, label: scope.name } : null}
          options={options}
          total={found.data?.accessScopes.totalCount}
          found={found}
          onText={setText}
          onPick={({ id, label, isActive }) => {
            drafting.reset();
            setScope({ guid: id, name: label, isActive });
          }}
        />
        {how === 'give' && (
          <div className="field">
            <span className="label">State</span>
            <StateSelect
              label="State"
              value={state}
              onChange={(next) => {
                drafting.reset();
                if (next) setState(next);
              }}
            />
          </div>
        )}
      </div>
      <br />
      {nothing && (
        <p className="notice" role="status">
          {how === 'give' ? 'All of them have it already.' : 'It opens none of them.'}
        </p>
      )}
      {drafting.error && <Failure error={drafting.error} />}
    </Sheet>
  );
}

/** How many drafts were made: of applications where something changes by it. */
async function draftMappings(
  guids: readonly string[],
  scope: MappedScope,
  to: string | null,
  signal: AbortSignal,
): Promise<number> {
  const filter = { applicationGuid: { in: [...guids] } };
  const read = (page: Range) => ask(columnOfScope, { ...page, filter, scope: scope.guid }, signal);
  const applications = await readToEnd(async (page) => (await read(page)).applications);
  const drafts = applications.flatMap(({ applicationGuid, name, accessScopeApplicationsMappers }) => {
    const from = accessScopeApplicationsMappers.nodes[0]?.state ?? null;
    return (to === null ? from === null : isGiven(from, to))
      ? []
      : [mappingDraft({ guid: applicationGuid, name }, scope, from, to)];
  });
  if (drafts.length > 0) putDrafts(drafts);
  return drafts.length;
}
