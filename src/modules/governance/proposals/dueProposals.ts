/** Applies scheduled proposals at their time, and ends those that nobody decided about. */
import { LRUCache } from 'lru-cache';
import type { Context } from '../../../context.js';
import { conflict, type GatehouseError, toGatehouseError } from '../../../errors.js';
import { calledName } from '../../../services/fullName.js';
import { asService } from '../../../services/permit.js';
import { hasMetAnother, madeChangeSetGuid } from '../../../services/records/change.js';
import { applyProposal, isOtherEffect } from './decisions.js';
import { problemsOf, sinceApproval } from './judge.js';
import { hasRight } from './owners.js';
import { getProposal, type StoredProposal } from './storedProposals.js';

const atOnceMax = 20;

/** @param context of the service itself */
export async function applyDueProposals(context: Context, signal: AbortSignal): Promise<void> {
  await context.sql.rows("update proposals set state = 'EXPIRED' where state = 'OPEN' and expires_at <= now()");
  // all that are due in one turn: they were promised within a minute. Each leaves the state SCHEDULED or is postponed, so the loop ends
  const now = performance.now();
  const postponed = [...failing].filter(([, { waitsUntil }]) => waitsUntil > now).map(([guid]) => guid);
  for (;;) {
    const due = await context.sql.rows<{ guid: string }>(
      `select proposal_guid::text as guid from proposals
       where state = 'SCHEDULED' and apply_at <= now() and proposal_guid <> all($1::uuid[])
       order by apply_at, proposal_id limit ${atOnceMax}`,
      [postponed],
    );
    for (const { guid } of due) {
      if (signal.aborted) return;
      if (!(await applyDue(context, guid))) postponed.push(guid);
    }
    if (due.length < atOnceMax) return;
  }
}

/**
 * Applies one with the permissions of its approval. If it cannot be applied, it becomes FAILED. False: it could not be tried to the end,
 * and is tried again at a later turn; those behind it do not wait for that. Throws while the database answers nothing.
 */
async function applyDue(context: Context, guid: string): Promise<boolean> {
  try {
    const proposal = await getProposal(context, guid);
    await requireApprover(context, proposal);
    await applyProposal(await contextOfApprover(context, proposal), proposal, {
      dryRun: false,
      begin: async (inside) => {
        const { state } = await getProposal(inside, guid, true);
        if (state !== 'SCHEDULED') throw new NoLongerDue();
      },
      finish: async (inside) => {
        await inside.sql.rows(
          `update proposals set state = 'APPLIED', change_set_guid = ${madeChangeSetGuid} where proposal_guid = $1::uuid`,
          [guid],
        );
      },
    });
    context.log.info({ proposal: guid }, 'scheduled proposal applied');
  } catch (error) {
    if (error instanceof NoLongerDue) return true;
    const reason = isOtherEffect(error) ? undefined : toGatehouseError(error);
    if (reason?.code === 'UNAVAILABLE' || (reason && hasMetAnother(reason))) {
      await context.sql.rows('select');
      noteTrial(guid);
      context.log.error({ proposal: guid, error }, 'scheduled proposal is tried again');
      return false;
    }
    await noteFailure(context, guid, reason);
    context.log.warn({ proposal: guid, ...(reason && { error: reason }) }, 'scheduled proposal failed');
  }
  return true;
}

/** What the database answered but could not carry out, such as too many changes for DATABASE_STATEMENT_TIMEOUT_MS, by proposal. */
const failing = new LRUCache<string, { failures: number; waitsUntil: number }>({ max: 1_000 });
const pauseMs = 20_000;
const pauseMsMax = 10 * 60_000;

/** Each trial holds the lock of changes, so the pauses grow; the first is none. */
function noteTrial(guid: string): void {
  const failures = (failing.get(guid)?.failures ?? 0) + 1;
  const pause = failures === 1 ? 0 : Math.min(pauseMsMax, pauseMs * 2 ** failures);
  failing.set(guid, { failures, waitsUntil: performance.now() + pause });
}

/** It was withdrawn, or another process applied it. */
class NoLongerDue extends Error {}

/** Throws CONFLICT if the approver was blocked since, or has lost the right by which the proposal was approved. */
async function requireApprover(context: Context, proposal: StoredProposal): Promise<void> {
  const { decidedBy, approverHasRight } = proposal;
  const blocked = await context.sql.rows('select from users where user_guid = $1::uuid and is_blocked', [decidedBy]);
  if (blocked.length > 0) throw conflict('The person who approved it has been blocked since.');
  if (approverHasRight && !(await hasRight(context, proposal, decidedBy!)))
    throw conflict('The person who approved it has lost the right to approve it since.');
}

/** The approver, with the permission of the approval as far as the approver still has it. */
async function contextOfApprover(context: Context, proposal: StoredProposal): Promise<Context> {
  const { decidedBy, approvedWith, approverHasRight } = proposal;
  const isKept =
    !approverHasRight || (await hasRight(context, { ...proposal, permission: 'admin:security' }, decidedBy!));
  const permission = approvedWith === 'admin:security' && isKept ? 'admin:security' : 'admin:write';
  const approver = asService(context, new Set(['admin:read', 'admin:write', permission]), decidedBy!);
  return { ...approver, face: 'schedule', isApproved: true };
}

/**
 * Stores that a scheduled proposal could not be applied. Without an error, the effect or who and what it is about is no longer what
 * was approved: the changes since are named.
 */
async function noteFailure(context: Context, guid: string, error: GatehouseError | undefined): Promise<void> {
  const { sql } = context;
  // what cannot be explained, such as for want of time, has failed all the same
  const since = () => textsSince(context, guid).catch(() => []);
  const problems = error ? problemsOf(error) : { $: [otherEffect, ...(await since())] };
  await sql.rows(
    `update proposals set state = 'FAILED', failure = $2::jsonb where proposal_guid = $1::uuid and state = 'SCHEDULED'`,
    [guid, JSON.stringify(problems)],
  );
}

const otherEffect = 'The effect, or who or what it is about, is no longer what was approved: propose it again.';

async function textsSince(context: Context, guid: string): Promise<string[]> {
  const since = await sinceApproval(context, await getProposal(context, guid));
  const authors = await readAuthors(context, since);
  return since.map(({ text, names, by, at }) => {
    const which = names.length > 0 ? ` ${names.join(', ')}.` : '';
    return `${text}${which} By ${authors.get(by) ?? by}, ${at}.`;
  });
}

/** Names of users and connectors by their guids. */
async function readAuthors({ sql }: Context, since: readonly { by: string }[]): Promise<Map<string, string>> {
  const rows = await sql.rows<{ guid: string; name: string }>(
    `select user_guid::text as guid, ${calledName()} as name from users
     where user_guid = any($1::uuid[]) and ${calledName()} is not null
     union all select connector_guid::text, 'the connector ' || connector_id from connectors where connector_guid = any($1::uuid[])`,
    [since.map(({ by }) => by)],
  );
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}
