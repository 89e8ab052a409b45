/** How many people gain and lose access, in few words. */
import { plural } from '../words';

interface EffectsProps {
  gains: { users: number };
  loses: { users: number };
}

export const Effects = ({ gains, loses }: EffectsProps) => (
  <>
    {gains.users > 0 && <span className="gain-text">+ {plural(gains.users, 'person', 'people')}</span>}
    {loses.users > 0 && <span className="loss-text">− {plural(loses.users, 'person', 'people')}</span>}
  </>
);
