/** Faults that the service found in drafts, shown beside their fields until those are changed. */
import type { Draft } from './drafts';
import { Refusal } from './graph';
import { useKept, writeKept } from './kept';

interface KeptFault {
  /** The key of the draft. */
  key: string;
  /** The path of the field in the draft's change, such as `updateApplication.input.name`. */
  path: string;
  /** What the field held, as JSON. */
  value: string;
  texts: string[];
}

const kept = 'faults';
const none: KeptFault[] = [];

/** Faults that name a place among the changes; none of a refusal that is no judgement of them. */
function placedFaults(error: unknown, drafts: readonly Draft[]): KeptFault[] {
  if (!(error instanceof Refusal) || error.code === 'FORBIDDEN') return none;
  return Object.entries(error.problems).flatMap(([place, texts]) => {
    const [, index, path = ''] = /^changes\[(\d{1,4})\]\.?(.*)$/.exec(place) ?? [];
    const draft = index === undefined ? undefined : drafts[Number(index)];
    return draft ? [{ key: draft.key, path, value: valueAt(draft, path), texts }] : [];
  });
}

/** Groups the faults of an error by the keys of the drafts. */
export function faultsByDraft(error: unknown, drafts: readonly Draft[]): Map<string, string[]> {
  const groups = Map.groupBy(placedFaults(error, drafts), ({ key }) => key);
  return new Map([...groups].map(([key, faults]) => [key, faults.flatMap(({ texts }) => texts.slice(0, 1))]));
}

/** A change by somebody else is no fault of a field. */
export function keepFaults(error: unknown, drafts: readonly Draft[]): void {
  const isConflict = error instanceof Refusal && error.code === 'CONFLICT';
  const found = isConflict ? none : placedFaults(error, drafts);
  writeKept(kept, found.length > 0 ? found : undefined);
}

/** The faults of a draft by the names of the fields. */
export function useFaults(draft: Draft | undefined): ReadonlyMap<string, string> {
  const [faults] = useKept(kept, none);
  const own = faults.filter(({ key, path, value }) => key === draft?.key && valueAt(draft, path) === value);
  return new Map(own.map(({ path, texts }) => [fieldAt(path), texts[0] ?? '']));
}

/** The faults of a request that creates or changes one record at once, by the names of the fields. */
export const faultsOfInput = (error: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(error instanceof Refusal ? error.problems : {}).map(([place, texts]) => [
      fieldAt(place),
      texts[0] ?? '',
    ]),
  );

const fieldAt = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

function valueAt({ change }: Draft, path: string): string {
  let value: unknown = change;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return JSON.stringify(value ?? null);
}
