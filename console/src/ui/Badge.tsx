/** States as words with a colour; never a colour alone. */
import type { ReactNode } from 'react';

export type Tone = 'gain' | 'near' | 'loss' | 'accent' | 'none';

export const Badge = ({
  tone = 'none',
  tiny = false,
  children,
}: {
  tone?: Tone;
  tiny?: boolean;
  children: ReactNode;
}) => <span className={`badge ${tone}${tiny ? ' tiny' : ''}`}>{children}</span>;

/** Nothing while it is in use: the normal state has no badge. */
export const OutOfUse = ({ isActive, tiny = false }: { isActive: boolean; tiny?: boolean }) =>
  isActive ? null : <Badge tiny={tiny}>out of use</Badge>;

export const Blocked = ({ isBlocked }: { isBlocked: boolean }) =>
  isBlocked ? <Badge tone="loss">blocked</Badge> : null;

/** Only what is to come has a colour. */
export const toneOf = (state: string): Tone => (state === 'planned' ? 'near' : 'none');

/** State of a mapping. */
export const StateBadge = ({ state }: { state: string }) => <Badge tone={toneOf(state)}>{state}</Badge>;
