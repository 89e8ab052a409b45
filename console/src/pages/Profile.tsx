/** One profile: what it opens, who holds it, its access scopes, settings and history. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { putDrafts } from '../drafts';
import { ask } from '../graph';
import { useKeptOpen } from '../keptOpen';
import type { ProfilePageQuery } from '../operations/generated/graph';
import { profilePage } from '../operations/generated/profiles';
import { Answered } from '../record/Answered';
import { type FormField, profileIsThere } from '../record/formField';
import { HistoryTab } from '../record/HistoryTab';
import { Holders } from '../record/Holders';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { NotFound } from '../ui/Empty';
import { Id } from '../ui/Id';
import { Icon } from '../ui/icons';
import { ManagedBy } from '../ui/ManagedBy';
import { More } from '../ui/More';
import { IconTile } from '../ui/Tile';
import { Opened } from './profile/Opened';
import { ScopesOf } from './profile/ScopesOf';
import type { ProfileRecord } from './records';

const AddPeople = lazy(() => import('./profile/AddPeople').then(({ AddPeople }) => ({ default: AddPeople })));
const CopyProfile = lazy(() => import('./profile/CopyProfile').then(({ CopyProfile }) => ({ default: CopyProfile })));

export const profileFields: readonly FormField[] = [
  { name: 'name', width: 4, isRequired: true },
  { name: 'description', kind: 'area', hint: 'Who should hold it, and why.' },
  {
    name: 'ownerProfileId',
    width: 4,
    hint: 'Id of the profile whose holders may approve who holds this one.',
    lookUp: profileIsThere,
  },
];

export function Profile() {
  const { id } = useParams({ from: '/profiles/$id' });
  const page = useQuery({
    queryKey: ['profile', id],
    queryFn: ({ signal }) => ask(profilePage, { profileId: id, held: id }, signal),
  });
  return (
    <Answered query={page}>
      {({ profile, people }) => (profile ? <Found profile={profile} people={people} /> : <NotFound />)}
    </Answered>
  );
}

function Found({ profile, people }: { profile: ProfileRecord; people: ProfilePageQuery['people'] }) {
  const mayChange = useMay('admin:write');
  const { opened, open, close } = useKeptOpen(`profile ${profile.profileId}`);
  const { profileId, name, description, revision, profileAccessScopes } = profile;
  const subject = { kind: 'profile' as const, id: profileId, name };
  const remove = () => {
    putDrafts([
      {
        key: `remove profile ${profileId}`,
        subject,
        label: 'The profile',
        from: 'there',
        to: 'removed',
        sign: 'loss',
        change: { deleteProfile: { profileId, ifRevision: revision } },
        warning: 'Its grants and access scopes are removed with it, and the sessions of its holders end.',
      },
    ]);
    reviewDrafts();
  };
  const settings = () => (
    <SettingsCard
      subject={subject}
      fields={profileFields}
      present={profile}
      change={(input) => ({ updateProfile: { profileId, ifRevision: revision, input } })}
    />
  );
  const tabs = [
    {
      key: 'opens',
      label: 'Opens',
      count: profile.opens.totalCount,
      content: () => <Opened profileId={profileId} />,
    },
    {
      key: 'holders',
      label: 'People',
      count: people.totalCount,
      content: () => <Holders of="profile" id={profileId} />,
    },
    {
      key: 'scopes',
      label: 'Access scopes',
      count: profileAccessScopes.totalCount,
      content: () => <ScopesOf profile={profile} />,
    },
    { key: 'settings', label: 'Settings', content: settings },
    {
      key: 'history',
      label: 'History',
      needs: 'admin:security',
      content: () => <HistoryTab subjectType="Profile" subjectId={profileId} />,
    },
  ];
  return (
    <div className="page">
      <Crumbs to="/profiles" label="Profiles" name={name} />
      <RecordHead
        tile={<IconTile icon="profile" size="large" />}
        name={name}
        badge={<ManagedBy name={profile.managedBy} />}
        sub={
          <>
            {description && <span>{description} · </span>}
            <Id text={profileId} />
            {profile.ownerProfileId && (
              <span>
                {' · owned by '}
                <Link className="link" to="/profiles/$id" params={{ id: profile.ownerProfileId }}>
                  {profile.ownerProfileId}
                </Link>
              </span>
            )}
          </>
        }
        actions={
          <>
            <Link className="button" to="/compare/profiles" search={{ left: profileId }}>
              <Icon name="compare" size={16} />
              Compare…
            </Link>
            {mayChange && (
              <>
                <button type="button" className="button" onClick={() => open('copy')}>
                  <Icon name="copy" size={16} />
                  Copy…
                </button>
                <button type="button" className="button primary" onClick={() => open('add')}>
                  <Icon name="plus" size={16} />
                  Add people…
                </button>
              </>
            )}
          </>
        }
        more={
          mayChange && (
            <More label="More about this profile">
              <button type="button" className="danger" onClick={remove}>
                <Icon name="minus" size={16} />
                Remove…
              </button>
            </More>
          )
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...profile} />
      <Suspense fallback={null}>
        {opened === 'add' && <AddPeople profile={profile} onClose={close} />}
        {opened === 'copy' && <CopyProfile profile={profile} onClose={close} />}
      </Suspense>
    </div>
  );
}
