/**
 * Tries the changes of a proposal: what they do now, why they cannot be applied, and what has changed since they were proposed.
 * Readers of a proposal share a trial; its revision rises when the effect changes.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { User } from '../../entities/User.js';
import { GatehouseError, type Problems } from '../../errors.js';
import { applyChanges, type PlannedChange, type PlanOf, readVersion } from '../changes/applyChanges.js';
import type { Effect } from '../changes/effect.js';
import type { AccessDelta } from '../changes/effectDiff.js';
import { sizeOf } from '../changes/keptEffects.js';
import type { CountedEffect } from '../changes/outcomes.js';
import { titleOf, titleOfRequest } from '../changes/title.js';
import { asService } from '../permit.js';
import { openings } from '../portal/viewer.js';
import { heldEntries } from '../tokens/claims.js';
import { type ChangeSince, readSince } from './since.js';
import { hashIssuers, isSameSubject, readNamed, readSubject, type Subject, textsIn } from './subject.js';

interface Judgement {
  /** Undefined if the changes cannot be applied. */
  effect?: Effect;
  fingerprint?: Fingerprint;
  error?: GatehouseError;
  permission: Permission;
  since: ChangeSince[];
}

const writing: ReadonlySet<Permission> = new Set<Permission>(['admin:read', 'admin:write']);

/** @param proposedAt lists changes by others since then; absent: none */
export async function judge(context: Context, plan: readonly PlannedChange[], proposedAt?: string): Promise<Judgement> {
  const asWriter = await attempt(context, plan, 'admin:write', proposedAt);
  const judgement =
    asWriter.error?.code === 'FORBIDDEN' ? await attempt(context, plan, 'admin:security', proposedAt) : asWriter;
  if (!judgement.error || proposedAt === undefined) return judgement;
  // a failed trial leaves no versions: the changes name the records concerned
  return { ...judgement, since: await readSince(context, proposedAt, textsIn(plan)) };
}

async function attempt(
  context: Context,
  plan: readonly PlannedChange[],
  permission: Permission,
  proposedAt: string | undefined,
): Promise<Judgement> {
  // the caller may see the effect without the permission to make the changes
  const trial = asService(context, permission === 'admin:write' ? writing : undefined);
  let since: ChangeSince[] = [];
  let fingerprint: Fingerprint | undefined;
  let named: Awaited<ReturnType<typeof readNamed>>;
  try {
    const { effect } = await applyChanges(trial, plan, {
      dryRun: true,
      details: { events: false, effect: true },
      begin: async (inside) => {
        named = await readNamed(inside, plan);
      },
      finish: async (inside, result) => {
        fingerprint = await fingerprintOf(inside, result.effect!, named);
        if (proposedAt !== undefined) since = await readSince(inside, proposedAt, textsIn(plan));
      },
    });
    const countAgain: Effect['countAgain'] = async (later) =>
      (await attempt(later, plan, permission, undefined)).effect;
    return { effect: { ...effect!, countAgain }, fingerprint: fingerprint!, permission, since };
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.status >= 500) throw error;
    return { error, permission, since: [] };
  }
}

export const problemsOf = ({ more, message }: GatehouseError): Problems => more.problems ?? { $: [message] };

/** SQL: a hash of what each profile of $2 opens and puts into tokens, without the applications of $3. */
const openedStatement = `select profile_id as "profileId", md5(string_agg(entry, ' ' order by entry)) as hash,
    array_agg(application_id) filter (where application_id is not null) as "applicationIds"
  from (
    select distinct opening.profile_id, opening.application_id, 'a' || opening.application_id as entry
    from (${openings('has.profile_id = any($2::text[])')}) opening
    join applications a on a.application_id = opening.application_id and a.is_active
    where opening.application_id <> all($3::int[])
    union all select profile_id, null, 's' || value from (${heldEntries('has.profile_id = any($2::text[])')}) held
  ) entries group by profile_id order by profile_id`;

interface Opened {
  profileId: string;
  hash: string;
  applicationIds: number[] | null;
}

export interface Fingerprint {
  /** Equal for equal effects. */
  hash: Buffer;
  /** Who and what it is about. */
  subject: Subject;
  /** The number of applications that the profiles open that users gain or lose. */
  opened: number;
}

/**
 * Identifies who gains and loses what. It leaves out sessions, which begin and end without a change, and the numbers of records
 * that the changes create, which differ at each trial. Inside the transaction of the changes.
 * @param named what `readNamed` read before the changes
 */
export async function fingerprintOf(
  inside: Context,
  effect: CountedEffect,
  named: Awaited<ReturnType<typeof readNamed>>,
): Promise<Fingerprint> {
  const { gains, loses } = effect;
  const profileIds = [...new Set([...gains.differing.holdings.profileIds, ...loses.differing.holdings.profileIds])];
  const values = [inside.config.mappingActiveStates, profileIds, [...(gains.passing.get(Application)?.keys() ?? [])]];
  const rows = profileIds.length === 0 ? [] : await inside.sql.rows<Opened>(openedStatement, values);
  const opened = rows.map(({ profileId, hash }) => [profileId, hash]);
  const hash = createHash('sha256').update(JSON.stringify([sideOf(gains), sideOf(loses), opened]));
  return {
    hash: hash.digest(),
    subject: await readSubject(inside, named, effect),
    opened: new Set(rows.flatMap(({ applicationIds }) => applicationIds ?? [])).size,
  };
}

function sideOf({ applications, scopes, profiles, users, differing, holders, passing }: AccessDelta) {
  const identify = (record: RecordClass) => (id: number) => (passing.get(record)?.has(id) ? 'new' : id);
  return [
    [applications, scopes, profiles, users],
    sorted(differing.applications.of, identify(Application)),
    sorted(differing.scopes.of, String),
    sorted(differing.holdings.of, identify(User)),
    sorted(holders, identify(User)),
  ];
}

const sorted = <Value>(of: Record<string, Value[]>, nameOf: (value: Value) => unknown) =>
  Object.entries(of)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, values]) => [key, values.map((value) => String(nameOf(value))).sort()]);

/** A subject as a proposal stores it. */
export interface StoredSubject extends Subject {
  /** The `issuers` when it was proposed: their change is in no history. */
  first: Subject['issuers'];
}

interface JudgedProposal {
  proposalGuid: string;
  proposedAt: string;
  proposedBy: string;
  requestedApplicationGuid: string | null;
  revision: number;
  state: string;
  changes: object[];
  subject: StoredSubject | null;
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

/** Forgets the trial of a proposal whose changes were replaced. */
export const forgetTrial = (proposalGuid: string): boolean => trials.delete(proposalGuid);

/** Readers share a trial, because it holds the lock of all change sets, for seconds if there are a thousand changes. */
async function judgeOnce(
  context: Context,
  { proposalGuid, proposedAt, changes }: JudgedProposal,
  planOf: PlanOf,
): Promise<Judgement> {
  // read before the trial, so that the next reader tries again if something changes during it
  const version = await readVersion(context);
  let verdict = trials.get(proposalGuid);
  if (verdict?.version !== version) {
    verdict = { judgement: await judge(context, planOf(changes), proposedAt), version };
    trials.set(proposalGuid, verdict);
  }
  const { effect, ...judgement } = verdict.judgement;
  // each reader gets an effectId of its own
  return effect ? { ...judgement, effect: { ...effect } } : judgement;
}

/**
 * What the changes of a proposal do now, and its revision, which rises if the effect of an open proposal has changed, or who and
 * what it is about. The title is of now.
 */
export async function judgeProposal(
  context: Context,
  proposal: JudgedProposal,
  planOf: PlanOf,
): Promise<Judgement & { revision: number; title: string | undefined }> {
  const judgement = await judgeOnce(context, proposal, planOf);
  const { fingerprint, permission } = judgement;
  const since = [...issuerChanges(context, proposal), ...judgement.since];
  const isMovable = proposal.state === 'OPEN' && fingerprint !== undefined;
  const noted = isMovable ? await noteEffect(context, proposal, fingerprint, permission) : undefined;
  return { ...judgement, since, revision: noted?.revision ?? proposal.revision, title: noted?.title };
}

/** Settings have no history: that they changed is known from the stored hashes. */
function issuerChanges({ clock, config }: Context, { subject }: Pick<JudgedProposal, 'subject'>): ChangeSince[] {
  const first = subject?.first ?? {};
  const now = hashIssuers(config, Object.keys(first));
  if (Object.keys(first).every((idpname) => first[idpname] === now[idpname])) return [];
  const text = 'The settings of the identity provider of people concerned were changed since.';
  const at = clock.now().toISOString();
  return [{ kind: 'ID_TOKEN_ISSUERS_UPDATED', text, at, by: config.systemUserGuid, count: 1, names: [] }];
}

/** The title of the changes, or of a request for access, with the names as they are now. */
const titleNow = async (context: Context, proposal: JudgedProposal): Promise<string> =>
  (proposal.requestedApplicationGuid &&
    (await titleOfRequest(context, proposal.proposedBy, proposal.requestedApplicationGuid))) ||
  titleOf(context, proposal.changes);

type Noted = Pick<JudgedProposal, 'revision'> & { title: string };

/**
 * Raises the revision if the effect, or who and what the proposal is about, is not what is stored; returns the revision and the
 * title, or undefined for a decided proposal. A proposal of the version before gets what it is about without another revision.
 */
export async function noteEffect(
  context: Context,
  proposal: JudgedProposal,
  { hash, subject }: Fingerprint,
  permission: Permission,
): Promise<Noted | undefined> {
  const { proposalGuid: guid, subject: stored } = proposal;
  const [current] = await context.sql.rows<Noted>(
    `select revision, title from proposals where proposal_guid = $1::uuid and effect_hash = $2 and permission = $3`,
    [guid, hash, permission],
  );
  if (current && stored && isSameSubject(stored, subject)) return current;
  const isRaised = !current || stored !== null;
  const [noted] = await context.sql.rows<Noted>(
    `update proposals set revision = revision + $4::int, effect_hash = $2, permission = $3, subject = $5::jsonb, title = $6
     where proposal_guid = $1::uuid and state = 'OPEN' returning revision, title`,
    [
      guid,
      hash,
      permission,
      Number(isRaised),
      JSON.stringify({ first: subject.issuers, ...stored, ...subject }),
      await titleNow(context, proposal),
    ],
  );
  return noted;
}
