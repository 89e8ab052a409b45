/** Faults that the service found in drafts: told beside the field that each is about, until that field is changed. */
import type { Draft } from './drafts';
import { Refusal } from './graph';
import { useKept, writeKept } from './kept';

interface KeptFault {
  /** Of the draft. */
  key: string;
  /** Of the field in the draft's change, such as `updateApplication.input.name`. */
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

/** By the key of the draft that each is about. */
export function faultsByDraft(error: unknown, drafts: readonly Draft[]): Map<string, string[]> {
  const groups = Map.groupBy(placedFaults(error, drafts), ({ key }) => key);
  return new Map([...groups].map(([key, faults]) => [key, faults.flatMap(({ texts }) => texts.slice(0, 1))]));
}

/** What somebody else changed meanwhile is no fault of a field. */
export function keepFaults(error: unknown, drafts: readonly Draft[]): void {
  const isConflict = error instanceof Refusal && error.code === 'CONFLICT';
  const found = isConflict ? none : placedFaults(error, drafts);
  writeKept(kept, found.length > 0 ? found : undefined);
}

/** By the field's name. */
export function useFaults(draft: Draft | undefined): ReadonlyMap<string, string> {
  const [faults] = useKept(kept, none);
  const own = faults.filter(({ key, path, value }) => key === draft?.key && valueAt(draft, path) === value);
  return new Map(own.map(({ path, texts }) => [fieldAt(path), texts[0] ?? '']));
}

/** Of a request that makes or changes one record at once, by the field's name. */
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
