/** Who holds a profile, and in which role. */
import { Link } from '@tanstack/react-router';
import { dropDrafts, putDrafts, useDrafts } from '../../drafts';
import { unassigningDraft } from '../../holdingDraft';
import { useMay } from '../../session';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Tile } from '../../ui/Tile';
import { fullName, plural } from '../../words';
import type { ProfileRecord } from '../records';

export function Holders({ profile }: { profile: ProfileRecord }) {
  const mayChange = useMay('admin:write');
  const drafts = useDrafts();
  const { nodes, totalCount } = profile.userProfiles;
  if (totalCount === 0)
    return (
      <Empty icon="users" title="Nobody holds it">
        On a user’s page it can be given.
      </Empty>
    );
  return (
    <section className="card" aria-label="Held by">
      <ul className="items">
        {nodes.map(({ userProfileId, user, role, revision }) => {
          const taking = unassigningDraft({
            userGuid: user.userGuid,
            userName: fullName(user),
            profileId: profile.profileId,
            profileName: profile.name,
            roleId: role.roleId,
            roleName: role.name,
            revision,
          });
          const isTaken = drafts.some(({ key }) => key === taking.key);
          return (
            <li key={userProfileId}>
              <Link className="with-tile" to="/users/$guid" params={{ guid: user.userGuid }}>
                <Tile name={fullName(user)} round />
                <span className="two-lines">
                  <b>{fullName(user)}</b>
                  <small>as {role.name}</small>
                </span>
              </Link>
              <span className="grow" />
              {user.isBlocked && <Badge tone="loss">blocked</Badge>}
              {isTaken && <Badge tone="loss">will be taken</Badge>}
              {mayChange && (
                <button
                  type="button"
                  className="button small"
                  aria-label={`${isTaken ? 'Take back' : 'Take'}: ${fullName(user)}`}
                  onClick={() => (isTaken ? dropDrafts([taking.key]) : putDrafts([taking]))}
                >
                  {isTaken ? 'Take back' : 'Take'}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {totalCount > nodes.length && (
        <p className="note">and {plural(totalCount - nodes.length, 'more person', 'more people')}</p>
      )}
    </section>
  );
}
