/** Who gains and who loses, as the service counts it: never from a list that is cut. */
import type { ReactNode } from 'react';
import type { Draft, Subject } from '../drafts';
import type { TryChangesMutation } from '../operations/generated/graph';
import { nameAndMail, namesOf, plural } from '../words';
import { showList } from './showList';
import '../theme/reviewed.css';

export type Effects = Pick<
  NonNullable<NonNullable<TryChangesMutation['applyChanges']>['effect']>,
  'effectId' | 'gains' | 'loses' | 'tokens'
>;
type Delta = Effects['gains'];
type Sums = Pick<Delta, 'users' | 'applications' | 'scopes' | 'pairs' | 'least' | 'most'>;
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
  proposed?: Record<'gains' | 'loses', Pick<Sums, 'users' | 'applications'>>;
}

export function EffectTotals({ effect, isCounting = false, proposed }: EffectTotalsProps) {
  const { gains, loses, tokens } = effect;
  const isOfThings = gains.users + loses.users > 0;
  // where the groups name everyone, they are the proof
  const leads = !isListed(effect) || proposed !== undefined;
  return (
    <>
      <div className={`effect${isOfThings ? ' three' : ''}${isCounting ? ' counting' : ''}`} aria-busy={isCounting}>
        <Total
          className={gains.users > 0 ? 'gain' : ''}
          sign="+"
          list={leads && gains.users > 0 ? 'gain' : undefined}
          words="gain access"
          delta={gains}
          then={proposed?.gains.users}
        />
        <Total
          className={loses.users > 0 ? 'loss' : ''}
          sign="−"
          list={leads && loses.users > 0 ? 'lose' : undefined}
          words="lose access"
          delta={loses}
          then={proposed?.loses.users}
        />
        {isOfThings && (
          <div>
            <Proven list={leads ? 'applications' : undefined} words="Show the applications">
              {(gains.users > 0 ? gains : loses).applications.toLocaleString('en')}
            </Proven>
            <span>{gains.users > 0 ? appsWords(gains, 'gain') : appsWords(loses, 'lose')}</span>
            {gains.scopes > 0 && <span>{plural(gains.scopes, 'scope')} gained</span>}
            {gains.users > 0 && loses.applications > 0 && (
              <span>
                {loses.applications.toLocaleString('en')} {appsWords(loses, 'lose')}
              </span>
            )}
            {loses.scopes > 0 && <span>{plural(loses.scopes, 'scope')} lost</span>}
            <Then now={gains.applications} then={proposed?.gains.applications} />
          </div>
        )}
        <p role="status">{isCounting ? 'Counting…' : ''}</p>
      </div>
      {tokens.users > 0 && (
        <p className="tokens-line">
          Tokens that change: those of {plural(tokens.users, 'person', 'people')} for{' '}
          {plural(tokens.profiles, 'profile')}
          {tokens.sessions > 0 && `, ${plural(tokens.sessions, 'session')} open now`}.
          {loses.users > 0 && hears(tokens.eventStreams)}
        </p>
      )}
    </>
  );
}

const namedMax = 5;

/** Which event streams hear of it; nothing where there are none, or the reader may not know. */
function hears(streams: readonly string[] | null): string {
  if (!streams || streams.length === 0) return '';
  const more = streams.length - namedMax;
  const names = streams.slice(0, namedMax).join(', ');
  return ` Event streams that hear of it: ${names}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** “3 applications and 1 scope”; “8 to 1,230 applications each” where not everybody has all of them. */
export function thingsWords({ users, applications, scopes, pairs, least, most }: Sums): string {
  const range =
    least === most ? plural(most, 'application') : `${least.toLocaleString('en')} to ${plural(most, 'application')}`;
  const own = pairs === users * applications ? plural(applications, 'application') : `${range} each`;
  return [...(applications > 0 ? [own] : []), ...(scopes > 0 ? [plural(scopes, 'scope')] : [])].join(' and ');
}

/** What at least one of the people gains or loses; “of theirs” where it is not the same for all. */
const appsWords = ({ users, applications, pairs }: Sums, verb: 'gain' | 'lose'): string => {
  const one = applications === 1 ? 'application' : 'applications';
  const whom = users === 1 ? 'this person' : pairs === users * applications ? 'each of them' : 'at least one of them';
  return `${one} that ${whom} ${verb}s`;
};

/** Who gains or loses by a group of changes. */
export function SumLine({ sums, verb }: { sums: Sums; verb: 'gain' | 'lose' }) {
  const { users } = sums;
  if (users === 0) return null;
  return (
    <p className={verb === 'gain' ? 'gain' : 'loss'}>
      {verb === 'gain' ? '+' : '−'} {plural(users, 'person', 'people')} {users === 1 ? `${verb}s` : verb}{' '}
      {thingsWords(sums)}
    </p>
  );
}

interface TotalProps {
  className: string;
  sign: string;
  words: string;
  /** The list of these people; undefined: there is none of its own. */
  list: 'gain' | 'lose' | undefined;
  delta: Delta;
  then: number | undefined;
}

interface ProvenProps {
  list: Parameters<typeof showList>[0] | undefined;
  words: string;
  children: ReactNode;
}

/** A number that leads to its list. */
const Proven = ({ list, words, children }: ProvenProps) => (
  <strong>
    {list ? (
      <button type="button" title={words} onClick={() => showList(list)}>
        {children}
      </button>
    ) : (
      children
    )}
  </strong>
);

const Then = ({ now, then }: { now: number | undefined; then: number | undefined }) =>
  now === undefined || then === undefined || now === then ? null : (
    <span>{then.toLocaleString('en')} when it was proposed</span>
  );

const Total = ({ className, sign, words, list, delta: { users }, then }: TotalProps) => (
  <div className={className}>
    <Proven list={list} words="Show the people">
      {users > 0 && <span aria-hidden="true">{sign} </span>}
      {users.toLocaleString('en')}
    </Proven>
    <span>
      {users === 1 ? 'person' : 'people'} {users === 1 ? words.replace(/^(gain|lose)/, '$1s') : words}
    </span>
    <Then now={users} then={then} />
  </div>
);

/** What of an item is of the subject; undefined where nothing is. */
function partOf(item: Item, { kind, id }: Subject): Item | undefined {
  if (kind === 'profile') return item.profile.profileId === id ? item : undefined;
  if (kind === 'user') return item.user.userGuid === id ? item : undefined;
  const applications = item.applications.filter(({ applicationGuid }) => applicationGuid === id);
  if (kind !== 'application' || applications.length === 0) return undefined;
  return { ...item, applications, applicationCount: 1, scopes: [] };
}

/** What of an item is of none of the subjects. */
function restOf(item: Item, subjects: readonly Subject[]): Item[] {
  if (subjects.some(({ kind, id }) => kind !== 'application' && partOf(item, { kind, id } as Subject))) return [];
  const guids = new Set(subjects.map(({ id }) => id));
  const applications = item.applications.filter(({ applicationGuid }) => !guids.has(applicationGuid));
  const applicationCount = item.applicationCount - item.applications.length + applications.length;
  return applicationCount + item.scopes.length > 0 ? [{ ...item, applications, applicationCount }] : [];
}

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
  const ofGroup = (item: Item) => subjects.flatMap((subject) => partOf(item, subject) ?? []);
  // what only gives takes from nobody: losses of the same record come of other changes
  const gained = drafts.some(({ sign }) => sign !== 'loss') ? itemsOf(gains).flatMap(ofGroup) : [];
  const lost = drafts.some(({ sign }) => sign !== 'gain') ? itemsOf(loses).flatMap(ofGroup) : [];
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
  const rest = (delta: Delta) => itemsOf(delta).flatMap((item) => restOf(item, subjects));
  const [gained, lost] = [rest(gains), rest(loses)];
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

/** One line for the people who gain or lose the same by one profile: those with the most people first. */
function Lines({ items, sign, className, subject }: LinesProps) {
  const lines = [
    ...Map.groupBy(items, ({ profile, applications, applicationCount, scopes }) =>
      JSON.stringify([profile.profileId, applications.map((each) => each.applicationGuid), applicationCount, scopes]),
    ),
  ];
  const sorted = lines.sort(([, one], [, other]) => other.length - one.length);
  return sorted.map(([key, own]) => (
    <p key={key} className={className}>
      {sign} {lineOf(own, subject)}
    </p>
  ));
}

function lineOf(items: readonly Item[], subject: Subject | undefined): string {
  const [{ profile, applications, applicationCount, scopes }] = items as [Item];
  const who =
    subject?.kind === 'user'
      ? ''
      : namesOf(
          items.map(({ user }) => nameAndMail(user)),
          items.length,
        );
  const names = [
    namesOf(
      applications.map(({ name }) => name),
      applicationCount,
    ),
    namesOf(scopes, scopes.length),
  ].filter(Boolean);
  const what = subject?.kind === 'application' ? '' : names.join('; ');
  const text = [what, who].filter(Boolean).join(': ');
  return `${text}${subject?.kind === 'profile' ? '' : `, by ${profile.name}`}`;
}
