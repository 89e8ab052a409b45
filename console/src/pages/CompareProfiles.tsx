/** Two profiles side by side, and who holds both without need. */
import { useState } from 'react';
import { dropDrafts, putDrafts, useDrafts } from '../drafts';
import { ask } from '../graph';
import { compareProfilesCounts, profileToCompare, redundantHolders } from '../operations/generated/compare';
import { useProfilePicks } from '../picks';
import { useMay } from '../session';
import { Failure } from '../ui/Failure';
import { PartList, useParts } from '../ui/PartList';
import { SaveCsv } from '../ui/SaveCsv';
import { plural } from '../words';
import { Comparison } from './compare/Comparison';
import { countsOf } from './compare/counts';
import { type ComparedItem, listsOfProfiles, type Pair, personItem } from './compare/lists';

export const CompareProfiles = () => (
  <Comparison
    title="Compare two profiles"
    sub="What only one has, what both have, and who holds both."
    list={{ to: '/profiles', label: 'Profiles' }}
    one="profile"
    lists={listsOfProfiles}
    usePicks={useProfilePicks}
    readName={async (profileId, signal) => (await ask(profileToCompare, { profileId }, signal)).profile?.name}
    read={async (pair, signal) => {
      const { left, right, compareProfiles } = await ask(compareProfilesCounts, pair, signal);
      return { left: left?.name, right: right?.name, counts: countsOf(compareProfiles) };
    }}
    act={(scope, list, profile) => list.key === 'scopes' && <Give scope={scope} profile={profile} />}
    more={(pair, names) => <Redundant key={`${pair.left} ${pair.right}`} pair={pair} names={names} />}
  />
);

/** Drafts that the other profile gets the access scope, too. */
function Give({ scope, profile }: { scope: ComparedItem; profile: { id: string; name: string } }) {
  const mayChange = useMay('admin:write');
  const key = `scope ${scope.key} of ${profile.id}`;
  const isDrafted = useDrafts().some((draft) => draft.key === key);
  if (!mayChange) return null;
  const give = () =>
    putDrafts([
      {
        key,
        subject: { kind: 'profile', id: profile.id, name: profile.name },
        label: scope.name,
        from: '',
        to: '',
        sign: 'gain',
        change: { assignAccessScope: { profileId: profile.id, accessScopeGuid: scope.key, validUntil: null } },
      },
    ]);
  return (
    <button
      type="button"
      className="button small"
      aria-pressed={isDrafted}
      aria-label={`Give ${scope.name} to ${profile.name}`}
      title={`Give it to ${profile.name}`}
      onClick={isDrafted ? () => dropDrafts([key]) : give}
    >
      {isDrafted ? 'Given' : 'Give…'}
    </button>
  );
}

function Redundant({ pair, names }: { pair: Pair; names: Pair }) {
  const [isOpen, setOpen] = useState(false);
  const parts = useParts(
    ['redundant', pair],
    async (after, signal) => {
      return (await ask(redundantHolders, { ...pair, first: 24, after }, signal)).compareProfiles.redundant;
    },
    { exported: { list: 'redundantHolders', filter: null, orderBy: [], of: { ...pair } } },
  );
  const { total } = parts;
  if (parts.error) return <Failure error={parts.error} retry={parts.retry} />;
  return (
    <section className="card redundant" aria-label="Who holds both without need">
      <header>
        <p role="status">
          {total === undefined
            ? 'Counting…'
            : total === 0
              ? 'Nobody holds both without need.'
              : `${plural(total, 'person holds', 'people hold')} both, and could open the same applications with ${names.left} or ${names.right} only.`}
        </p>
        <span className="grow" />
        {isOpen && <SaveCsv label={`who holds ${names.left} and ${names.right} without need`} list={parts} />}
        {total !== undefined && total > 0 && (
          <button type="button" className="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </button>
        )}
      </header>
      {isOpen && (
        <PartList parts={parts} empty={null}>
          {(people) => (
            <ul className="items">
              {people.map(personItem).map(({ key, content }) => (
                <li key={key}>{content}</li>
              ))}
            </ul>
          )}
        </PartList>
      )}
    </section>
  );
}
