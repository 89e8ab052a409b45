/** Assignments of profiles that end in the next days, soonest first, and those that nobody uses: many are extended or removed at once. */
import { type ListSearch, useAddress, viewAmong } from '../address';
import { soonDays, unusedDays } from '../grantEnd';
import { Holders } from '../record/Holders';
import { Segments } from '../ui/Segments';

const views = [
  ['', 'Ending'],
  ['unused', 'Not used'],
] as const;

export function Ending() {
  const [search, change] = useAddress<ListSearch>();
  const view = viewAmong(views, search.view);
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>{view === 'unused' ? 'Not used' : 'Ending'}</h1>
          <p className="sub">
            {view === 'unused'
              ? `Profiles that were given to people at least ${unusedDays} days ago and not used since. Blocked people are left out.`
              : `Profiles that people hold for at most ${soonDays} more days.`}
          </p>
        </div>
        <span className="grow" />
        <Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />
      </div>
      <Holders key={view} of={view || 'ending'} />
    </div>
  );
}
