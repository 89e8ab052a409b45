/** Assignments of profiles that end in the next days, soonest first; many are extended at once. */
import { soonDays } from '../grantEnd';
import { Holders } from '../record/Holders';

export const Ending = () => (
  <div className="page fill">
    <div className="head">
      <div>
        <h1>Ending</h1>
        <p className="sub">Profiles that people hold for at most {soonDays} more days.</p>
      </div>
    </div>
    <Holders of="ending" />
  </div>
);
