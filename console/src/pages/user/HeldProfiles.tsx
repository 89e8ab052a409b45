/** The profiles that a user holds; each card asks by itself what its profile opens, when it comes into sight. */
import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { dropDrafts, putDrafts, useDrafts } from '../../drafts';
import { isSameEnd } from '../../grantEnd';
import { ask } from '../../graph';
import { endingDraft, unassigningDraft } from '../../holdingDraft';
import type { UserHoldingsQuery } from '../../operations/generated/graph';
import { profileOpens, userHoldings } from '../../operations/generated/user';
import { EndSheet } from '../../record/EndSheet';
import { useMay } from '../../session';
import { Badge } from '../../ui/Badge';
import { Empty, Loading } from '../../ui/Empty';
import { GrantEnd } from '../../ui/GrantEnd';
import { PartList, useParts } from '../../ui/PartList';
import { IconTile, Tile } from '../../ui/Tile';
import { nameAndMail } from '../../words';
import type { UserRecord } from '../records';

type Held = UserHoldingsQuery['userProfiles']['nodes'][number];

const profilesInPart = 24;

export function HeldProfiles({ user }: { user: UserRecord }) {
  const { userGuid } = user;
  const parts = useParts(
    ['holdings of', userGuid],
    async (after, signal) => (await ask(userHoldings, { userGuid, first: profilesInPart, after }, signal)).userProfiles,
  );
  return (
    <PartList
      parts={parts}
      empty={
        <Empty icon="profile" title="No profile">
          Without a profile, the person opens no application and gets no token.
        </Empty>
      }
    >
      {(holdings) => (
        <div className="stack">
          {holdings.map((held) => (
            <HeldProfile key={held.userProfileId} held={held} user={user} />
          ))}
        </div>
      )}
    </PartList>
  );
}

function HeldProfile({ held, user }: { held: Held; user: UserRecord }) {
  const mayChange = useMay('admin:write');
  const { profile, role, revision } = held;
  const [isEnding, setEnding] = useState(false);
  const holding = {
    user,
    profileId: profile.profileId,
    profileName: profile.name,
    roleId: role.roleId,
    roleName: role.name,
    revision,
    validUntil: held.validUntil,
  };
  const removing = unassigningDraft(holding);
  const draft = useDrafts().find(({ key }) => key === removing.key);
  const isRemoved = draft?.sign === 'loss';
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
        {held.validUntil && <GrantEnd iso={held.validUntil} />}
        {draft && <Badge tone={isRemoved ? 'loss' : 'near'}>{isRemoved ? 'will be removed' : draft.to}</Badge>}
        {mayChange && !isRemoved && (
          <button
            type="button"
            className="button small"
            aria-label={`End of ${profile.name}`}
            onClick={() => setEnding(true)}
          >
            End…
          </button>
        )}
        {mayChange && (
          <button
            type="button"
            className="button small"
            aria-label={`${isRemoved ? 'Undo' : 'Remove'}: ${profile.name}`}
            onClick={() => (isRemoved ? dropDrafts([removing.key]) : putDrafts([removing]))}
          >
            {isRemoved ? 'Undo' : 'Remove'}
          </button>
        )}
      </header>
      {isEnding && (
        <EndSheet
          what={`${nameAndMail(user)} holds ${profile.name} as ${role.name}.`}
          present={held.validUntil}
          draftsFor={(end) => (isSameEnd(end, held.validUntil) ? [] : [endingDraft(holding, end)])}
          onClose={() => setEnding(false)}
        />
      )}
      <Opened profileId={profile.profileId} user={user} />
      <div className="note chips through-scopes">
        {scopes.nodes.map(({ accessScope: { accessScopeGuid, name, isActive } }) => (
          <Link key={accessScopeGuid} className="chip" to="/scopes/$guid" params={{ guid: accessScopeGuid }}>
            {isActive ? name : `${name}, out of use`}
          </Link>
        ))}
        {scopes.totalCount > scopes.nodes.length && (
          <Link
            className="chip more"
            to="/profiles/$id"
            params={{ id: profile.profileId }}
            search={{ tab: 'scopes' }}
            aria-label={`All ${scopes.totalCount} access scopes of ${profile.name} (+${(scopes.totalCount - scopes.nodes.length).toLocaleString('en')})`}
          >
            +{(scopes.totalCount - scopes.nodes.length).toLocaleString('en')}
          </Link>
        )}
        {scopes.totalCount === 0 && 'No access scope: it opens nothing.'}
      </div>
    </section>
  );
}

const openedInPart = 24;

/** The tiles of a portal: what this profile opens, each with the reason why. */
function Opened({ profileId, user }: { profileId: string; user: UserRecord }) {
  const box = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(box);
  const parts = useParts(
    ['opened by', profileId],
    async (after, signal) =>
      (await ask(profileOpens, { profileId, first: openedInPart, after }, signal)).profile?.opens,
    { enabled: isSeen },
  );
  if (parts.error)
    return (
      <p className="note" role="alert">
        What it opens could not be read: {(parts.error as Error).message}{' '}
        <button type="button" className="button small" onClick={parts.retry}>
          Try again
        </button>
      </p>
    );
  if (parts.isPending)
    return (
      <div className="openings-room" ref={box}>
        {isSeen && <Loading lines={2} />}
      </div>
    );
  return (
    <PartList
      parts={parts}
      all={(words) => (
        <Link className="link" to="/profiles/$id" params={{ id: profileId }}>
          {words}
        </Link>
      )}
      empty={<p className="note">It opens no application.</p>}
    >
      {(rows) => (
        <ul className="openings">
          {rows.map(({ application: { applicationGuid: application, name, appType } }) => (
            <li key={application}>
              <Link
                to="/why"
                search={{ user: user.userGuid, application }}
                title={`Why ${nameAndMail(user)} can open ${name}`}
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
      )}
    </PartList>
  );
}

/** Whether it has been in sight, or nearly. */
function useIsSeen(box: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !box.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '200px',
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isSeen, box]);
  return isSeen;
}
