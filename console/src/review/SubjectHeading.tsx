/** Which record the changes below are about. */
import type { Subject } from '../drafts';
import type { IconName } from '../ui/icons';
import { IconTile, Tile } from '../ui/Tile';

export const subjectIcons: Record<Subject['kind'], IconName> = {
  application: 'apps',
  user: 'users',
  profile: 'profile',
  scope: 'scope',
  type: 'type',
  role: 'role',
  texts: 'translate',
};

export const SubjectHeading = ({ subject: { kind, name, hint } }: { subject: Subject }) => (
  <h3>
    {kind === 'application' || kind === 'user' ? (
      <Tile name={name} round={kind === 'user'} size="small" />
    ) : (
      <IconTile icon={subjectIcons[kind]} size="small" />
    )}
    {name}
    {hint && <small>{hint}</small>}
  </h3>
);
