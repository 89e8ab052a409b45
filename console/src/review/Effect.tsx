/** Who gains and who loses, as the service counts it: never from a list that is cut. */
import type { Draft, Subject } from '../drafts';
import type { TryChangesMutation } from '../operations/generated/graph';
import { nameAndMail, namesOf, plural } from '../words';
import '../theme/reviewed.css';

export type Effects = Pick<
  NonNullable<NonNullable<TryChangesMutation['applyChanges']>['effect']>,
  'effectId' | 'gains' | 'loses'
>;
type Delta = Effects['gains'];
type Sums = Pick<Delta, 'users' | 'applications' | 'sessions'>;
type Item = NonNullable<Delta['items']>['nodes'][number];

/** Most items that are asked for, and of a review with more drafts none; the others are listed by `Affected`. */
const itemsMax = 200;
export const fewDrafts = 100;
const isWhole = ({ items }: Delta): boolean => items !== undefined && items.nodes.length < itemsMax;
const itemsOf = ({ items }: Delta): readonly Item[] => items?.nodes ?? [];

/** Whether the groups of a review can say who gains and loses. */
export const isListed = ({ gains, loses }: Effects): boolean => isWhole(gains) && isWhole(loses);

interface EffectTotalsProps {
  effect: Effects;
  isCounting?: boolean;
  /** What was counted when it was proposed. */
  proposed?: { gains: { users: number }; loses: { users: number }; opened: number };
  /** How many applications the profiles open that people gain or lose. */
  opened?: number | null;
}

export function EffectTotals({ effect, isCounting = false, proposed, opened }: EffectTotalsProps) {
  const { gains, loses } = effect;
  const isOfApplications = gains.applications + loses.applications > 0;
  return (
    <div
      className={`effect${isOfApplications || opened ? ' three' : ''}${isCounting ? ' counting' : ''}`}
      aria-busy={isCounting}
    >
      <Total
        className={gains.users > 0 ? 'gain' : ''}
        sign="+"
        words="gain access"
        delta={gains}
        then={proposed?.gains.users}
      />
      <Total
        className={loses.users > 0 ? 'loss' : ''}
        sign="−"
        words="lose access"
        delta={loses}
        then={proposed?.loses.users}
      />
      {isOfApplications && (
        <div>
          <strong>{gains.applications.toLocaleString('en')}</strong>
          <span>{gains.applications === 1 ? 'application' : 'applications'} newly opened</span>
          {loses.applications > 0 && <span>{plural(loses.applications, 'application')} no longer open</span>}
        </div>
      )}
      {!isOfApplications && !!opened && (
        <div>
          <strong>{opened.toLocaleString('en')}</strong>
          <span>{opened === 1 ? 'application' : 'applications'} of the profiles concerned</span>
          <Then now={opened} then={proposed?.opened} />
        </div>
      )}
      <p role="status">{isCounting ? 'Counting…' : ''}</p>
    </div>
  );
}

/** Who gains or loses by a group of changes. */
export function SumLine({ sums: { users, applications, sessions }, verb }: { sums: Sums; verb: 'gain' | 'lose' }) {
  if (users === 0) return null;
  return (
    <p className={verb === 'gain' ? 'gain' : 'loss'}>
      {verb === 'gain' ? '+' : '−'} {plural(users, 'person', 'people')} {users === 1 ? `${verb}s` : verb}{' '}
      {applications > 0 ? plural(applications, 'application') : 'it'}
      {sessions > 0 && `, ${plural(sessions, 'session')} open now`}
    </p>
  );
}

interface TotalProps {
  className: string;
  sign: string;
  words: string;
  delta: Delta;
  then: number | undefined;
}

const Then = ({ now, then }: { now: number | undefined; then: number | undefined }) =>
  now === undefined || then === undefined || now === then ? null : (
    <span>{then.toLocaleString('en')} when it was proposed</span>
  );

const Total = ({ className, sign, words, delta: { users, sessions }, then }: TotalProps) => (
  <div className={className}>
    <strong>
      {users > 0 && <span aria-hidden="true">{sign} </span>}
      {users.toLocaleString('en')}
    </strong>
    <span>
      {users === 1 ? 'person' : 'people'} {users === 1 ? words.replace(/^(gain|lose)/, '$1s') : words}
    </span>
    {sessions > 0 && <span>{plural(sessions, 'session')} open now</span>}
    <Then now={users} then={then} />
  </div>
);

const isOf =
  ({ kind, id }: Subject) =>
  ({ application, profile, user }: Item): boolean => {
    if (kind === 'application') return application?.applicationGuid === id;
    if (kind === 'profile') return profile.profileId === id;
    return kind === 'user' && user?.userGuid === id;
  };

interface EffectOfProps {
  effect: Effects;
  drafts: readonly Draft[];
}

/** Who gains and who loses by a group, by name, where all of them were read. */
export function EffectOf({ effect, drafts }: EffectOfProps) {
  const subjects = [...new Map(drafts.map(({ subject }) => [subject.id, subject])).values()];
  if (!subjects.some(({ kind }) => ['application', 'profile', 'user'].includes(kind))) return null;
  const { gains, loses } = effect;
  if (!isListed(effect)) return null;
  const ofGroup = (item: Item) => subjects.some((subject) => isOf(subject)(item));
  // what only gives takes from nobody: losses of the same record come of other changes
  const gained = drafts.some(({ sign }) => sign !== 'loss') ? itemsOf(gains).filter(ofGroup) : [];
  const lost = drafts.some(({ sign }) => sign !== 'gain') ? itemsOf(loses).filter(ofGroup) : [];
  const [only] = subjects.length === 1 ? subjects : [];
  return (
    <>
      <Lines items={gained} sign="+" className="gain" subject={only} />
      <Lines items={lost} sign="−" className="loss" subject={only} />
    </>
  );
}

/** What changes for others than the subjects of the drafts, such as all that a scope opens. */
export function OtherEffects({ effect, subjects }: { effect: Effects; subjects: readonly Subject[] }) {
  const { gains, loses } = effect;
  if (!isListed(effect)) return null;
  const isOther = (item: Item) => !subjects.some((subject) => isOf(subject)(item));
  const [gained, lost] = [itemsOf(gains).filter(isOther), itemsOf(loses).filter(isOther)];
  if (gained.length + lost.length === 0) return null;
  return (
    <div className="reviewed">
      <h3>What follows from it</h3>
      <div className="people">
        <Lines items={gained} sign="+" className="gain" />
        <Lines items={lost} sign="−" className="loss" />
      </div>
    </div>
  );
}

interface LinesProps {
  items: readonly Item[];
  sign: string;
  className: string;
  subject?: Subject | undefined;
}

/** One line for each profile and person: those with the most people first. */
function Lines({ items, sign, className, subject }: LinesProps) {
  const lines = [...Map.groupBy(items, ({ profile, user }) => JSON.stringify([profile.profileId, user?.userGuid]))];
  const sorted = lines.sort(([, one], [, other]) => mostUsers(other) - mostUsers(one));
  return sorted.map(([key, own]) => (
    <p key={key} className={className}>
      {sign} {lineOf(own, subject)}
    </p>
  ));
}

const mostUsers = (items: readonly Item[]): number => Math.max(...items.map(({ users }) => users));

function lineOf(items: readonly Item[], subject: Subject | undefined): string {
  const [{ profile, user, people, users }] = items as [Item];
  if (user) return `${subject?.kind === 'user' ? '' : `${nameAndMail(user)}: `}the profile ${profile.name}`;
  const what = subject?.kind === 'application' ? '' : `${whatOf(items)}: `;
  if (mostUsers(items) === 0) return `${what}the profile ${profile.name}, which nobody holds`;
  const sameForAll = items.every((item) => item.users === users);
  const who = sameForAll
    ? namesOf(people.map(nameAndMail), users)
    : `up to ${plural(mostUsers(items), 'person', 'people')}`;
  return `${what}${who}${subject?.kind === 'profile' ? '' : `, by ${profile.name}`}`;
}

function whatOf(items: readonly Item[]): string {
  const names = items.flatMap(({ application, scope }) => application?.name ?? scope ?? []);
  return names.length === 1 ? names[0]! : plural(names.length, items[0]!.application ? 'application' : 'scope');
}
