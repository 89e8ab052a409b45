/** Decisions about items of a review: kept in this tab until the service has them, and sent in batches, one each second, or when the page is left. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { mutate, Refusal } from '../../graph';
import { readKept, useKept } from '../../kept';
import { decideReviewItems } from '../../operations/generated/reviews';
import { askBeforeLeaving, useQuestionBeforeLeaving } from '../../ui/leaving';

export interface Decision {
  decision: 'KEEP' | 'END' | 'END_AT' | null;
  /** With END_AT. */
  until?: string;
  /** The revision that was read of an item with a decision. */
  ifRevision?: number;
}
type Decisions = Readonly<Record<string, Decision>>;
/** What is read of an item. */
interface ReadItem {
  itemGuid: string;
  decision: Decision['decision'];
  revision: number;
}
/** With the revision of the row that was shown then. */
type Saved = Readonly<Record<string, Decision & { revision: number | undefined }>>;

const none: Decisions = {};
const batchMax = 100;
const batchMs = 1_000;
const retryMs = 3_000;

interface Deciding {
  /** What was decided here, saved or not, by item. */
  decided: Decisions;
  unsaved: number;
  /** Why the service refused the last batch. */
  error: unknown;
  decide: (itemGuids: readonly string[], decision: Decision) => void;
  /** Says what is shown: a row that was read after its decision was saved says what is so now. */
  read: (rows: readonly ReadItem[]) => void;
  retry: () => void;
  /** How many decisions the service refused: those that it named, otherwise all that are not saved. */
  refused: number;
  /** Forgets what was refused. */
  discard: () => void;
}

/** Those of a batch that the service named. */
const refusedOf = (failure: unknown, guids: readonly string[]): string[] => {
  const paths = failure instanceof Refusal ? Object.keys(failure.problems) : [];
  return [...new Set(paths.flatMap((path) => guids[Number(/^items\[(\d+)\]/.exec(path)?.[1])] ?? []))];
};

/** What is left when the page is. */
async function sendRest(underWay: Promise<unknown> | undefined, send: () => Promise<boolean>): Promise<void> {
  const stopAsking = askBeforeLeaving();
  await underWay;
  while (await send());
  stopAsking();
}

export function useDecisions(reviewGuid: string): Deciding {
  const name = `decisions of ${reviewGuid}`;
  const [pending, keep] = useKept<Decisions>(name, none);
  const [saved, setSaved] = useState<Saved>({});
  const [error, setError] = useState<unknown>(null);
  const [named, setNamed] = useState<readonly string[]>([]);
  const [isSending, setSending] = useState(false);
  const delay = useRef(batchMs);
  const queries = useQueryClient();
  const unsaved = Object.keys(pending).length;

  const rows = useRef<readonly ReadItem[]>([]);
  const rowOf = useCallback((guid: string) => rows.current.find(({ itemGuid }) => itemGuid === guid), []);

  /** Whether a batch was sent. */
  const send = useCallback(async (): Promise<boolean> => {
    const batch = Object.entries(readKept(name, none)).slice(0, batchMax);
    if (batch.length === 0) return false;
    setSending(true);
    try {
      await mutate(decideReviewItems, {
        reviewGuid,
        items: batch.map(([itemGuid, { decision, until = null, ifRevision = null }]) => ({
          itemGuid,
          decision,
          until,
          ifRevision,
        })),
      });
      delay.current = batchMs;
      const made = batch.map(([guid, decision]) => [guid, { ...decision, revision: rowOf(guid)?.revision }]);
      setSaved((before) => ({ ...before, ...Object.fromEntries(made) }));
      // later decisions are sent with the next batch
      const sent = new Map(batch.map(([itemGuid, decision]) => [itemGuid, JSON.stringify(decision)]));
      const rest = Object.entries(readKept(name, none))
        .filter(([itemGuid, decision]) => sent.get(itemGuid) !== JSON.stringify(decision))
        // an own decision is replaced now
        .map(([itemGuid, { ifRevision, ...decision }]) => [
          itemGuid,
          sent.has(itemGuid) || ifRevision === undefined ? decision : { ...decision, ifRevision },
        ]);
      keep(rest.length > 0 ? Object.fromEntries(rest) : undefined);
      void queries.invalidateQueries({ queryKey: ['reviews', 'head', reviewGuid] });
      void queries.invalidateQueries({ queryKey: ['waiting'] });
      // the list that is shown stays under the keys; the others have what was decided when they are chosen
      void queries.invalidateQueries({ queryKey: ['reviews', 'items', reviewGuid], refetchType: 'none' });
      return true;
    } catch (failure) {
      delay.current = retryMs;
      if (!(failure instanceof Refusal) || failure.code !== 'UNAVAILABLE') {
        setError(failure);
        setNamed(
          refusedOf(
            failure,
            batch.map(([itemGuid]) => itemGuid),
          ),
        );
      }
      return false;
    } finally {
      setSending(false);
    }
  }, [name, reviewGuid, keep, queries, rowOf]);

  const sending = useRef<Promise<unknown>>(undefined);
  useEffect(() => {
    if (unsaved === 0 || isSending || error) return;
    const timer = setTimeout(() => {
      sending.current = send();
    }, delay.current);
    return () => clearTimeout(timer);
  }, [unsaved, isSending, error, send]);

  useQuestionBeforeLeaving(unsaved > 0);
  const isRefused = useRef(false);
  isRefused.current = Boolean(error);
  useEffect(
    () => () => {
      const left = isRefused.current ? undefined : sendRest(sending.current, send);
      // whoever comes back reads what was saved
      void Promise.resolve(left).then(() => queries.invalidateQueries({ queryKey: ['reviews', 'items', reviewGuid] }));
    },
    [send, queries, reviewGuid],
  );

  const read = useCallback((now: readonly ReadItem[]) => {
    rows.current = now;
    setSaved((before) => {
      const isOld = ({ itemGuid, revision }: ReadItem) => revision > (before[itemGuid]?.revision ?? revision);
      const old = new Set(now.filter(isOld).map(({ itemGuid }) => itemGuid));
      return old.size === 0 ? before : Object.fromEntries(Object.entries(before).filter(([guid]) => !old.has(guid)));
    });
  }, []);

  const decide = useCallback(
    (itemGuids: readonly string[], decision: Decision) => {
      const made = itemGuids.map((guid): [string, Decision] => {
        const row = rowOf(guid);
        // own decisions of this tab need none
        return [guid, saved[guid] || !row?.decision ? decision : { ...decision, ifRevision: row.revision }];
      });
      keep({ ...readKept(name, none), ...Object.fromEntries(made) });
    },
    [name, keep, saved, rowOf],
  );
  return {
    decided: { ...saved, ...pending },
    unsaved,
    error,
    decide,
    read,
    retry: () => setError(null),
    refused: named.length || unsaved,
    discard: () => {
      const rest = Object.entries(readKept(name, none)).filter(([itemGuid]) => !named.includes(itemGuid));
      keep(named.length > 0 && rest.length > 0 ? Object.fromEntries(rest) : undefined);
      setError(null);
    },
  };
}
