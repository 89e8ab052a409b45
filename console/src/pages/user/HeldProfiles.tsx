/** The profiles that a user holds, with the scopes of each. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dropDrafts, putDrafts, useDrafts } from '../../drafts';
import { unassigningDraft } from '../../holdingDraft';
import { useMay } from '../../session';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { IconTile, Tile } from '../../ui/Tile';
import { fullName } from '../../words';
import type { UserRecord } from '../records';

type Held = UserRecord['userProfiles']['nodes'][number];

export function HeldProfiles({ user }: { user: UserRecord }) {
  if (user.userProfiles.totalCount === 0)
    return (
      <Empty icon="profile" title="No profile">
        Without a profile nothing is opened, and nobody can sign in as one.
      </Empty>
    );
  return (
    <div className="stack">
      {user.userProfiles.nodes.map((held) => (
        <HeldProfile key={held.userProfileId} held={held} user={user} />
      ))}
    </div>
  );
}

function HeldProfile({ held, user }: { held: Held; user: UserRecord }) {
  const mayChange = useMay('admin:write');
  const { profile, role, revision } = held;
  const taking = unassigningDraft({
    userGuid: user.userGuid,
    userName: fullName(user),
    profileId: profile.profileId,
    profileName: profile.name,
    roleId: role.roleId,
    roleName: role.name,
    revision,
  });
  const isTaken = useDrafts().some(({ key }) => key === taking.key);
  const scopes = profile.profileAccessScopes;
  return (
    <section className="card" aria-label={profile.name}>
      <header>
        <Link className="with-tile" to="/profiles/$id" params={{ id: profile.profileId }}>
          <IconTile icon="profile" />
          <span className="two-lines">
            <b>{profile.name}</b>
            <small>as {role.name}</small>
          </span>
        </Link>
        <span className="grow" />
        {isTaken && <Badge tone="loss">will be taken</Badge>}
        {mayChange && (
          <button
            type="button"
            className="button small"
            aria-label={isTaken ? `Take back: ${profile.name}` : `Take: ${profile.name}`}
            onClick={() => (isTaken ? dropDrafts([taking.key]) : putDrafts([taking]))}
          >
            {isTaken ? 'Take back' : 'Take'}
          </button>
        )}
      </header>
      <Opened applications={profile.openedApplications} user={user} />
      <div className="note chips through-scopes">
        {scopes.nodes.map(({ accessScope: { accessScopeGuid, name, isActive } }) => (
          <Link key={accessScopeGuid} className="chip" to="/scopes/$guid" params={{ guid: accessScopeGuid }}>
            {isActive ? name : `${name}, out of use`}
          </Link>
        ))}
        {scopes.totalCount > scopes.nodes.length && (
          <span className="chip more">+{scopes.totalCount - scopes.nodes.length}</span>
        )}
        {scopes.totalCount === 0 && 'No access scope: it opens nothing.'}
      </div>
    </section>
  );
}

const openedMax = 24;

/** The tiles of a portal: what this profile opens, each with the reason why. */
function Opened({ applications, user }: { applications: Held['profile']['openedApplications']; user: UserRecord }) {
  const [isWhole, setWhole] = useState(false);
  if (applications.length === 0) return <p className="note">It opens no application.</p>;
  const shown = isWhole ? applications : applications.slice(0, openedMax);
  return (
    <>
      <ul className="openings">
        {shown.map(({ applicationGuid: application, name, appType }) => (
          <li key={application}>
            <Link
              to="/why"
              search={{ user: user.userGuid, application }}
              title={`Why ${fullName(user)} can open ${name}`}
            >
              <Tile name={name} />
              <span className="two-lines">
                <b>{name}</b>
                <small>{appType}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {applications.length > shown.length && (
        <p className="note">
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            All {applications.length.toLocaleString('en')} applications
          </button>
        </p>
      )}
    </>
  );
}
