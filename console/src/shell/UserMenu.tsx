/** Who is here and with which profile; signing out. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MeQuery } from '../operations/generated/graph';
import { chooseProfile, useViewer } from '../session';
import { Icon } from '../ui/icons';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { refuse } from '../ui/Toasts';
import { useMenu } from '../ui/useMenu';
import { capital, fullName } from '../words';
import { areSingleKeysOn, setSingleKeys } from './singleKeys';
import { chooseTheme, themes, useTheme } from './theme';

export function UserMenu() {
  const viewer = useViewer().data?.viewer;
  const { isOpen, setOpen, box } = useMenu();
  if (!viewer) return null;
  const name = viewer.user ? fullName(viewer.user) : 'Without sign-in';
  const profile = viewer.administrationProfiles.find(({ profileId }) => profileId === viewer.profileId);
  return (
    <div className="who" {...box}>
      {isOpen && (
        <div className="menu">
          <Profiles viewer={viewer} />
          <Themes />
          <SingleKeys />
          {viewer.user && <OwnSessions guid={viewer.userGuid} onGo={() => setOpen(false)} />}
          <SignOut />
        </div>
      )}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Tile name={name} round />
        <span className="two-lines grow">
          <b>{name}</b>
          <small>{profile?.name ?? viewer.profileId}</small>
        </span>
        <Icon name={isOpen ? 'down' : 'up'} size={16} />
      </button>
    </div>
  );
}

function Themes() {
  const theme = useTheme();
  return (
    <>
      <h3>Colours</h3>
      {themes.map((each) => (
        <button key={each} type="button" aria-pressed={each === theme} onClick={() => chooseTheme(each)}>
          <Icon name={each === 'system' ? 'session' : each === 'dark' ? 'moon' : 'sun'} size={16} />
          {capital(each)}
          {each === theme && <Icon name="check" size={16} />}
        </button>
      ))}
      <hr />
    </>
  );
}

function SingleKeys() {
  const [isOn, setOn] = useState(areSingleKeysOn);
  const change = () => {
    setSingleKeys(!isOn);
    setOn(!isOn);
  };
  return (
    <button type="button" aria-pressed={isOn} onClick={change}>
      <kbd>/</kbd>
      Single keys{isOn && <Icon name="check" size={16} />}
    </button>
  );
}

const OwnSessions = ({ guid, onGo }: { guid: string; onGo: () => void }) => (
  <Link to="/users/$guid" params={{ guid }} search={{ tab: 'sessions' }} onClick={onGo}>
    <Icon name="session" size={16} />
    My sessions
  </Link>
);

const SignOut = () => (
  <form method="post" action="sign-out">
    <button type="submit">
      <Icon name="out" size={16} />
      Sign out
    </button>
  </form>
);

type Viewer = MeQuery['viewer'];

/** The person's other profiles that administer. */
function Profiles({ viewer: { profileId, administrationProfiles, sessionEndsAt } }: { viewer: Viewer }) {
  return (
    <>
      {administrationProfiles.length > 0 && <h3>As</h3>}
      {administrationProfiles.map((profile) => {
        const isPresent = profile.profileId === profileId;
        return (
          <button
            key={profile.profileId}
            type="button"
            aria-pressed={isPresent}
            onClick={() => void chooseProfile(profile.profileId).catch((error: Error) => refuse(error.message))}
          >
            <Icon name="profile" size={16} />
            {profile.name}
            {isPresent && <Icon name="check" size={16} />}
          </button>
        );
      })}
      {sessionEndsAt && (
        <p className="note">
          The session ends <Time iso={sessionEndsAt} />
        </p>
      )}
      <hr />
    </>
  );
}
