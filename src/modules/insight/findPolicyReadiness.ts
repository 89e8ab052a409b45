/** Reports which clients the hardened policy would refuse, why, and what to do about it. */
import type { Context, RehearsedVerdict } from '../../context.js';
import { permit } from '../../services/permit.js';
import { isHardened } from '../../services/tokens/policy.js';

/** Why the hardened policy would refuse a request, or end its session. */
type PolicyReason = Exclude<RehearsedVerdict, 'passed' | 'notJudged'>;

interface Words {
  /** Continues a sentence that begins with the client's name. */
  text: string;
  advice: string;
}

const words: { [reason in PolicyReason]: Words } = {
  noCredentials: {
    text: 'sends no client credentials',
    advice: 'Send client_id and client_secret in the body, as at /token.',
  },
  wrongCredentials: {
    text: 'sends wrong client credentials',
    advice: 'Send the client_id and client_secret that work at /token.',
  },
  anotherClient: {
    text: 'uses a renewal token of another client',
    advice: 'Let each client exchange an ID token for its own tokens, and store them separately.',
  },
  anotherProfile: {
    text: 'renews with a profileId that is not the token’s',
    advice: 'Send the profileId of the exchange. For another profile, exchange an ID token again.',
  },
  reuse: {
    text: 'presents a renewal token that was already used',
    advice:
      'Store the new renewal token of each answer first, renew in one place at a time, and repeat a lost renewal with its Idempotency-Key.',
  },
  repeatedIdToken: {
    text: 'exchanges an ID token more than once for the same profile',
    advice: 'Renew instead, or ask the identity provider for a new ID token.',
  },
};

export const policyReasons = Object.keys(words) as readonly PolicyReason[];
export const policyWords = (reason: PolicyReason): Words => words[reason];

/** Requests of one kind that the hardened policy would refuse, or whose session it would end, within REHEARSAL_DAYS. */
export interface PolicyFinding {
  /** Path of the endpoint. */
  operation: string;
  reason: PolicyReason;
  text: string;
  advice: string;
  count: number;
  /** ISO 8601. */
  firstSeenAt: string;
  lastSeenAt: string;
}

export type PolicyState = 'HARDENED' | 'READY' | 'NOT_READY' | 'NOT_SEEN';

export interface ClientReadiness {
  clientId: string;
  state: PolicyState;
  isReady: boolean;
  /** Requests on which the two policies can differ. */
  judged: number;
  /** Requests whose secret was not compared for lack of time. */
  notJudged: number;
  /** Ordered by last use, newest first. */
  findings: PolicyFinding[];
}

export interface PolicyReadiness {
  tokenPolicy: Context['config']['tokenPolicy'];
  /** REHEARSAL_DAYS. */
  days: number;
  /** Active clients. `ready` includes hardened ones. */
  clients: number;
  ready: number;
  notReady: number;
  notSeen: number;
  /** Clients that are not ready, ordered by last use, newest first; at most 100. */
  unready: ClientReadiness[];
  /** Findings of requests without a known client. */
  ofNobody: PolicyFinding[];
}

const unreadyShown = 100;
const reasons = policyReasons.map((reason) => `'${reason}'`).join(', ');
const recent = 'recent as (select * from policy_verdicts where last_seen_at > now() - make_interval(days => $1::int))';
const findings = `coalesce(json_agg(json_build_object('operation', operation, 'reason', verdict, 'count', count,
    'firstSeenAt', first_seen_at, 'lastSeenAt', last_seen_at) order by last_seen_at desc, operation, verdict)
  filter (where verdict in (${reasons})), '[]') as findings`;
const judgedRows = `${recent}, judged as (
    select client.client_id, client.is_active, coalesce(client.policy = 'hardened', false) as is_hardened, ${findings},
      coalesce(sum(count) filter (where verdict <> 'notJudged'), 0)::float8 as judged,
      coalesce(sum(count) filter (where verdict = 'notJudged'), 0)::float8 as not_judged,
      max(last_seen_at) filter (where verdict in (${reasons})) as refused_at
    from clients client left join recent on recent.client_id = client.client_id
    where $2::text[] is null or client.client_id = any($2) group by client.client_id
  )`;
const clientsStatement = `with ${judgedRows} select * from judged`;
// a hardened client is ready, even with findings from before
const summary = `with ${judgedRows}, counted as (
    select count(*)::int as clients, count(*) filter (where is_hardened)::int as hardened,
      count(*) filter (where not is_hardened and refused_at is not null)::int as "notReady",
      count(*) filter (where not is_hardened and refused_at is null and judged = 0)::int as "notSeen"
    from judged where is_active
  ), unready as (
    select * from judged where is_active and not is_hardened and refused_at is not null
    order by refused_at desc, client_id limit ${unreadyShown}
  )
  select counted.*, (select ${findings} from recent where client_id = '') as "ofNobody",
    coalesce((select json_agg(unready order by refused_at desc, client_id) from unready), '[]') as unready
  from counted`;

type FoundFinding = Omit<PolicyFinding, 'text' | 'advice'>;

interface Judged {
  client_id: string;
  is_hardened: boolean;
  findings: FoundFinding[];
  judged: number;
  not_judged: number;
}

/** Returns the readiness in the order of `clientIds`. An unknown client is NOT_SEEN. */
export async function findClientReadiness(context: Context, clientIds: readonly string[]): Promise<ClientReadiness[]> {
  permit(context, 'admin:security');
  const { reads, config } = context;
  const rows = await reads.rows<Judged>(clientsStatement, [config.rehearsalDays, clientIds]);
  const rowsByClient = new Map(rows.map((row) => [row.client_id, row]));
  return clientIds.map((clientId) => readinessOf(context, clientId, rowsByClient.get(clientId)));
}

/** Covers all active clients. */
export async function findPolicyReadiness(
  context: Pick<Context, 'reads' | 'config' | 'caller'>,
): Promise<PolicyReadiness> {
  permit(context, 'admin:security');
  const { reads, config } = context;
  const { tokenPolicy, rehearsalDays: days } = config;
  const [totals] = await reads.rows<{
    clients: number;
    notReady: number;
    notSeen: number;
    ofNobody: FoundFinding[];
    unready: Judged[];
  }>(summary, [days, null]);
  const { clients, ofNobody } = totals!;
  if (isHardened(config))
    return { tokenPolicy, days, clients, ready: clients, notReady: 0, notSeen: 0, unready: [], ofNobody: [] };
  const { notReady, notSeen, unready } = totals!;
  return {
    tokenPolicy,
    days,
    clients,
    ready: clients - notReady - notSeen,
    notReady,
    notSeen,
    unready: unready.map((row) => readinessOf(context, row.client_id, row)),
    ofNobody: ofNobody.map(describeFinding),
  };
}

function readinessOf({ config }: Pick<Context, 'config'>, clientId: string, row: Judged | undefined): ClientReadiness {
  const rows = row?.findings ?? [];
  const isStrict = isHardened(config, row?.is_hardened ? 'hardened' : null);
  const state = isStrict ? 'HARDENED' : rows.length > 0 ? 'NOT_READY' : row?.judged ? 'READY' : 'NOT_SEEN';
  return {
    clientId,
    state,
    isReady: state === 'HARDENED' || state === 'READY',
    judged: row?.judged ?? 0,
    notJudged: row?.not_judged ?? 0,
    findings: isStrict ? [] : rows.map(describeFinding),
  };
}

const describeFinding = (finding: FoundFinding): PolicyFinding => ({
  ...finding,
  firstSeenAt: new Date(finding.firstSeenAt).toISOString(),
  lastSeenAt: new Date(finding.lastSeenAt).toISOString(),
  ...policyWords(finding.reason),
});
