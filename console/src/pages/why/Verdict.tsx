/** Yes or no, with its reasons, to be read out. */
import { Icon } from '../../ui/icons';
import { fullName, plural } from '../../words';
import type { Explained, Person, Target } from './answer';

interface VerdictProps {
  explained: Explained;
  user: Person;
  application: Target;
}

export function Verdict({ explained: { isOpen, reasons, ways }, user, application }: VerdictProps) {
  const open = ways.filter((way) => way.isOpen).length;
  return (
    <div className={`verdict ${isOpen ? 'yes' : 'no'}`} role="status">
      <span className="seal">
        <Icon name={isOpen ? 'check' : 'x'} size={22} />
      </span>
      <div>
        <h2>
          {fullName(user)} {isOpen ? 'can' : 'can’t'} open {application.name}
        </h2>
        {isOpen && <p className="mute">{plural(open, 'way')} open.</p>}
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
