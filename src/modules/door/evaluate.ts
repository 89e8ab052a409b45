/** Evaluates whether users may open applications and use access scopes, many questions at once, with the reasons of explainAccess. */
import type { Context } from '../../context.js';
import { GatehouseError } from '../../errors.js';
import { scopeEntryColumn, scopesAndTypes, wildcardOf } from '../../services/access/scopeEntry.js';
import { calledName } from '../../services/fullName.js';
import { permit } from '../../services/permit.js';
import { timeText } from '../../sql.js';
import { nothingLeads } from '../changes/explaining/explainAccess.js';
import { type Link, linksOf, type Names } from '../changes/explaining/links.js';
import { endOf, endOfLinks, nearestLink, type Way } from '../changes/explaining/ways.js';
import { contextAsOf } from '../changes/history/state.js';

/** Asks whether the user may open an application, or whether a profile of the user gives a scope. */
export interface AccessQuestion {
  userGuid: string;
  /** Only this profile counts; null: every profile that the user holds. */
  profileId: string | null;
  applicationGuid: string | null;
  /** An entry of `scopes`; null: the question is about the application. */
  scope: string | null;
  /** ISO 8601; undefined: now. */
  asOf: string | undefined;
}

export type AccessDecision =
  | { isGranted: boolean; reasons: string[] }
  | { isGranted: false; error: { status: number; message: string } };

/** Answers the questions in order, with one statement for each `asOf`. Throws FORBIDDEN. */
export async function evaluate(context: Context, questions: readonly AccessQuestion[]): Promise<AccessDecision[]> {
  permit(context, 'admin:read');
  const decisions = new Map<AccessQuestion, AccessDecision>();
  for (const [asOf, group] of Map.groupBy(questions, (question) => question.asOf)) {
    const evaluated = await evaluateAt(context, asOf, group).catch((error: unknown) => {
      if (!(error instanceof GatehouseError) || error.status !== 400) throw error;
      const message = Object.values(error.more.problems ?? {}).flat()[0] ?? error.message;
      return group.map(() => failure(400, message));
    });
    for (const [index, question] of group.entries()) decisions.set(question, evaluated[index]!);
  }
  return questions.map((question) => decisions.get(question)!);
}

const failure = (status: number, message: string): AccessDecision => ({ isGranted: false, error: { status, message } });

async function evaluateAt(context: Context, asOf: string | undefined, questions: readonly AccessQuestion[]) {
  const { reads, config } = await contextAsOf(context, asOf);
  const rows = await reads.rows<Row>(statement, [
    questions.map(({ userGuid }) => userGuid),
    questions.map(({ profileId }) => profileId),
    questions.map(({ applicationGuid }) => applicationGuid),
    questions.map(({ scope }) => scope),
    questions.map(({ scope }) => (scope === null ? null : (wildcardOf(scope) ?? null))),
    config.mappingActiveStates,
  ]);
  return rows.map((row, index) => decide(row, questions[index]!));
}

/** The names in a question, and the nearest path from the user to the goal; null if there is none. */
interface Row extends Omit<Way, 'userProfileId' | 'profileId' | 'missing'> {
  userName: string | null;
  applicationName: string | null;
  askedProfileName: string | null;
  /** Whether the user holds the profile of the question. */
  holds: boolean;
  userProfileId: number | null;
  profileId: string | null;
  profileName: string | null;
  scopeName: string | null;
  typeName: string | null;
  missing: number | null;
}

function decide(row: Row, { profileId, applicationGuid, scope }: AccessQuestion): AccessDecision {
  if (row.userName === null) return failure(404, 'The user was not found.');
  if (applicationGuid !== null && row.applicationName === null) return failure(404, 'The application was not found.');
  if (profileId !== null && row.askedProfileName === null) return failure(404, 'The profile was not found.');
  const links = linksOf(row as Way, namesOf(row, scope)).filter(({ part }) => isRequested(part, row, scope));
  const isGranted = links.every(({ holds }) => holds) && row.missing !== null;
  const reasons = links.filter(({ holds }) => holds === isGranted).map(({ text }) => text);
  if (row.missing !== null || !row.holds) return { isGranted, reasons };
  const nothing = scope === null ? nothingLeads : `No profile of ${row.userName} has the access scope ${scope}.`;
  return { isGranted, reasons: profileId !== null && scope !== null ? reasons : [...reasons, nothing] };
}

/** Selects the links to check. A scope needs no mapping; without a path only the parts that the question names are checked. */
function isRequested(part: Link['part'], { missing, holds, askedProfileName }: Row, scope: string | null): boolean {
  if (missing === null)
    return (
      part === 'user' ||
      (part === 'profile' && !holds) ||
      (part === 'scopeOfProfile' && holds && askedProfileName !== null && scope !== null)
    );
  return scope === null || (part !== 'mapping' && part !== 'application');
}

const namesOf = (row: Row, scope: string | null): Names => ({
  user: row.userName!,
  profile: row.profileName ?? row.askedProfileName ?? '',
  scope: row.scopeName ?? scope ?? '',
  type: row.typeName ?? '',
  application: row.applicationName ?? '',
});

const nearestWay = `"userProfileId", "profileEndedAt", "profileId", "profileName", "profileAccessScopeId", "scopeEndedAt", "accessScopeId", "scopeName", "scopeIsActive",
    "typeName", "typeIsActive", "scopeMappingId", "typeMappingId", "mappingState", "mappingHolds", missing`;

/**
 * $1 users, $2 profiles or null, $3 applications or null, $4 entries or null, $5 their wildcards, $6 active states. Sets are
 * joined, not looked up question by question: a batch usually has few users and many applications.
 */
const statement = `
  with asked as materialized (
    select asked.ord, asked.profile, asked.scope, asked.wildcard, u.user_id, u.is_blocked, a.application_id,
      a.name as application_name, a.is_active as application_is_active, profile.name as profile_name,
      case when u.user_id is not null then coalesce(${calledName('u.')}, asked.user_guid::text) end as user_name
    from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[])
      with ordinality asked(user_guid, profile, application_guid, scope, wildcard, ord)
    left join users u on u.user_guid = asked.user_guid
    left join applications a on a.application_guid = asked.application_guid
    left join profiles profile on profile.profile_id = asked.profile
  ), links as materialized (
    select link.user_id, link.profile_id, ${nearestLink} as "userProfileId", ${timeText(endOfLinks)} as "profileEndedAt"
    from user_profiles link where link.user_id in (select user_id from asked) group by link.user_id, link.profile_id
  ), held as materialized (
    select links.user_id, links."userProfileId", links."profileEndedAt", ${timeText(endOf('has'))} as "scopeEndedAt", links.profile_id as "profileId", profile.name as "profileName",
      has.profile_access_scope_id as "profileAccessScopeId", scope.access_scope_id as "accessScopeId",
      scope.access_scope_type_id, scope.name as "scopeName", scope.is_active as "scopeIsActive", type.name as "typeName",
      type.is_active as "typeIsActive", ${scopeEntryColumn} as entry
    from links join profiles profile on profile.profile_id = links.profile_id
    join profile_access_scopes has on has.profile_id = links.profile_id
    join (${scopesAndTypes}) on scope.access_scope_id = has.access_scope_id
    where exists (select from asked where asked.user_id = links.user_id and (asked.profile is null or asked.profile = links.profile_id))
  ), held_types as materialized (
    select distinct on (user_id, "profileId", access_scope_type_id) * from held
    order by user_id, "profileId", access_scope_type_id, "scopeEndedAt" is not null, "scopeIsActive" desc, "accessScopeId"
  ), mapped as materialized (
    select asked.ord, asked.user_id, m.access_scope_id, null::int as access_scope_type_id,
      m.access_scope_applications_mapper_id as "scopeMappingId", null::int as "typeMappingId", m.state
    from asked join access_scope_applications_mappers m using (application_id)
    union all
    select asked.ord, asked.user_id, null, m.access_scope_type_id, null, m.access_scope_type_applications_mapper_id, m.state
    from asked join access_scope_type_applications_mappers m using (application_id)
  ), ways as (
    select mapped.ord, held.*, mapped."scopeMappingId", mapped."typeMappingId", mapped.state as "mappingState"
    from mapped join held on held.user_id = mapped.user_id and held."accessScopeId" = mapped.access_scope_id
    union all
    select mapped.ord, held.*, null, mapped."typeMappingId", mapped.state
    from mapped join held_types held on held.user_id = mapped.user_id and held.access_scope_type_id = mapped.access_scope_type_id
    union all
    select asked.ord, held.*, null, null, null from asked join held on held.user_id = asked.user_id and held.entry = asked.scope
    union all
    select asked.ord, held.*, null, null, null from asked join held on held.user_id = asked.user_id and held.entry = asked.wildcard
  ), nearest as (
    select distinct on (ord) * from (
      select ways.*, coalesce("mappingState" = any($6::text[]), false) as "mappingHolds",
        asked.is_blocked::int + ("profileEndedAt" is not null)::int + ("scopeEndedAt" is not null)::int
          + (not "scopeIsActive")::int + (not "typeIsActive")::int + case when asked.scope is null
          then (not coalesce("mappingState" = any($6::text[]), false))::int + (not asked.application_is_active)::int else 0 end as missing
      from ways join asked using (ord) where asked.profile is null or asked.profile = ways."profileId"
    ) judged order by ord, missing, "profileId" collate "C", "accessScopeId", "scopeMappingId" nulls last
  )
  select asked.user_name as "userName", asked.is_blocked as "userIsBlocked", asked.application_name as "applicationName",
    asked.application_is_active as "applicationIsActive", asked.profile_name as "askedProfileName",
    asked.profile is null or exists (
      select from links where links.user_id = asked.user_id and links.profile_id = asked.profile and "profileEndedAt" is null) as holds, ${nearestWay}
  from asked left join nearest using (ord) order by asked.ord`;
