/** Lists who gains and who loses by a large review: by profile, and each person, searched and paged by the service. */
import { useEffect, useRef, useState } from 'react';
import { ask, Refusal } from '../graph';
import { effectApplications, effectPeople, effectProfiles } from '../operations/generated/effect';
import type { EffectProfilesQuery } from '../operations/generated/graph';
import { ofReview } from '../readAgain';
import { PartList, useParts } from '../ui/PartList';
import { SearchField } from '../ui/SearchField';
import { Tile } from '../ui/Tile';
import { fullName, plural } from '../words';
import { type Effects, isListed, thingsWords } from './Effect';
import '../theme/reviewed.css';

const profilesInPart = 6;
const peopleInPart = 12;

/** Absent where the groups of the review list everyone themselves. */
export const Affected = ({ effect, again, isAlways = false }: AffectedProps) =>
  isListed(effect) && !isAlways ? null : <Lists effect={effect} again={again} />;

interface AffectedProps {
  effect: Effects;
  isAlways?: boolean;
  /** Counts again: what was counted is forgotten after some minutes, or when the catalogue changed. */
  again: () => void;
}

/** How often it counts again by itself. */
const againMax = 2;

function Lists({ effect, again }: Omit<AffectedProps, 'isAlways'>) {
  const { effectId, gains, loses } = effect;
  const profiles = useParts([ofReview, 'profiles of effect', effectId], async (after, signal) => {
    return (await ask(effectProfiles, { effectId, first: profilesInPart, after }, signal)).effect.groups;
  });
  const isGone = profiles.error instanceof Refusal && profiles.error.code === 'NOT_FOUND';
  const count = useRef(0);
  const latest = useRef(again);
  latest.current = again;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each effect that is gone
  useEffect(() => {
    if (isGone && count.current++ < againMax) latest.current();
  }, [isGone, effectId]);
  if (isGone)
    return (
      <p className="notice near" role="alert">
        <span>The list is kept only for some minutes. Count again to see it.</span>
        <button type="button" className="button small" onClick={again}>
          Count again
        </button>
      </p>
    );
  return (
    <section className="reviewed affected" aria-label="Who is affected">
      <PartList parts={profiles} empty={null}>
        {(groups) => (
          <ul>
            {groups.map((group) => (
              <ProfileLine key={group.key} group={group} />
            ))}
          </ul>
        )}
      </PartList>
      {gains.users > 0 && <People effectId={effectId} isGain count={gains.users} again={again} />}
      {loses.users > 0 && <People effectId={effectId} isGain={false} count={loses.users} again={again} />}
      {gains.applications + loses.applications > 0 && <Applications effectId={effectId} />}
    </section>
  );
}

type ProfileGroup = EffectProfilesQuery['effect']['groups']['nodes'][number];
type Sums = ProfileGroup['gains'];

function ProfileLine({ group: { label, gains, loses } }: { group: ProfileGroup }) {
  const lines: [sums: Sums, className: string, sign: string, verb: string][] = [
    [gains, 'gain', '+', 'gain'],
    [loses, 'loss', '−', 'lose'],
  ];
  return lines
    .filter(([{ users }]) => users > 0)
    .map(([sums, className, sign, verb]) => (
      <li key={verb} className={className}>
        <span aria-hidden="true">{sign}</span>
        <b>{label}</b>
        <span>
          {plural(sums.users, 'person', 'people')} {sums.users === 1 ? `${verb}s` : verb} {thingsWords(sums)}
        </span>
      </li>
    ));
}

/** The applications that somebody gains or loses, each with how many people. */
function Applications({ effectId }: { effectId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="affected-applications">
      <button
        type="button"
        className="button small"
        data-list="applications"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide the applications' : 'Show the applications'}
      </button>
      {isOpen && <ApplicationList effectId={effectId} />}
    </div>
  );
}

function ApplicationList({ effectId }: { effectId: string }) {
  const applications = useParts([ofReview, 'applications of effect', effectId], async (after, signal) => {
    return (await ask(effectApplications, { effectId, first: peopleInPart, after }, signal)).effect.groups;
  });
  return (
    <PartList parts={applications} empty={null}>
      {(found) => (
        <ul className="affected-list">
          {found.map(({ key, label, gains, loses }) => (
            <li key={key}>
              <Tile name={label} size="small" />
              <b className="grow">{label}</b>
              {gains.users > 0 && <span className="gain-text">+ {plural(gains.users, 'person', 'people')}</span>}
              {loses.users > 0 && <span className="loss-text">− {plural(loses.users, 'person', 'people')}</span>}
            </li>
          ))}
        </ul>
      )}
    </PartList>
  );
}

interface PeopleProps {
  effectId: string;
  isGain: boolean;
  count: number;
  again: () => void;
}

function People({ effectId, isGain, count, again }: PeopleProps) {
  const [isOpen, setOpen] = useState(count <= peopleInPart);
  const words = `${plural(count, 'person', 'people')} who ${isGain ? 'gain' : 'lose'}${count === 1 ? 's' : ''}`;
  return (
    <div className="affected-people">
      <button
        type="button"
        className="button small"
        data-list={isGain ? 'gain' : 'lose'}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? `Hide the ${words}` : `Show the ${words}`}
      </button>
      {isOpen && <PeopleList effectId={effectId} isGain={isGain} label={`Find in the ${words}`} again={again} />}
    </div>
  );
}

function PeopleList({ effectId, isGain, label, again }: Omit<PeopleProps, 'count'> & { label: string }) {
  const [text, setText] = useState('');
  const people = useParts([ofReview, 'people of effect', effectId, isGain, text], async (after, signal) => {
    const asked = { effectId, isGain, text: text || null, first: peopleInPart, after };
    const { gains, loses } = (await ask(effectPeople, asked, signal)).effect;
    return (gains ?? loses)?.people;
  });
  // a list that is gone is counted again, and asked again with what was counted then
  const isGone = people.error instanceof Refusal && people.error.code === 'NOT_FOUND';
  return (
    <>
      <SearchField label={label} placeholder="Name or e-mail" value={text} onChange={setText} />
      {isGone ? (
        <button type="button" className="button small" onClick={again}>
          Count again
        </button>
      ) : (
        <PartList parts={people} empty={<p className="none">No person matches.</p>}>
          {(found) => (
            <ul className="affected-list">
              {found.map((person) => (
                <li key={person.userGuid}>
                  <Tile name={fullName(person)} round size="small" />
                  <span className="two-lines">
                    <b>{fullName(person)}</b>
                    <small>{[person.email, person.department].filter(Boolean).join(' · ')}</small>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </PartList>
      )}
    </>
  );
}
