/** Tells readers of a proposal what its changes do now: they share a trial, and the revision rises when the effect is another. */
import { LRUCache } from 'lru-cache';
import type { Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { type PlanOf, readVersion } from '../changes/applyChanges.js';
import { sizeOf } from '../changes/keptEffects.js';
import { type Judgement, judge } from './judge.js';

interface JudgedProposal {
  proposalGuid: string;
  proposedAt: string;
  revision: number;
  state: string;
  changes: object[];
}

interface Kept {
  judgement: Judgement;
  version: string;
}

const keptBytesMax = 32_000_000;
/** A trial is valid for all readers until the catalogue changes, and for a minute. */
const trials = new LRUCache<string, Kept>({
  ttl: 60_000,
  maxSize: keptBytesMax,
  sizeCalculation: ({ judgement: { effect } }) => (effect ? sizeOf(effect) : 10_000),
});

/** What a change of the proposal itself makes necessary. */
export const forgetTrial = (proposalGuid: string): boolean => trials.delete(proposalGuid);

/** A trial holds the lock of all change sets, for seconds where it makes a thousand changes: readers share it. */
async function judgeOnce(
  context: Context,
  { proposalGuid, proposedAt, changes }: JudgedProposal,
  planOf: PlanOf,
): Promise<Judgement> {
  // before the trial: what changes during it makes the next reader try again
  const version = await readVersion(context);
  let verdict = trials.get(proposalGuid);
  if (verdict?.version !== version) {
    verdict = { judgement: await judge(context, planOf(changes), proposedAt), version };
    trials.set(proposalGuid, verdict);
  }
  const { effect, ...judgement } = verdict.judgement;
  // each reader pages the lists by an id of its own
  return effect ? { ...judgement, effect: { ...effect } } : judgement;
}

/** What the changes of an open proposal do now. Its revision rises when that has changed; the row gets it. */
export async function judgeProposal(
  context: Context,
  proposal: JudgedProposal,
  planOf: PlanOf,
): Promise<Judgement & { revision: number }> {
  const judgement = await judgeOnce(context, proposal, planOf);
  const { fingerprint, permission } = judgement;
  const isMovable = proposal.state === 'OPEN' && fingerprint !== undefined;
  const revision = isMovable
    ? await noteEffect(context, proposal.proposalGuid, fingerprint.hash, permission)
    : undefined;
  return { ...judgement, revision: revision ?? proposal.revision };
}

/** Raises the revision if the effect is another than it stands for; returns the revision, or undefined for a decided proposal. */
export async function noteEffect(
  { sql }: Context,
  guid: string,
  hash: Buffer,
  permission: Permission,
): Promise<number | undefined> {
  const [current] = await sql.rows<{ revision: number }>(
    `select revision from proposals where proposal_guid = $1::uuid and effect_hash = $2 and permission = $3`,
    [guid, hash, permission],
  );
  if (current) return current.revision;
  const [raised] = await sql.rows<{ revision: number }>(
    `update proposals set revision = revision + 1, effect_hash = $2, permission = $3
     where proposal_guid = $1::uuid and state = 'OPEN' returning revision`,
    [guid, hash, permission],
  );
  return raised?.revision;
}
