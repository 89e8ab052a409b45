/** Decisions about items of a review: kept in this tab until the service has them, and sent in batches, one each second. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { mutate, Refusal } from '../../graph';
import { readKept, useKept } from '../../kept';
import { decideReviewItems } from '../../operations/generated/reviews';
import { useQuestionBeforeLeaving } from '../../ui/leaving';

export interface Decision {
  decision: 'KEEP' | 'END' | 'END_AT' | null;
  /** With END_AT. */
  until?: string;
  /** The revision that was read of an item with a decision. */
  ifRevision?: number;
}
type Decisions = Readonly<Record<string, Decision>>;

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

/** @param revisionOf the revision that was read of an item with a decision; own decisions of this tab need none */
export function useDecisions(reviewGuid: string, revisionOf: (itemGuid: string) => number | undefined): Deciding {
  const name = `decisions of ${reviewGuid}`;
  const [pending, keep] = useKept<Decisions>(name, none);
  const [saved, setSaved] = useState<Decisions>(none);
  const [error, setError] = useState<unknown>(null);
  const [named, setNamed] = useState<readonly string[]>([]);
  const [isSending, setSending] = useState(false);
  const delay = useRef(batchMs);
  const queries = useQueryClient();
  const unsaved = Object.keys(pending).length;

  const send = useCallback(async () => {
    const batch = Object.entries(readKept(name, none)).slice(0, batchMax);
    if (batch.length === 0) return;
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
      setSaved((before) => ({ ...before, ...Object.fromEntries(batch) }));
      // later decisions are sent with the next batch
      const sent = new Map(batch.map(([itemGuid, decision]) => [itemGuid, JSON.stringify(decision)]));
      const rest = Object.entries(readKept(name, none)).filter(
        ([itemGuid, decision]) => sent.get(itemGuid) !== JSON.stringify(decision),
      );
      keep(rest.length > 0 ? Object.fromEntries(rest) : undefined);
      void queries.invalidateQueries({ queryKey: ['reviews', 'head', reviewGuid] });
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
    } finally {
      setSending(false);
    }
  }, [name, reviewGuid, keep, queries]);

  useEffect(() => {
    if (unsaved === 0 || isSending || error) return;
    const timer = setTimeout(() => void send(), delay.current);
    return () => clearTimeout(timer);
  }, [unsaved, isSending, error, send]);

  useQuestionBeforeLeaving(unsaved > 0);

  const decide = useCallback(
    (itemGuids: readonly string[], decision: Decision) => {
      const made = itemGuids.map((guid): [string, Decision] => {
        const ifRevision = saved[guid] ? undefined : revisionOf(guid);
        return [guid, ifRevision === undefined ? decision : { ...decision, ifRevision }];
      });
      keep({ ...readKept(name, none), ...Object.fromEntries(made) });
    },
    [name, keep, saved, revisionOf],
  );
  return {
    decided: { ...saved, ...pending },
    unsaved,
    error,
    decide,
    retry: () => setError(null),
    refused: named.length || unsaved,
    discard: () => {
      const rest = Object.entries(readKept(name, none)).filter(([itemGuid]) => !named.includes(itemGuid));
      keep(named.length > 0 && rest.length > 0 ? Object.fromEntries(rest) : undefined);
      setError(null);
    },
  };
}
