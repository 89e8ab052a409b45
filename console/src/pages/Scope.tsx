/** One access scope: a column of the matrix on a page of its own, with the profiles that have it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress } from '../address';
import { all, profileWords } from '../filters';
import { ask } from '../graph';
import { mappingDraft } from '../mappingDraft';
import type {
  ProfileFilter,
  ScopePageQuery,
  ScopeProfilesQuery,
  UpdateAccessScopeInput,
} from '../operations/generated/graph';
import { scopePage, scopeProfiles } from '../operations/generated/scopes';
import { usePages } from '../pages';
import { Answered } from '../record/Answered';
import type { FormField } from '../record/formField';
import { HistoryTab } from '../record/HistoryTab';
import { useOpenedByScope } from '../record/mappingPages';
import { Opens } from '../record/Opens';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { textsTab } from '../record/Texts';
import { OutOfUse } from '../ui/Badge';
import { NotFound } from '../ui/Empty';
import { Icon } from '../ui/icons';
import { List } from '../ui/List';
import { ManagedBy } from '../ui/ManagedBy';
import type { Column } from '../ui/Row';
import { IconTile } from '../ui/Tile';
import { entryOf, plural } from '../words';

type Record = NonNullable<ScopePageQuery['accessScope']>;

export const scopeFields: readonly FormField[] = [
  { name: 'name', width: 4, isRequired: true },
  { name: 'description', kind: 'area' },
  {
    name: 'accessScopeKey',
    width: 3,
    hint: 'The part of a scope in tokens after the type’s name and the colon. For *, use the switch below.',
  },
  { name: 'concreteId', width: 3, kind: 'number', hint: 'Instead of a key, if it has none.' },
  {
    name: 'isWildcard',
    width: 2,
    kind: 'switch',
    hint: 'Tokens have * in place of a key.',
  },
  { name: 'translationGroup', width: 2 },
  {
    name: 'isActive',
    width: 2,
    kind: 'switch',
    hint: 'While it is out of use, no token has it and it opens nothing.',
  },
];

export function Scope() {
  const { guid } = useParams({ from: '/scopes/$guid' });
  const page = useQuery({
    queryKey: ['scope', guid],
    queryFn: ({ signal }) => ask(scopePage, { accessScopeGuid: guid }, signal),
  });
  return (
    <Answered query={page}>
      {({ accessScope }) => (accessScope ? <Found scope={accessScope} /> : <NotFound />)}
    </Answered>
  );
}

function Found({ scope }: { scope: Record }) {
  const { accessScopeGuid: guid, name, revision, isActive, accessScopeType: type } = scope;
  const key = entryOf(type, scope);
  const tabs = [
    {
      key: 'opens',
      label: 'Opens',
      count: scope.accessScopeApplicationsMappers.totalCount,
      content: () => <OpensOf scope={scope} />,
    },
    {
      key: 'profiles',
      label: 'Profiles',
      count: scope.profileAccessScopes.totalCount,
      content: () => <InProfiles scope={scope} />,
    },
    {
      key: 'settings',
      label: 'Settings',
      content: () => (
        <SettingsCard
          subject={{ kind: 'scope', id: guid, name }}
          fields={scopeFields}
          present={scope}
          change={(input) => ({
            updateAccessScope: { accessScopeGuid: guid, ifRevision: revision, input: input as UpdateAccessScopeInput },
          })}
        />
      ),
    },
    textsTab(scope),
    {
      key: 'history',
      label: 'History',
      needs: 'admin:security',
      content: () => <HistoryTab subjectType="AccessScope" subjectId={guid} />,
    },
  ];
  return (
    <div className="page">
      <Crumbs to="/scopes" label="Access scopes" name={name} />
      <RecordHead
        tile={<IconTile icon="scope" size="large" />}
        name={name}
        badge={
          <>
            <OutOfUse isActive={isActive} /> <ManagedBy name={scope.managedBy} />
          </>
        }
        sub={
          <>
            <code>{key}</code> of the type{' '}
            <Link className="link" to="/types/$guid" params={{ guid: type.accessScopeTypeGuid }}>
              {type.name}
            </Link>
          </>
        }
        actions={
          <Link className="button" to="/matrix" search={{ type: type.name }}>
            <Icon name="matrix" size={16} />
            In the matrix
          </Link>
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...scope} />
    </div>
  );
}

function OpensOf({ scope: { accessScopeGuid: guid, name, isActive } }: { scope: Record }) {
  return (
    <Opens
      pages={useOpenedByScope(guid)}
      draftOf={(application, from, to) => mappingDraft(application, { guid, name, isActive }, from, to)}
    />
  );
}

type Profile = ScopeProfilesQuery['profiles']['nodes'][number];

const profileColumns: Column<Profile>[] = [
  {
    key: 'name',
    label: 'Name',
    width: 'minmax(220px, 1.6fr)',
    sorts: true,
    keepSmall: true,
    cell: ({ profileId: id, name }) => (
      <Link className="cell-name" to="/profiles/$id" params={{ id }} tabIndex={-1}>
        <IconTile icon="profile" />
        <b>{name}</b>
      </Link>
    ),
  },
  {
    key: 'people',
    label: 'Grants',
    width: '140px',
    keepSmall: true,
    cell: ({ userProfiles }) => plural(userProfiles.totalCount, 'grant'),
  },
];

function InProfiles({ scope: { accessScopeGuid } }: { scope: Record }) {
  const [{ q, sort: chosen }] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const { direction } = sortOf(sortAmong(profileColumns, chosen) ?? 'name');
  const has = { profileAccessScopes: { some: { accessScope: { accessScopeGuid: { eq: accessScopeGuid } } } } };
  const filter = all<ProfileFilter>([has, ...profileWords(q)]) ?? null;
  const orderBy = [{ name: direction }];
  const pages = usePages(
    ['profiles of a scope', filter, direction],
    async (page, signal) => (await ask(scopeProfiles, { ...page, filter, orderBy }, signal)).profiles,
    { exported: { list: 'profiles', filter, orderBy } },
  );
  return (
    <div className="tab-list">
      <List
        label="Profiles"
        one="profile"
        placeholder="Profile"
        pages={pages}
        columns={profileColumns}
        isCounting
        keyOf={({ profileId }) => profileId}
        nameOf={({ name }) => name}
        open={({ profileId: id }) => void navigate({ to: '/profiles/$id', params: { id } })}
        empty="Nobody has it, so it opens nothing for anybody."
      />
    </div>
  );
}
