/** The ways: as a picture where they are few; of many the best one first, or, where none is open, groups by where they end. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { capital, fullName, plural } from '../../words';
import { type Explained, type Person, partsOf, shownWays, type Target, type Way } from './answer';
import { Picture } from './Picture';

interface WaysProps {
  explained: Explained;
  /** With names that tell them apart. */
  ways: readonly Way[];
  user: Person;
  application: Target;
}

/** Ways that a picture shows at once without hiding its ends. */
const inPictureMax = 6;

export function Ways({ explained: { openWays, ownWays }, ways, user, application }: WaysProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = shownWays(ways);
  if (shown.length <= inPictureMax) return <Picture ways={shown} user={user} application={application} />;
  const open = shown.filter((way) => way.isOpen);
  if (open.length === 0) return <Groups ways={shown} total={ownWays} user={user} />;
  const [best] = open.sort((one, other) => one.links.length - other.links.length);
  return (
    <>
      <Picture ways={isWhole ? open : [best!]} user={user} application={application} />
      <p className="ways-rest">
        <span>
          {isWhole && openWays > open.length
            ? `Shown: ${open.length} of ${openWays.toLocaleString('en')} open ways.`
            : openWays > 1 && `${(openWays - 1).toLocaleString('en')} more open it.`}
        </span>
        {open.length > 1 && (
          <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show the best way only' : `Show ${openWays > open.length ? open.length : `all ${openWays}`}`}
          </button>
        )}
      </p>
    </>
  );
}

interface GroupsProps {
  ways: readonly Way[];
  /** The number of ways through the user's profiles, including those that were not read. */
  total: number;
  user: Person;
}

/** Where the ways end, for each reason. */
function Groups({ ways, total, user }: GroupsProps) {
  const parts = ways.map(partsOf);
  const isOwn = parts.every(({ faults }) => faults.profile.length === 0);
  const groups = Map.groupBy(parts, ({ faults }) => [...faults.profile, ...faults.scope].join(', '));
  return (
    <section className="card" aria-labelledby="ways-end">
      <header>
        <h2 id="ways-end">Where the nearest ways end</h2>
      </header>
      {[...groups].map(([reason, own]) => (
        <details key={reason} className="way-group">
          <summary>
            <b>{capital(reason || 'further on')}</b>
            {isOwn && total === ways.length && <span className="mute"> {plural(own.length, 'way')}</span>}
          </summary>
          <ul>
            {own.map(({ profile, scope }) => (
              <li key={`${profile?.profileId} ${scope?.guid}`}>
                {scope?.name} <small className="mute">by {profile?.name}</small>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {isOwn && total > ways.length && (
        <footer className="rest">
          <span>
            Shown: {ways.length} of {total.toLocaleString('en')} ways
          </span>
          <Link className="link" to="/users/$guid" params={{ guid: user.userGuid }}>
            All profiles and access scopes of {fullName(user)}
          </Link>
        </footer>
      )}
    </section>
  );
}
