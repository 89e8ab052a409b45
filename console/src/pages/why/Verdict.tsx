/** Yes or no, with its reasons, to be read out. */
import { Icon } from '../../ui/icons';
import { fullName, plural } from '../../words';
import type { Explained, Person, Target } from './answer';

interface VerdictProps {
  explained: Explained;
  user: Person;
  application: Target;
}

/** Sentences that are read one by one. */
const reasonsMax = 4;

export function Verdict({ explained: { isOpen, reasons, openWays, ownWays }, user, application }: VerdictProps) {
  // many ways that end alike are one sentence; the groups under it say where they end
  const isMany = !isOpen && reasons.length > reasonsMax;
  return (
    <div className={`verdict ${isOpen ? 'yes' : 'no'}`} role="status">
      <span className="seal">
        <Icon name={isOpen ? 'check' : 'x'} size={22} />
      </span>
      <div>
        <h2>
          {fullName(user)} {isOpen ? 'can' : 'can’t'} open {application.name}
        </h2>
        {isOpen && <p className="mute">{plural(openWays, 'way')} open.</p>}
        {isMany && (
          <p className="mute">
            {ownWays > 0
              ? `None of the ${plural(ownWays, 'way')} by own profiles and their access scopes leads to it.`
              : 'No own profile leads to it.'}
          </p>
        )}
        <ul>
          {(isMany ? [] : reasons).map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
