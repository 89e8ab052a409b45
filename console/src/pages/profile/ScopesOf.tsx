/** The access scopes of a profile; taken and added ones are pending until they were reviewed. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type ListSearch, useAddress } from '../../address';
import { useDrafts } from '../../drafts';
import { all, scopeWords } from '../../filters';
import { isSameEnd } from '../../grantEnd';
import { ask } from '../../graph';
import type { ScopesOfProfileQuery } from '../../operations/generated/graph';
import { pickScopes } from '../../operations/generated/pickers';
import { scopesOfProfile } from '../../operations/generated/profiles';
import { wholeList } from '../../pages';
import { draftScopes, type ScopeOfProfile, scopeEndDraft, scopeEndKey, wantedScopes } from '../../profileDraft';
import { readToEnd } from '../../readToEnd';
import { EndSheet } from '../../record/EndSheet';
import { useMay } from '../../session';
import { Badge, OutOfUse } from '../../ui/Badge';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { GrantEnd } from '../../ui/GrantEnd';
import { List } from '../../ui/List';
import { Picker } from '../../ui/Picker';
import type { Column } from '../../ui/Row';
import { IconTile } from '../../ui/Tile';
import { entryOf, holdsWords } from '../../words';
import type { ProfileRecord } from '../records';

type Scope = ScopesOfProfileQuery['accessScopes']['nodes'][number];

/** A scope of the profile, or one that is to be. */
interface Row extends ScopeOfProfile {
  hint: string;
  isActive: boolean;
  draft: 'gain' | 'loss' | undefined;
  /** ISO 8601; null: it has none. */
  validUntil: string | null;
}

const columns: Column<Row>[] = [
  {
    key: 'name',
    label: 'Name',
    width: 'minmax(220px, 1.6fr)',
    keepSmall: true,
    cell: ({ guid, name, hint, isActive }) => (
      <Link className="cell-name" to="/scopes/$guid" params={{ guid }} tabIndex={-1}>
        <IconTile icon="scope" />
        <span className="two-lines">
          <b>{name}</b>
          <small>{hint}</small>
        </span>
        <OutOfUse isActive={isActive} tiny />
      </Link>
    ),
  },
  { key: 'validUntil', label: 'Ends', width: '150px', cell: ({ validUntil }) => <GrantEnd iso={validUntil} /> },
];

export function ScopesOf({ profile }: { profile: ProfileRecord }) {
  const { profileId, revision } = profile;
  const whole = useQuery({
    // with its revision: a draft says all that the profile shall have, and starts from what was read
    queryKey: ['scopes of', profileId, revision],
    queryFn: ({ signal }) =>
      readToEnd(async (page) => (await ask(scopesOfProfile, { ...page, profileId }, signal)).accessScopes),
  });
  if (whole.error && !whole.data) return <Failure error={whole.error} retry={() => void whole.refetch()} />;
  if (!whole.data) return <Loading />;
  return <Found profile={profile} scopes={whole.data} />;
}

function Found({ profile, scopes }: { profile: ProfileRecord; scopes: readonly Scope[] }) {
  const mayChange = useMay('admin:write');
  const drafts = useDrafts();
  const navigate = useNavigate();
  const [ending, setEnding] = useState<Omit<Row, 'draft'>>();
  const [{ q = '' }] = useAddress<ListSearch>();
  const { profileId, name, revision } = profile;
  const read = scopes.map(({ accessScopeGuid: guid, name }) => ({ guid, name }));
  const target = { profileId, name, revision, scopes: read };
  const wanted = wantedScopes(target, drafts);
  const isWanted = new Set(wanted.map(({ guid }) => guid));
  const isRead = new Set(read.map(({ guid }) => guid));
  const set = (next: readonly ScopeOfProfile[]) => draftScopes(target, next);
  const flip = ({ guid, name }: ScopeOfProfile) =>
    set(isWanted.has(guid) ? wanted.filter((each) => each.guid !== guid) : [...wanted, { guid, name }]);
  const added: Row[] = wanted
    .filter(({ guid }) => !isRead.has(guid))
    .map((scope) => ({ ...scope, hint: '', isActive: true, draft: 'gain', validUntil: null }));
  const present: Row[] = scopes.map(({ accessScopeGuid: guid, accessScopeType: type, ...scope }) => ({
    guid,
    name: scope.name,
    hint: entryOf(type, scope),
    isActive: scope.isActive,
    draft: isWanted.has(guid) ? undefined : 'loss',
    validUntil: scope.profileAccessScopes.nodes[0]?.validUntil ?? null,
  }));
  const rows = [...added, ...present].filter(({ name, hint }) => holdsWords(`${name} ${hint}`, q));
  const ends = new Map(
    drafts.flatMap(({ key, to }) => {
      const row = rows.find(({ guid }) => key === scopeEndKey(profileId, guid));
      return row ? [[row.guid, to] as const] : [];
    }),
  );
  const act: Column<Row> = {
    key: 'act',
    label: 'Action',
    width: '300px',
    keepSmall: true,
    cell: ({ draft, ...scope }) => (
      <span className="cell-act">
        {ends.has(scope.guid) && <Badge tone="near">{ends.get(scope.guid)}</Badge>}
        {mayChange && draft !== 'loss' && (
          <button
            type="button"
            className="button small"
            aria-label={`End of ${scope.name}`}
            onClick={() => setEnding(scope)}
          >
            End…
          </button>
        )}
        {draft && <Badge tone={draft}>{draft === 'gain' ? 'will be given' : 'will be removed'}</Badge>}
        {mayChange && (
          <button
            type="button"
            className="button small"
            aria-label={`${draft ? 'Undo' : 'Remove'}: ${scope.name}`}
            onClick={() => flip(scope)}
          >
            {draft ? 'Undo' : 'Remove'}
          </button>
        )}
      </span>
    ),
  };
  // what the profile has: drafts are none of it
  const has = { profile: { profileId: { eq: profileId } } };
  const filter = all([has, ...scopeWords(q).map((accessScope) => ({ accessScope }))]);
  return (
    <div className="tab-list">
      <List
        label="Access scopes"
        one="access scope"
        placeholder="Access scope"
        pages={wholeList(rows, q, { list: 'profileAccessScopes', filter, orderBy: [{ accessScope: { name: 'ASC' } }] })}
        columns={[...columns, act]}
        isCounting
        keyOf={({ guid }) => guid}
        nameOf={({ name }) => name}
        isFaded={({ isActive }) => !isActive}
        open={({ guid }) => void navigate({ to: '/scopes/$guid', params: { guid } })}
        filters={mayChange && <AddScope onAdd={(scope) => !isWanted.has(scope.guid) && set([...wanted, scope])} />}
        empty="The profile opens nothing yet."
      />
      {ending && (
        <EndSheet
          what={`${name} has the access scope ${ending.name}.`}
          present={ending.validUntil}
          draftsFor={(end) =>
            isSameEnd(end, ending.validUntil) ? [] : [scopeEndDraft(profile, ending, ending.validUntil, end)]
          }
          onClose={() => setEnding(undefined)}
        />
      )}
    </div>
  );
}

function AddScope({ onAdd }: { onAdd: (scope: ScopeOfProfile) => void }) {
  const [text, setText] = useState<string>();
  const found = useQuery({
    queryKey: ['pick scopes', text],
    enabled: text !== undefined,
    queryFn: ({ signal }) => ask(pickScopes, { filter: all(scopeWords(text)) ?? null }, signal),
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
        total={found.data?.accessScopes.totalCount}
        found={found}
        onText={setText}
        onPick={({ id, label }) => onAdd({ guid: id, name: label })}
      />
    </div>
  );
}
