/** Who does not get a profile and why, then who gets it. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { endDate } from '../../grantEnd';
import { Blocked } from '../../ui/Badge';
import { Icon } from '../../ui/icons';
import { Tile } from '../../ui/Tile';
import { fullName, plural } from '../../words';
import type { Found, FoundPerson, Holder } from './found';

interface WhoGetsItProps {
  found: Found;
  /** Those who hold it, and would hold it longer. */
  extended: readonly Holder[];
  isExtending: boolean;
  onExtend: () => void;
  /** Absent: nothing was pasted. */
  onReplace?: (email: string, by: string) => void;
}

const shownMax = 6;

export function WhoGetsIt({ found, extended, isExtending, onExtend, onReplace }: WhoGetsItProps) {
  const { receive, people, holds, holders, blocked, blockedCount, unknown, isReading, department } = found;
  const [isWhole, setWhole] = useState(false);
  const near = unknown.filter(({ suggestion }) => suggestion);
  const others = unknown.filter(({ suggestion }) => !suggestion);
  const left = unknown.length + blockedCount + holds;
  if (isReading) return <p className="mute">Looking them up…</p>;
  if (left + receive.length === 0) return null;
  const shown = isWhole ? people : people.slice(0, shownMax);
  const unnamed = blockedCount - blocked.length;
  return (
    <section className="who-gets" aria-label="Who gets it">
      <h3>
        <span role="status">
          {plural(receive.length, 'person gets', 'people get')} it
          {left > 0 && `, ${left.toLocaleString('en')} ${left === 1 ? 'does' : 'do'} not`}
        </span>
      </h3>
      <ul>
        {near.map(({ email, suggestion }) => (
          <li key={email}>
            <Mark isFault />
            <span className="two-lines whole">
              <b>{email}</b>
              <small>Not known. Did you mean {suggestion}?</small>
            </span>
            {onReplace && (
              <button
                type="button"
                className="button small"
                aria-label={`Use ${suggestion}`}
                onClick={() => onReplace(email, suggestion!)}
              >
                Use it
              </button>
            )}
          </li>
        ))}
        {others.length > 0 && (
          <Group
            isFault
            title={`${plural(others.length, 'address is', 'addresses are')} not known`}
            lines={others.map(({ email }) => email)}
          />
        )}
        {blocked.map((person) => (
          <Person key={person.userGuid} person={person} hint="left out" isBlocked />
        ))}
        {unnamed > 0 && (
          <Group title={`${plural(unnamed, 'person is', 'people are')} blocked, and left out`} lines={[]} />
        )}
        {holds > 0 && (
          <Group
            title={`${plural(holds, 'person holds', 'people hold')} it already`}
            lines={holders.map(
              ({ person, validUntil }) =>
                `${person.email ?? fullName(person)} ${validUntil ? `until ${endDate(validUntil)}` : 'without an end'}`,
            )}
          >
            {extended.length > 0 && (
              <button type="button" className="button small" aria-pressed={isExtending} onClick={onExtend}>
                {isExtending ? `Extending ${extended.length.toLocaleString('en')}` : 'Extend'}
              </button>
            )}
          </Group>
        )}
        {shown.map((person) => (
          <Person key={person.userGuid} person={person} />
        ))}
      </ul>
      {shown.length < receive.length &&
        people.length > 0 &&
        (people.length === receive.length ? (
          <button type="button" className="link" onClick={() => setWhole(true)}>
            All {plural(receive.length, 'person', 'people')}
          </button>
        ) : (
          department !== undefined && (
            <p className="mute">
              Shown: {shown.length} of {receive.length.toLocaleString('en')}.{' '}
              <Link className="link" to="/users" search={{ department }}>
                All people of {department}
              </Link>
            </p>
          )
        ))}
    </section>
  );
}

const Mark = ({ isFault = false }: { isFault?: boolean }) => (
  <span className={`who-mark${isFault ? ' fault' : ''}`}>
    <Icon name={isFault ? 'alert' : 'check'} size={15} />
  </span>
);

interface GroupProps {
  title: string;
  lines: readonly string[];
  isFault?: boolean;
  children?: React.ReactNode;
}

/** The first two in a line; all of them when they are asked for. */
function Group({ title, lines, isFault = false, children }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Mark isFault={isFault} />
      <span className={`two-lines${isOpen ? ' whole' : ''}`}>
        <b>{title}</b>
        {isOpen ? lines.map((line) => <small key={line}>{line}</small>) : <small>{lines.slice(0, 2).join(', ')}</small>}
      </span>
      {lines.length > 2 && (
        <button type="button" className="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : `Show ${lines.length.toLocaleString('en')}`}
        </button>
      )}
      {children}
    </li>
  );
}

interface PersonProps {
  person: FoundPerson;
  hint?: string;
  isBlocked?: boolean;
}

const Person = ({ person, hint, isBlocked = false }: PersonProps) => (
  <li>
    <Tile name={fullName(person)} round size="small" />
    <span className="two-lines">
      <b>{fullName(person)}</b>
      <small>{[person.email, person.department, hint].filter(Boolean).join(' · ')}</small>
    </span>
    <Blocked isBlocked={isBlocked} />
  </li>
);
