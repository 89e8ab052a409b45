/** Which access scopes open an application that is being made: added one by one, or as another application has them. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Draft, draftsMax, dropDrafts, putDrafts, readDrafts, useDrafts } from '../../drafts';
import { all, applicationWords, scopeWords } from '../../filters';
import { ask } from '../../graph';
import { type MappedScope, mappingDraft, type Named, typeMappingDraft } from '../../mappingDraft';
import { openState } from '../../openingStates';
import { mappingsOfApplication, typeMappingsOfApplication } from '../../operations/generated/mappings';
import { pickApplications, pickScopes } from '../../operations/generated/pickers';
import { readToEnd } from '../../readToEnd';
import { Failure } from '../../ui/Failure';
import { Picker } from '../../ui/Picker';
import { StateSelect } from '../../ui/StateSelect';
import { refuse, say } from '../../ui/Toasts';
import { useSignal } from '../../ui/useSignal';
import { plural } from '../../words';

interface WhoGetsItProps {
  /** The application that is being made. */
  target: Named;
  /** Makes the draft of the application itself, if nothing was typed yet: a mapping refers to it. */
  begin: () => void;
}

const isMappingOf =
  ({ guid }: Named) =>
  ({ change }: Draft): boolean =>
    change.mapping?.applicationGuid === guid;

export function WhoGetsIt({ target, begin }: WhoGetsItProps) {
  const drafts = useDrafts().filter(isMappingOf(target));
  const [isCopying, setCopying] = useState(false);
  const add = (added: readonly Draft[]) => {
    if (readDrafts().length + added.length >= draftsMax)
      return refuse(`${plural(added.length, 'mapping')}; ${draftsMax.toLocaleString('en')} changes fit in one review.`);
    begin();
    putDrafts(added);
  };
  return (
    <section className="card who-gets-it" aria-labelledby="who-gets-it">
      <header>
        <h2 id="who-gets-it">Who gets it</h2>
        <span className="mute" aria-live="polite">
          {drafts.length === 0 ? 'nobody yet' : plural(drafts.length, 'access scope')}
        </span>
        <span className="grow" />
        <button type="button" className="button small" aria-expanded={isCopying} onClick={() => setCopying(!isCopying)}>
          Same as another application…
        </button>
      </header>
      {isCopying && (
        <SameAs
          target={target}
          onCopied={(copied) => {
            setCopying(false);
            add(copied);
          }}
        />
      )}
      <ul>
        {drafts.map((draft) => (
          <li key={draft.key}>
            <b className="grow">{draft.label}</b>
            <StateSelect
              label={`State of ${draft.label}`}
              value={draft.change.mapping?.to ?? null}
              onChange={(state) => state && putDrafts([withState(draft, state)])}
            />
            <button
              type="button"
              className="button small"
              aria-label={`Remove ${draft.label}`}
              onClick={() => dropDrafts([draft.key])}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <AddScope onAdd={(scope) => add([mappingDraft(target, scope, null, openState())])} />
    </section>
  );
}

const withState = (draft: Draft, to: string): Draft => ({
  ...draft,
  to,
  change: { mapping: { ...draft.change.mapping!, to } },
});

function AddScope({ onAdd }: { onAdd: (scope: MappedScope) => void }) {
  const [text, setText] = useState('');
  const scopes = useQuery({
    queryKey: ['pick scopes', text],
    queryFn: ({ signal }) => ask(pickScopes, { filter: all(scopeWords(text)) ?? null }, signal),
  });
  const { nodes = [], totalCount } = scopes.data?.accessScopes ?? {};
  return (
    <Picker
      label="Add an access scope"
      placeholder="Name or key of the access scope"
      value={null}
      options={nodes.map(({ accessScopeGuid, name, isActive, accessScopeType }) => ({
        id: accessScopeGuid,
        label: name,
        hint: isActive ? accessScopeType.name : `${accessScopeType.name}, out of use`,
        isActive,
      }))}
      total={totalCount}
      found={scopes}
      onText={setText}
      onPick={({ id, label, isActive }) => onAdd({ guid: id, name: label, isActive })}
    />
  );
}

function SameAs({ target, onCopied }: { target: Named; onCopied: (drafts: Draft[]) => void }) {
  const [text, setText] = useState('');
  const applications = useQuery({
    queryKey: ['pick applications', text],
    queryFn: ({ signal }) => ask(pickApplications, { filter: all(applicationWords(text)) ?? null }, signal),
  });
  const { nodes = [], totalCount } = applications.data?.applications ?? {};
  const signalNow = useSignal();
  const copying = useMutation({
    mutationFn: (model: { id: string; label: string }) => copyMappings(model.id, target, signalNow()),
    onSuccess: (drafts, { label }) => {
      say({ text: drafts.length === 0 ? `Nothing opens ${label}.` : `${plural(drafts.length, 'mapping')} copied.` });
      if (drafts.length > 0) onCopied(drafts);
    },
  });
  return (
    <div className="same-as" inert={copying.isPending}>
      <Picker
        label="Same as"
        placeholder="Name of the other application"
        autoFocus
        isOpenAtOnce
        value={null}
        options={nodes.map(({ applicationGuid, name, appType, isActive }) => ({
          id: applicationGuid,
          label: name,
          hint: isActive ? appType : `${appType}, out of use`,
        }))}
        total={totalCount}
        found={applications}
        onText={setText}
        onPick={(model) => copying.mutate(model)}
      />
      {copying.error && <Failure error={copying.error} />}
    </div>
  );
}

/** All mappings of an application as drafts of another one, in the same states. */
async function copyMappings(applicationGuid: string, target: Named, signal: AbortSignal): Promise<Draft[]> {
  const [scopes, types] = await Promise.all([
    readToEnd(async (page) => (await ask(mappingsOfApplication, { ...page, applicationGuid }, signal)).mappings),
    readToEnd(async (page) => (await ask(typeMappingsOfApplication, { ...page, applicationGuid }, signal)).mappings),
  ]);
  return [
    ...scopes.map(({ state, accessScope: { accessScopeGuid: guid, name, isActive } }) =>
      mappingDraft(target, { guid, name, isActive }, null, state),
    ),
    ...types.map(({ state, accessScopeType: { accessScopeTypeGuid: guid, name, isActive } }) =>
      typeMappingDraft(target, { guid, name: `All of ${name}`, isActive }, null, state),
    ),
  ];
}
