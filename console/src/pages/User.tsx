/** One user: what each profile opens, the sessions, and what became of the record. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { blockingDraft } from '../blockingDraft';
import { putDrafts } from '../drafts';
import { ask } from '../graph';
import { subjectOfUser } from '../holdingDraft';
import { userPage } from '../operations/generated/user';
import { Answered } from '../record/Answered';
import { HistoryTab } from '../record/HistoryTab';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { reviewDrafts } from '../review/reviewing';
import { useMay, useViewer } from '../session';
import { Blocked } from '../ui/Badge';
import { NotFound } from '../ui/Empty';
import { Facts } from '../ui/Facts';
import { Icon } from '../ui/icons';
import { Tile } from '../ui/Tile';
import { exactTime } from '../ui/Time';
import { fullName } from '../words';
import type { UserRecord } from './records';
import { personFields, personInput } from './user/fields';
import { GiveProfile } from './user/GiveProfile';
import { HeldProfiles } from './user/HeldProfiles';
import { Sessions } from './user/Sessions';
import { SignInNeeds, useSignInNeeds } from './user/SignInNeeds';
import '../theme/person.css';

export function User() {
  const { guid } = useParams({ from: '/users/$guid' });
  const page = useQuery({
    queryKey: ['user', guid],
    queryFn: ({ signal }) => ask(userPage, { userGuid: guid }, signal),
  });
  return <Answered query={page}>{({ user }) => (user ? <Found user={user} /> : <NotFound />)}</Answered>;
}

function Found({ user }: { user: UserRecord }) {
  const [isGiving, setGiving] = useState(false);
  const mayChange = useMay('admin:write');
  const { userGuid, isBlocked } = user;
  const name = fullName(user);
  const block = () => {
    putDrafts([blockingDraft(user)]);
    reviewDrafts();
  };
  const isOwn = useViewer().data?.viewer.userGuid === userGuid;
  const tabs = [
    {
      key: 'access',
      label: 'Access',
      count: user.userProfiles.totalCount,
      content: () => <HeldProfiles user={user} />,
    },
    {
      key: 'sessions',
      label: 'Sessions',
      // everybody sees the own ones of the console
      ...(!isOwn && { needs: 'admin:security' }),
      content: () => <Sessions userGuid={userGuid} name={name} />,
    },
    { key: 'facts', label: 'About', content: () => <About user={user} /> },
    {
      key: 'history',
      label: 'History',
      needs: 'admin:security',
      content: () => <HistoryTab subjectType="User" subjectId={userGuid} />,
    },
  ];
  return (
    <div className="page">
      <Crumbs to="/users" label="Users" name={name} />
      <RecordHead
        tile={<Tile name={name} round size="large" />}
        name={name}
        badge={<Blocked isBlocked={isBlocked} />}
        sub={[user.jobTitle, user.email].filter(Boolean).join(' · ')}
        actions={
          <>
            <Link className="button" to="/why" search={{ user: userGuid }}>
              <Icon name="why" size={16} />
              Why…
            </Link>
            <Link className="button" to="/compare/users" search={{ left: userGuid }}>
              <Icon name="compare" size={16} />
              Compare…
            </Link>
            {mayChange && (
              <>
                <button type="button" className={`button${isBlocked ? '' : ' danger'}`} onClick={block}>
                  <Icon name="block" size={16} />
                  {isBlocked ? 'Unblock…' : 'Block…'}
                </button>
                <button type="button" className="button primary" onClick={() => setGiving(true)}>
                  <Icon name="plus" size={16} />
                  Give a profile
                </button>
              </>
            )}
          </>
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...user} />
      {isGiving && <GiveProfile user={user} onClose={() => setGiving(false)} />}
    </div>
  );
}

/** Who may correct it finds a form; the sign-in that follows from it stands beside. */
function About({ user }: { user: UserRecord }) {
  const mayChange = useMay('admin:write');
  const { userGuid, revision, idpname, idpid } = user;
  const needs = useSignInNeeds({ userGuid, idpname, idpid });
  const facts: [string, string | null][] = [
    ['Guid', userGuid],
    ...(mayChange
      ? []
      : ([
          ['E-mail', user.email],
          ['Telephone', user.telephone],
          ['Job', user.jobTitle],
          ['Department', user.department],
          ['Identity provider', idpname],
          ['Known there as', idpid],
        ] as [string, string | null][])),
    ['Language', user.languagePreference],
    ['Last seen', user.lastLoginDate && exactTime(user.lastLoginDate)],
  ];
  const providers = (needs.data ?? []).map((need) => need.idpname);
  const about = (
    <section className="card" aria-label="About">
      <Facts facts={facts} />
    </section>
  );
  if (!mayChange) return about;
  return (
    <div className="person-cards">
      <div className="stack">
        <SettingsCard
          subject={subjectOfUser(user)}
          fields={personFields(idpname ? [...providers, idpname] : providers)}
          present={user}
          change={(input) => ({ updateUser: { userGuid, ifRevision: revision, input: personInput(input) } })}
        />
        {user.userName !== null && (
          <p className="note">
            A connector provisions this person as {user.userName}: it may write its own values again.
          </p>
        )}
      </div>
      <div className="stack">
        <SignInNeeds needs={needs} />
        {about}
      </div>
    </div>
  );
}
