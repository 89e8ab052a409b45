/** One profile: what it opens, who holds it, its access scopes, settings and history. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { putDrafts } from '../drafts';
import { ask } from '../graph';
import { profilePage } from '../operations/generated/profiles';
import { Answered } from '../record/Answered';
import type { FormField } from '../record/formField';
import { HistoryTab } from '../record/HistoryTab';
import { Holders } from '../record/Holders';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { NotFound } from '../ui/Empty';
import { ManagedBy } from '../ui/ManagedBy';
import { IconTile } from '../ui/Tile';
import { Opened } from './profile/Opened';
import { ScopesOf } from './profile/ScopesOf';
import type { ProfileRecord } from './records';

export const profileFields: readonly FormField[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'description', label: 'Description', kind: 'area', hint: 'Who shall hold it, and what for.' },
  { name: 'ownerProfileId', label: 'Owner', hint: 'Id of the profile whose holders may approve who holds this one.' },
];

export function Profile() {
  const { id } = useParams({ from: '/profiles/$id' });
  const page = useQuery({
    queryKey: ['profile', id],
    queryFn: ({ signal }) => ask(profilePage, { profileId: id }, signal),
  });
  return <Answered query={page}>{({ profile }) => (profile ? <Found profile={profile} /> : <NotFound />)}</Answered>;
}

function Found({ profile }: { profile: ProfileRecord }) {
  const mayChange = useMay('admin:write');
  const { profileId, name, description, revision, profileAccessScopes, userProfiles } = profile;
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
        warning: 'Its links go with it, and the sessions of its holders end.',
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
      count: userProfiles.totalCount,
      content: () => <Holders of="profile" id={profileId} />,
    },
    {
      key: 'scopes',
      label: 'Access scopes',
      count: profileAccessScopes.totalCount,
      content: () => <ScopesOf profile={profile} />,
    },
    { key: 'settings', label: 'Settings', content: settings },
    { key: 'history', label: 'History', content: () => <HistoryTab subjectType="Profile" subjectId={profileId} /> },
  ];
  return (
    <div className="page">
      <Crumbs to="/profiles" label="Profiles" name={name} />
      <RecordHead
        tile={<IconTile icon="profile" size="large" />}
        name={name}
        badge={<ManagedBy name={profile.managedBy} />}
        sub={description ?? profileId}
        actions={
          mayChange && (
            <button type="button" className="button danger" onClick={remove}>
              Remove…
            </button>
          )
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...profile} />
    </div>
  );
}
