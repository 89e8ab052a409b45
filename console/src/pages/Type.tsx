/** One access scope type: which applications all of its scopes open, its settings and history. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../graph';
import { typeMappingDraft } from '../mappingDraft';
import type { TypePageQuery } from '../operations/generated/graph';
import { typePage } from '../operations/generated/types';
import { Answered } from '../record/Answered';
import type { FormField } from '../record/formField';
import { HistoryTab } from '../record/HistoryTab';
import { useOpenedByType } from '../record/mappingPages';
import { Opens } from '../record/Opens';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { textsTab } from '../record/Texts';
import { OutOfUse } from '../ui/Badge';
import { NotFound } from '../ui/Empty';
import { ManagedBy } from '../ui/ManagedBy';
import { IconTile } from '../ui/Tile';
import { plural } from '../words';

type Record = NonNullable<TypePageQuery['accessScopeType']>;

export const typeFields: readonly FormField[] = [
  { name: 'name', width: 3, isRequired: true, hint: 'The part of a scope in tokens before the colon.' },
  { name: 'description', kind: 'area' },
  { name: 'translationGroup', width: 3 },
  {
    name: 'isActive',
    width: 3,
    kind: 'switch',
    hint: 'While it is out of use, tokens have none of its access scopes.',
  },
];

export function Type() {
  const { guid } = useParams({ from: '/types/$guid' });
  const page = useQuery({
    queryKey: ['type', guid],
    queryFn: ({ signal }) => ask(typePage, { accessScopeTypeGuid: guid }, signal),
  });
  return (
    <Answered query={page}>
      {({ accessScopeType }) => (accessScopeType ? <Found type={accessScopeType} /> : <NotFound />)}
    </Answered>
  );
}

function Found({ type }: { type: Record }) {
  const { accessScopeTypeGuid: guid, name, description, revision, isActive } = type;
  const tabs = [
    {
      key: 'opens',
      label: 'Opens',
      count: type.accessScopeTypeApplicationsMappers.totalCount,
      content: () => <OpensOf type={type} />,
    },
    {
      key: 'settings',
      label: 'Settings',
      content: () => (
        <SettingsCard
          subject={{ kind: 'type', id: guid, name }}
          fields={typeFields}
          present={type}
          change={(input) => ({ updateAccessScopeType: { accessScopeTypeGuid: guid, ifRevision: revision, input } })}
        />
      ),
    },
    textsTab(type),
    {
      key: 'history',
      label: 'History',
      needs: 'admin:security',
      content: () => <HistoryTab subjectType="AccessScopeType" subjectId={guid} />,
    },
  ];
  return (
    <div className="page">
      <Crumbs to="/types" label="Access scope types" name={name} />
      <RecordHead
        tile={<IconTile icon="type" size="large" />}
        name={name}
        badge={
          <>
            <OutOfUse isActive={isActive} /> <ManagedBy name={type.managedBy} />
          </>
        }
        sub={description}
        actions={
          <Link className="button" to="/scopes" search={{ type: name }}>
            {plural(type.accessScopes.totalCount, 'access scope')}
          </Link>
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...type} />
    </div>
  );
}

function OpensOf({ type: { accessScopeTypeGuid: guid, name, isActive } }: { type: Record }) {
  const every = { guid, name: `All of ${name}`, isActive };
  return (
    <Opens
      pages={useOpenedByType(guid)}
      draftOf={(application, from, to) => typeMappingDraft(application, every, from, to)}
    />
  );
}
