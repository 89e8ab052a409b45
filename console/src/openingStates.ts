/** States of mappings: any word of 1 to 50 characters. In which of them one opens is a setting of the service. */
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

export const stateCharactersMax = 50;

/** The states to choose from: those that open, those that are customary, and the one that is there. */
export const offeredStates = (present: string | null): string[] => [
  ...new Set([...openingStates(), 'planned', 'inactive', ...(present ? [present] : [])]),
];

/** Whether nothing is to be done for the wanted one: it is there, or another that opens as well. */
export const isAsWanted = (state: string | null, wanted: string): boolean =>
  state === wanted || (isOpening(state) && isOpening(wanted));

/** Whether nothing needs to change: granting never takes away, so a state that opens already stays. */
export const isGiven = (state: string | null, wanted: string): boolean => state === wanted || isOpening(state);
