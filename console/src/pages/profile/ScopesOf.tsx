/** The access scopes of a profile; taken and added ones are pending until they were reviewed. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useDrafts } from '../../drafts';
import { all, scopeWords } from '../../filters';
import { ask } from '../../graph';
import { pickScopes } from '../../operations/generated/pickers';
import { draftScopes, type ScopeOfProfile, wantedScopes } from '../../profileDraft';
import { useMay } from '../../session';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Picker } from '../../ui/Picker';
import { useDebounced } from '../../ui/SearchField';
import { IconTile } from '../../ui/Tile';
import { entryOf, plural } from '../../words';
import type { ProfileRecord } from '../records';

export function ScopesOf({ profile }: { profile: ProfileRecord }) {
  const { nodes, totalCount } = profile.profileAccessScopes;
  // a change says all that the profile shall have: those that were not read would be lost
  const mayChange = useMay('admin:write') && nodes.length === totalCount;
  const drafts = useDrafts();
  const { profileId, name, revision } = profile;
  const read = nodes.map(({ accessScope }) => ({
    guid: accessScope.accessScopeGuid,
    name: accessScope.name,
  }));
  const target = { profileId, name, revision, scopes: read };
  const wanted = wantedScopes(target, drafts);
  const isWanted = new Set(wanted.map(({ guid }) => guid));
  const added = wanted.filter(({ guid }) => !read.some((each) => each.guid === guid));
  const set = (next: readonly ScopeOfProfile[]) => draftScopes(target, next);
  const flip = (scope: ScopeOfProfile) =>
    set(isWanted.has(scope.guid) ? wanted.filter(({ guid }) => guid !== scope.guid) : [...wanted, scope]);
  return (
    <section className="card roomy" aria-labelledby="scopes-of">
      <header>
        <h2 id="scopes-of">Access scopes</h2>
        <span className="grow" />
        {mayChange && <AddScope onAdd={(scope) => !isWanted.has(scope.guid) && set([...wanted, scope])} />}
      </header>
      {read.length + added.length === 0 && (
        <Empty icon="scope" title="No access scope">
          The profile opens nothing yet.
        </Empty>
      )}
      <ul className="items">
        {added.map((scope) => (
          <ScopeItem
            key={scope.guid}
            {...scope}
            hint=""
            note={<Badge tone="gain">will be given</Badge>}
            act="Take back"
            onAct={mayChange ? () => flip(scope) : undefined}
          />
        ))}
        {nodes.map(({ accessScope }) => {
          const { accessScopeGuid: guid, accessScopeType: type, isActive } = accessScope;
          const isTaken = !isWanted.has(guid);
          return (
            <ScopeItem
              key={guid}
              guid={guid}
              name={accessScope.name}
              hint={entryOf(type, accessScope)}
              note={
                isTaken ? <Badge tone="loss">will be taken</Badge> : isActive ? null : <Badge tiny>out of use</Badge>
              }
              act={isTaken ? 'Take back' : 'Take'}
              onAct={mayChange ? () => flip({ guid, name: accessScope.name }) : undefined}
            />
          );
        })}
      </ul>
      {nodes.length < totalCount && (
        <p className="note">
          and {plural(totalCount - nodes.length, 'more access scope')}: too many to be changed here. The graph and the
          import change them.
        </p>
      )}
    </section>
  );
}

interface ScopeItemProps extends ScopeOfProfile {
  hint: string;
  note: ReactNode;
  act: string;
  onAct: (() => void) | undefined;
}

const ScopeItem = ({ guid, name, hint, note, act, onAct }: ScopeItemProps) => (
  <li>
    <Link className="with-tile" to="/scopes/$guid" params={{ guid }}>
      <IconTile icon="scope" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{hint}</small>
      </span>
    </Link>
    <span className="grow" />
    {note}
    {onAct && (
      <button type="button" className="button small" aria-label={`${act}: ${name}`} onClick={onAct}>
        {act}
      </button>
    )}
  </li>
);

function AddScope({ onAdd }: { onAdd: (scope: ScopeOfProfile) => void }) {
  const [text, setText] = useState<string>();
  const wanted = useDebounced(text);
  const found = useQuery({
    queryKey: ['pick scopes', wanted],
    enabled: wanted !== undefined,
    queryFn: ({ signal }) => ask(pickScopes, { filter: all(scopeWords(wanted)) ?? null }, signal),
  });
  const options = (found.data?.accessScopes.nodes ?? []).map(({ accessScopeGuid, name, accessScopeType }) => ({
    id: accessScopeGuid,
    label: name,
    hint: accessScopeType.name,
  }));
  return (
    <div className="compact">
      <Picker
        label="Add an access scope"
        placeholder="Add an access scope"
        value={null}
        options={options}
        found={found}
        onText={setText}
        onPick={({ id, label }) => onAdd({ guid: id, name: label })}
      />
    </div>
  );
}
