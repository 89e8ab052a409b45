/** Requests for access: a person requests an application, which proposes the changes by which the fewest others gain access. */
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.js';
import { isGuid } from '../../../entities/valueForms.js';
import { badInput, conflict, unauthenticated } from '../../../errors.js';
import { lasts } from '../../../services/access/grants.js';
import { openings } from '../../../services/access/openings.js';
import { asService, permit } from '../../../services/permit.js';
import { type OpenedApplication, translated } from '../../../services/portal/openedApplications.js';
import { explainAccess } from '../../changes/explaining/explainAccess.js';
import { compareRemedies, type Remedy } from '../../changes/explaining/remedies.js';
import { judgeRemedies } from '../../changes/judgeRemedies.js';
import { kindNamed, readChange } from '../../changes/kinds/all.js';
import { titleOf, titleOfRequest } from '../../changes/title.js';
import { replaceChanges } from './decisions.js';
import { requireRoom, storeProposal } from './proposals.js';
import { getProposal, isPending, requireProposalNote, requireTime } from './storedProposals.js';

/** Maximum number of the caller's own requests in a list: the open ones, then the newest. */
export const listedRequestsMax = 100;

interface Wish {
  applicationGuid: string;
  reason: string;
  until?: string | null | undefined;
}

/** Guid of the person who calls. Throws UNAUTHENTICATED for the service itself, which requests nothing. */
function requirePerson({ caller }: Context): string {
  if (caller.kind !== 'user' || !isGuid(caller.sub)) throw unauthenticated('a request is made by a user');
  return caller.sub.toLowerCase();
}

/** Returns the guid of the proposal. Throws BAD_USER_INPUT if access cannot be requested, and CONFLICT if the person has it. */
export async function requestAccess(context: Context, wish: Wish): Promise<string> {
  const { applicationGuid, reason, until = null } = wish;
  const userGuid = requirePerson(context);
  requireProposalNote(reason, true, 'reason');
  await requireTime(context, until, 'until');
  const title = await requestTitle(context, userGuid, applicationGuid);
  await context.sql.transaction((sql) => requireRoom(sql, userGuid, applicationGuid));
  // the person may not read which changes would open the application; the approver decides
  const service = asService(context, undefined, userGuid);
  const { isOpen, remedies } = await explainAccess(service, { userGuid, applicationGuid }, judgeRemedies(service));
  if (isOpen) throw conflict('You can open the application already.');
  const [smallest] = forPerson(remedies);
  if (!smallest) throw conflict('No small change opens the application for you: ask an administrator.');
  const changes = withEnd(smallest.changes, until);
  return storeProposal(service, changes, { note: reason }, { title, applicationGuid, until });
}

/** Throws the same error for unknown, inactive and not requestable applications, so that nobody lists the catalogue by trying. */
async function requestTitle(context: Context, userGuid: string, applicationGuid: string): Promise<string> {
  const [requestable] = await context.sql.rows(
    'select from applications where application_guid = $1::uuid and is_requestable and is_active',
    [applicationGuid],
  );
  const title = requestable && (await titleOfRequest(context, userGuid, applicationGuid));
  if (!title) throw badInput({ applicationGuid: ['Access to this application cannot be requested.'] });
  return title;
}

/**
 * Orders remedies with equal gains for others: first those that give access only to the person, because they can end and
 * change no profile.
 */
const forPerson = (remedies: readonly Remedy[]): Remedy[] =>
  remedies.toSorted((one, other) => compareRemedies(one, other) || Number(isPersonal(other)) - Number(isPersonal(one)));

/** Whether each change gives access only to people whom it names. */
const isPersonal = ({ changes }: Remedy): boolean => changes.every(canEnd);
const canEnd = (change: object): boolean => kindNamed(readChange(change).name).endingAt !== null;

/** Sets the end of grants to the person. Changes of a profile concern everybody who holds it, and get no end. */
const withEnd = (changes: readonly object[], until: string | null): object[] =>
  changes.map((change) => {
    const { name, value } = readChange(change);
    const { endingAt } = kindNamed(name);
    return until && endingAt ? { [name]: endingAt(value, until) } : change;
  });

export interface RequestRemedy {
  remedyId: string;
  title: string;
  text: string;
  othersGaining: number;
  /** Whether the proposal has these changes. */
  isChosen: boolean;
  changes: object[];
}

/** The current ways to open the requested application; those by which the fewest others gain access come first. */
export async function listRemedies(context: Context, guid: string): Promise<RequestRemedy[]> {
  permit(context, 'admin:read');
  const proposal = await getProposal(context, guid);
  const { requestedApplicationGuid: applicationGuid, requestedUntil, proposedBy, state } = proposal;
  if (!applicationGuid || state !== 'OPEN') return [];
  const statement = 'select from applications where application_guid = $1::uuid';
  const [isThere] = await context.sql.rows(statement, [applicationGuid]);
  if (!isThere) return [];
  const primary = { ...context, reads: context.sql };
  const { remedies } = await explainAccess(primary, { userGuid: proposedBy, applicationGuid }, judgeRemedies(primary));
  const chosen = idOf(proposal.changes);
  const names = await readScopeNames(context, remedies);
  const listed = forPerson(remedies).map(async ({ changes, text, othersGaining }) => {
    const remedyId = idOf(changes);
    const whole = withEnd(changes, requestedUntil);
    const isEnding = changes.some(canEnd);
    const scope = changes.flatMap((change) => names.get(accessScopeOf(change) ?? '') ?? []);
    const which = scope.length > 0 ? ` The access scope is ${scope[0]}.` : '';
    const lasting = requestedUntil && !isEnding ? ' It does not end by itself.' : '';
    return {
      remedyId,
      title: await titleOf(context, whole),
      text: text + which + lasting,
      othersGaining,
      isChosen: remedyId === chosen,
      changes: whole,
    };
  });
  return Promise.all(listed);
}

/** The access scope that a change of a remedy maps, or adds to a profile as the last one of its list. */
const accessScopeOf = (change: object): string | undefined => {
  const [value] = Object.values(change) as { accessScopeGuid?: string; accessScopeGuids?: string[] }[];
  return value?.accessScopeGuid ?? value?.accessScopeGuids?.at(-1);
};

/** Names of access scopes by guid: remedies with the same text differ only in these. */
async function readScopeNames({ sql }: Context, remedies: readonly Remedy[]): Promise<Map<string, string>> {
  const guids = remedies.flatMap(({ changes }) => changes.flatMap((change) => accessScopeOf(change) ?? []));
  const rows = await sql.rows<{ guid: string; name: string }>(
    'select access_scope_guid::text as guid, name from access_scopes where access_scope_guid = any($1::uuid[])',
    [guids],
  );
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}

/** Identifies changes, regardless of the order of their fields and of the ends of grants. */
function idOf(changes: readonly object[]): string {
  const canonical = JSON.stringify(changes, (key, value) => {
    if (key === 'validUntil') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
  return createHash('sha256').update(canonical).digest('hex').slice(0, 16);
}

/** Replaces the changes of a request by those of another remedy. Throws CONFLICT if it is no longer a remedy, FORBIDDEN, NOT_FOUND. */
export async function chooseRemedy(
  context: Context,
  guid: string,
  ifRevision: number,
  remedyId: string,
): Promise<void> {
  const remedies = await listRemedies(context, guid);
  const remedy = remedies.find((each) => each.remedyId === remedyId);
  if (!remedy) throw conflict('This remedy no longer opens the application: read the remedies again.');
  await replaceChanges(context, guid, ifRevision, remedy.changes);
}

/** Guids of the caller's own requests: the open ones, then the newest. */
export async function listOwnRequests(context: Context): Promise<string[]> {
  if (context.caller.kind !== 'user') return [];
  const rows = await context.sql.rows<{ guid: string }>(
    `select proposal_guid::text as guid from proposals p
     where proposed_by = $1::uuid and requested_application_guid is not null
     order by ${isPending} desc, proposal_id desc limit ${listedRequestsMax}`,
    [requirePerson(context)],
  );
  return rows.map(({ guid }) => guid);
}

export type RequestableApplication = Pick<
  OpenedApplication,
  'applicationGuid' | 'name' | 'description' | 'iconDefault' | 'iconHover' | 'appType'
>;

/** The applications that the caller may request, ordered by name: no profile of the caller opens them, and no open request is for them. */
export async function listRequestable(
  context: Context,
  languageCode: string | null | undefined,
): Promise<RequestableApplication[]> {
  if (context.caller.kind !== 'user') return [];
  const heldProfiles = `select link.profile_id from user_profiles link join users u using (user_id)
    where u.user_guid = $2::uuid and not u.is_blocked and ${lasts('link')}`;
  return context.reads.rows<RequestableApplication>(
    `with opened as materialized (
       select distinct application_id from (${openings(`has.profile_id = any(array(${heldProfiles}))`)}) opening)
     select a.application_guid::text as "applicationGuid", coalesce(${translated('name')}, a.name) as name,
       coalesce(${translated('description')}, a.description) as description, a.icon_default as "iconDefault",
       a.icon_hover as "iconHover", a.app_type as "appType"
     from applications a where a.is_requestable and a.is_active
       and not exists (select from opened where opened.application_id = a.application_id)
       and not exists (
         select from proposals p where p.proposed_by = $2::uuid and p.requested_application_guid = a.application_guid
           and ${isPending})
     order by 2, a.application_id`,
    [context.config.mappingActiveStates, requirePerson(context), languageCode ?? null],
  );
}
