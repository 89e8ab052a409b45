/** A square with initials, coloured by the name's first word; round for people. Decoration: the name stands beside it. */
import { wordsOf } from '../words';
import { Icon, type IconName } from './icons';

const hues = 10;

function hueOf(name: string): number {
  let hash = 0;
  for (const letter of wordsOf(name)[0] ?? '') hash = (hash * 31 + letter.charCodeAt(0)) % 3_600;
  return hash % hues;
}

const initialsOf = (name: string): string =>
  wordsOf(name)
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('')
    .toUpperCase();

interface TileProps {
  name: string;
  round?: boolean;
  size?: 'small' | 'large';
}

export const Tile = ({ name, round = false, size }: TileProps) => (
  <span
    className={`tile hue-${hueOf(name)}${round ? ' round' : ''}${size ? ` ${size}` : ''}`}
    data-initials={initialsOf(name)}
    aria-hidden="true"
  />
);

export const IconTile = ({ icon, size }: { icon: IconName; size?: 'small' | 'large' }) => (
  <span className={`tile plain${size ? ` ${size}` : ''}`} aria-hidden="true">
    <Icon name={icon} size={size === 'large' ? 22 : size === 'small' ? 14 : 16} />
  </span>
);
