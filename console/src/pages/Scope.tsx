/** One access scope: a column of the matrix on a page of its own, with the profiles that have it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../graph';
import { mappingDraft } from '../mappingDraft';
import type { ScopePageQuery, UpdateAccessScopeInput } from '../operations/generated/graph';
import { scopePage } from '../operations/generated/scopes';
import { Answered } from '../record/Answered';
import type { FormField } from '../record/FieldList';
import { HistoryTab } from '../record/HistoryTab';
import { Opens } from '../record/Opens';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { textsTab } from '../record/Texts';
import { InUse } from '../ui/Badge';
import { Empty, NotFound } from '../ui/Empty';
import { Icon } from '../ui/icons';
import { ManagedBy } from '../ui/ManagedBy';
import { IconTile } from '../ui/Tile';
import { entryOf, plural } from '../words';

type Record = NonNullable<ScopePageQuery['accessScope']>;

export const scopeFields: readonly FormField[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'description', label: 'Description', kind: 'area' },
  {
    name: 'accessScopeKey',
    label: 'Key',
    hint: 'What tokens have after the type’s name and a colon; not *, which is the switch below.',
  },
  { name: 'concreteId', label: 'Number', kind: 'number', hint: 'In place of a key, where it has none.' },
  { name: 'isWildcard', label: 'For all of its type', kind: 'switch', hint: 'Tokens have * in place of a key.' },
  { name: 'translationGroup', label: 'Group of translations' },
  { name: 'isActive', label: 'In use', kind: 'switch', hint: 'What is out of use is in no token and opens nothing.' },
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
  const mappings = scope.accessScopeApplicationsMappers;
  const tabs = [
    {
      key: 'opens',
      label: 'Opens',
      count: mappings.totalCount,
      content: () => (
        <Opens
          mappings={mappings.nodes}
          draftOf={(application, from, to) => mappingDraft(application, { guid, name, isActive }, from, to)}
        />
      ),
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
    { key: 'history', label: 'History', content: () => <HistoryTab subjectType="AccessScope" subjectId={guid} /> },
  ];
  return (
    <div className="page">
      <Crumbs to="/scopes" label="Access scopes" name={name} />
      <RecordHead
        tile={<IconTile icon="scope" size="large" />}
        name={name}
        badge={
          <>
            <InUse isActive={isActive} /> <ManagedBy name={scope.managedBy} />
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

function InProfiles({ scope }: { scope: Record }) {
  const { nodes, totalCount } = scope.profileAccessScopes;
  if (totalCount === 0)
    return (
      <Empty icon="profile" title="In no profile">
        Nobody has it, so it opens nothing to anybody.
      </Empty>
    );
  return (
    <section className="card" aria-label="Profiles">
      <ul className="items">
        {nodes.map(({ profile }) => (
          <li key={profile.profileId}>
            <Link className="with-tile" to="/profiles/$id" params={{ id: profile.profileId }}>
              <IconTile icon="profile" />
              <span className="two-lines">
                <b>{profile.name}</b>
                <small>held by {plural(profile.userProfiles.totalCount, 'person', 'people')}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && <p className="note">and {plural(totalCount - nodes.length, 'more profile')}</p>}
    </section>
  );
}
