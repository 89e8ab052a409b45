/** Where a list was left and what was selected in it: who comes back to its entry of the browser's history finds it so. */
interface Place {
  /** What was asked: of another question, the rows are others. */
  question: string;
  scrollTop: number;
  at: number;
}

const places = new Map<string, Place>();
const selections = new Map<string, ReadonlySet<string>>();

/** The entry of the history that is shown now. */
export const entryNow = (): string => (history.state as { __TSR_key?: string } | null)?.__TSR_key ?? '';

export function placeOf(entry: string, question: string): Place | undefined {
  const place = places.get(entry);
  return place?.question === question ? place : undefined;
}

export const keepPlace = (entry: string, place: Place): void => void places.set(entry, place);

export const selectionOf = (entry: string): ReadonlySet<string> | undefined => selections.get(entry);

export const keepSelection = (entry: string, keys: ReadonlySet<string>): void => void selections.set(entry, keys);
