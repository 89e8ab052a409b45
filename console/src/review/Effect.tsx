/** Who gains and who loses, as the service says it: exact numbers, and names of the first few. */
import type { ReactNode } from 'react';
import type { Subject } from '../drafts';
import type { TryChangesMutation } from '../operations/generated/graph';
import { fullName, namesOf, plural } from '../words';

export type Effects = NonNullable<NonNullable<TryChangesMutation['applyChanges']>['effect']>;
type Item = Effects['gains']['items'][number];

export function EffectTotals({ effect }: { effect: Effects }) {
  const { gains, loses } = effect;
  return (
    <div className="effect">
      <Total
        className={gains.users > 0 ? 'gain' : ''}
        count={gains.users}
        words="gain access"
        sessions={gains.sessions}
      />
      <Total
        className={loses.users > 0 ? 'loss' : ''}
        count={loses.users}
        words="lose access"
        sessions={loses.sessions}
      />
    </div>
  );
}

interface TotalProps {
  className: string;
  count: number;
  words: string;
  sessions: number;
}

const Total = ({ className, count, words, sessions }: TotalProps) => (
  <div className={className}>
    <strong>{count.toLocaleString('en')}</strong>
    <span>
      {count === 1 ? 'person' : 'people'} {count === 1 ? words.replace(/^(gain|lose)/, '$1s') : words}
    </span>
    {sessions > 0 && <span>{plural(sessions, 'session')} open now</span>}
  </div>
);

const isOf =
  ({ kind, id }: Subject) =>
  ({ application, profile, user }: Item): boolean => {
    if (kind === 'application') return application?.applicationGuid === id;
    if (kind === 'profile') return profile.profileId === id;
    return kind === 'user' && user?.userGuid === id;
  };

/** What is under a subject: its gains, its losses, or that nobody is touched. */
export function EffectOf({ effect, subject }: { effect: Effects; subject: Subject }) {
  const gains = effect.gains.items.filter(isOf(subject));
  const loses = effect.loses.items.filter(isOf(subject));
  if (!['application', 'profile', 'user'].includes(subject.kind)) return null;
  if (gains.length + loses.length === 0) return <p className="none">Nobody gains or loses access by this.</p>;
  return (
    <>
      <Lines items={gains} sign="+" className="gain" subject={subject} />
      <Lines items={loses} sign="−" className="loss" subject={subject} />
    </>
  );
}

/** What changes for others than the subjects of the drafts, such as all that a scope opens. */
export function OtherEffects({ effect, subjects }: { effect: Effects; subjects: readonly Subject[] }) {
  const isOther = (item: Item) => !subjects.some((subject) => isOf(subject)(item));
  const gains = effect.gains.items.filter(isOther);
  const loses = effect.loses.items.filter(isOther);
  if (gains.length + loses.length === 0) return null;
  return (
    <div className="reviewed">
      <h3>What follows from it</h3>
      <div className="people">
        <Lines items={gains} sign="+" className="gain" />
        <Lines items={loses} sign="−" className="loss" />
      </div>
    </div>
  );
}

const linesMax = 4;

interface LinesProps {
  items: readonly Item[];
  sign: string;
  className: string;
  subject?: Subject;
}

/** Profiles with the most people first; the same people by several profiles are named once for each. */
function Lines({ items, sign, className, subject }: LinesProps) {
  const sorted = [...items].sort((one, other) => other.users - one.users);
  const rest = sorted.length - linesMax;
  return (
    <>
      {sorted.slice(0, linesMax).map((item) => (
        <p key={keyOf(item)} className={className}>
          {sign} {lineOf(item, subject)}
        </p>
      ))}
      {rest > 0 && (
        <p className={className}>
          {sign} and {plural(rest, 'more of these', 'more of these')}
        </p>
      )}
    </>
  );
}

const keyOf = ({ profile, application, scope, user }: Item): string =>
  [profile.profileId, application?.applicationGuid, scope, user?.userGuid].join(' ');

function lineOf({ profile, application, scope, user, users, people }: Item, subject?: Subject): ReactNode {
  if (user) return `${subject?.kind === 'user' ? '' : `${fullName(user)}: `}the profile ${profile.name}`;
  const what = application && subject?.kind !== 'application' ? `${application.name}: ` : scope ? `${scope}: ` : '';
  if (users === 0) return `${what}the profile ${profile.name}, which nobody holds`;
  return `${what}${namesOf(people.map(fullName), users)}${subject?.kind === 'profile' ? '' : `, by ${profile.name}`}`;
}
