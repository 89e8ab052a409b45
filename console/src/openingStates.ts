/** In which states a mapping opens its application: a setting of the service, `active` by default. */
import { readKept, writeKept } from './kept';

const kept = 'opening states';
const usual = ['active'];

/** As the service last said; kept, so that a reload asks for the right ones at once. */
export const openingStates = (): string[] => readKept(kept, usual);

export function keepOpeningStates(states: string[]): void {
  if (states.length > 0 && states.join() !== openingStates().join()) writeKept(kept, states);
}

export const isOpening = (state: string | null): boolean => state !== null && openingStates().includes(state);

/** The state that a mapping gets which is to open. */
export const openState = (): string => openingStates()[0]!;
