/** A square with initials, coloured by the name's first word; round for people. Decoration: the name stands beside it. */
import { type ReactNode, useState } from 'react';
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
    // by characters: half of an emoji is none
    .map(([letter]) => letter)
    .join('')
    .toUpperCase();

interface TileProps {
  name: string;
  round?: boolean;
  size?: 'small' | 'large';
  children?: ReactNode;
}

export const Tile = ({ name, round = false, size, children }: TileProps) => (
  <span
    className={`tile hue-${hueOf(name)}${round ? ' round' : ''}${size ? ` ${size}` : ''}`}
    data-initials={initialsOf(name)}
    aria-hidden="true"
  >
    {children}
  </span>
);

/** Icons that could not be shown; not asked for again at each row. */
const broken = new Set<string>();

/** An application's: its icon where this origin has it, else initials. The pages' policy allows no other origin. */
export function ApplicationTile({ icon, ...tile }: Omit<TileProps, 'round' | 'children'> & { icon: string }) {
  const [, setBroken] = useState(false);
  const address = ownImage(icon);
  const fail = () => {
    if (address) broken.add(address);
    setBroken(true);
  };
  return (
    <Tile {...tile}>
      {address && !broken.has(address) && <img src={address} alt="" loading="lazy" onError={fail} />}
    </Tile>
  );
}

/** Returns the image of a complete address. Only the portal that shows the application can resolve a path. */
export function ownImage(icon: string): string | undefined {
  if (!URL.canParse(icon)) return undefined;
  const { origin, pathname, href } = new URL(icon);
  return origin === location.origin && /\.(svg|png|webp|avif|jpe?g|gif|ico)$/i.test(pathname) ? href : undefined;
}

export const IconTile = ({ icon, size }: { icon: IconName; size?: 'small' | 'large' }) => (
  <span className={`tile plain${size ? ` ${size}` : ''}`} aria-hidden="true">
    <Icon name={icon} size={size === 'large' ? 22 : size === 'small' ? 14 : 16} />
  </span>
);
