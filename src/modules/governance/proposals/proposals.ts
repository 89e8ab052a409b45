/** Stores proposals after a trial of their changes, as many as one person may have. */
import type { Context } from '../../../context.js';
import { badInput, conflict, GatehouseError, type Problems, tooLarge } from '../../../errors.js';
import { actorOf, permit } from '../../../services/permit.js';
import { alreadyThere } from '../../../services/records/change.js';
import type { Sql } from '../../../sql.js';
import { countsOf } from '../../changes/effectLists.js';
import { titleOf } from '../../changes/title.js';
import { judge } from './judge.js';
import { subjectsOf } from './owners.js';
import { isPending, noteProblems, requireTime } from './storedProposals.js';

/** Maximum size of the changes of a proposal, as JSON. */
export const proposalBytesMax = 1_000_000;
/** Maximum number of proposals of one person that are open or scheduled, or were refused in the last hour. */
export const openProposalsMax = 100;
/** Maximum number of requests for access among them. */
export const openRequestsMax = 20;
/** Maximum number of requests of one person in 24 hours, with withdrawn ones. */
const dailyRequestsMax = 100;

interface Wishes {
  note: string;
  applyAt?: string | null | undefined;
  /** Chosen by the caller, so that a proposal that is sent again stays one. */
  proposalGuid?: string | null | undefined;
}

/** A request for access, by a person who needs no permission for it. */
interface RequestedAccess {
  title: string;
  applicationGuid: string;
  until: string | null;
}

/** Stores the changes after a trial, whose problems are thrown; returns the guid. Also throws BAD_USER_INPUT, TOO_LARGE and CONFLICT. */
export async function proposeChanges(context: Context, changes: readonly object[], wishes: Wishes): Promise<string> {
  permit(context, 'admin:read');
  return storeProposal(context, changes, wishes);
}

/** The same without a permission, for a request for access. */
export async function storeProposal(
  context: Context,
  changes: readonly object[],
  { note, applyAt = null, proposalGuid = null }: Wishes,
  request?: RequestedAccess,
): Promise<string> {
  const problems: Problems = { ...noteProblems(note, true) };
  if (changes.length === 0) problems.changes = ['At least one change is needed.'];
  if (Object.keys(problems).length > 0) throw badInput(problems);
  const text = JSON.stringify(changes);
  const sent = [proposalGuid, actorOf(context), text, note, applyAt];
  if (proposalGuid && (await isSent(context.sql, sent))) return proposalGuid;
  await requireTime(context, applyAt);
  if (Buffer.byteLength(text) > proposalBytesMax)
    throw tooLarge(`The changes of a proposal have at most ${proposalBytesMax} bytes.`);
  const hasRoom = (inside: Sql) => requireRoom(inside, actorOf(context), request?.applicationGuid);
  await context.sql.transaction(hasRoom);
  const { permission, hash, counts, subjects, subject } = await tryOut(context, {
    changes: JSON.parse(text),
    proposedBy: actorOf(context),
    requestedApplicationGuid: request?.applicationGuid ?? null,
  }).catch(noteRefusal(context));
  const title = request?.title ?? (await titleOf(context, changes));
  return context.sql.transaction(async (inside) => {
    await hasRoom(inside);
    const [inserted] = await inside.rows<{ guid: string }>(
      `insert into proposals (title, proposed_by, note, changes, permission, apply_at, expires_at, effect_hash, proposed_counts,
         subjects, requested_application_guid, requested_until, subject, proposal_guid)
       values ($1, $2, $3, $4::jsonb, $5, $6::timestamptz, now() + make_interval(days => $7), $8, $9::jsonb, $10::jsonb,
         $11::uuid, $12::timestamptz, $13::jsonb, coalesce($14::uuid, gen_random_uuid()))
       on conflict (proposal_guid) do nothing
       returning proposal_guid::text as guid`,
      [
        title,
        actorOf(context),
        note,
        text,
        permission,
        applyAt,
        context.config.proposalDays,
        hash,
        counts,
        subjects,
        request?.applicationGuid ?? null,
        request?.until ?? null,
        subject,
        proposalGuid,
      ],
    );
    if (!inserted) await isSent(inside, sent);
    return inserted?.guid ?? proposalGuid!;
  });
}

/** Whether it is stored already, because its answer was lost. Throws CONFLICT if the guid is that of another proposal. */
async function isSent({ rows }: Sql, sent: readonly unknown[]): Promise<boolean> {
  const [stored] = await rows<{ isSame: boolean }>(
    `select proposed_by = $2::uuid and changes = $3::jsonb and note = $4
       and (decided_at is not null or apply_at is not distinct from $5::timestamptz(3)) as "isSame"
     from proposals where proposal_guid = $1::uuid`,
    sent,
  );
  if (stored && !stored.isSame) throw conflict(alreadyThere);
  return stored !== undefined;
}

/** Tries the changes, as they come out of JSON, and returns what a proposal stores of the trial. Throws their problems. */
export async function tryOut(context: Context, proposal: Parameters<typeof judge>[1]) {
  const { error, effect, fingerprint, permission } = await judge(context, proposal);
  if (error) throw error;
  const counts = { gains: countsOf(effect!.gains), loses: countsOf(effect!.loses), opened: fingerprint!.opened };
  const subjects = subjectsOf(proposal.changes);
  return {
    permission,
    hash: fingerprint!.hash,
    subject: JSON.stringify({ ...fingerprint!.subject, first: fingerprint!.subject.issuers }),
    counts: JSON.stringify(counts),
    subjects: subjects && JSON.stringify(subjects),
  };
}

/** A trial makes others wait, also one that ends in a refusal: it counts for an hour. */
const noteRefusal =
  (context: Context) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof GatehouseError && error.status < 500)
      await context.sql.rows(
        "insert into refused_proposals (proposed_by, ends_at) values ($1::uuid, now() + interval '1 hour')",
        [actorOf(context)],
      );
    throw error;
  };

/**
 * Throws CONFLICT for a person with too many open proposals or requests, and for a request that is open already. Proposals of one
 * person are made one after the other.
 * @param requested guid of the application that the person asks for
 */
export async function requireRoom({ rows }: Sql, person: string, requested?: string): Promise<void> {
  await rows("select pg_advisory_xact_lock(hashtext('gatehouse proposals'), hashtext($1))", [person]);
  const [counts] = await rows<{
    proposals: number;
    requests: number;
    daily: number;
    refused: number;
    isRepeated: boolean;
  }>(
    `select count(*) filter (where is_pending)::int as proposals,
       (select count(*)::int from refused_proposals where proposed_by = $1::uuid and ends_at > now()) as refused,
       count(*) filter (where is_pending and requested_application_guid is not null)::int as requests,
       count(*) filter (where requested_application_guid is not null and proposed_at > now() - interval '1 day')::int as daily,
       coalesce(bool_or(is_pending and requested_application_guid = $2::uuid), false) as "isRepeated"
     from (select ${isPending} as is_pending, proposed_at, requested_application_guid from proposals p
       where proposed_by = $1::uuid) own`,
    [person, requested ?? null],
  );
  const { proposals, requests, daily, refused, isRepeated } = counts!;
  if (isRepeated) throw conflict('You have requested access to this application already: the request is open.');
  if (requested && requests >= openRequestsMax)
    throw conflict(`You have ${openRequestsMax} open requests: withdraw one first.`);
  if (requested && daily >= dailyRequestsMax)
    throw conflict(`You have made ${dailyRequestsMax} requests in 24 hours: try tomorrow.`);
  if (proposals >= openProposalsMax)
    throw conflict(`You have ${openProposalsMax} proposals that are open or scheduled: withdraw one first.`);
  if (proposals + refused >= openProposalsMax)
    throw conflict(`${refused} of your proposals were refused in the last hour: try again later.`);
}
