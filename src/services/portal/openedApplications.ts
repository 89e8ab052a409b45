/** Lists the applications that profiles open, as a portal shows them, and who can open an application. */
import type { Caller } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { notFound, tooLarge } from '../../errors.js';
import { openings } from '../access/openings.js';
import { scopeEntryColumn } from '../access/scopeEntry.js';
import { permit } from '../permit.js';

export interface OpenedApplication {
  applicationGuid: string;
  name: string;
  description: string | null;
  iconDefault: string;
  iconHover: string;
  appType: string;
  renderingMode: string;
  linkType: string;
  link: string | null;
  isTokenExchangeRequired: boolean | null;
  isIframe: boolean | null;
}

/** The text in the language ($3), else in the language without its region; null when there is none. */
export const translated = (field: string): string => `(
  select translated_text from translations t
  where t.translation_group = a.translation_group and lower(t.field_name) = '${field}'
    and lower(t.language_code) in (lower($3), lower(split_part($3, '-', 1)))
  order by length(t.language_code) desc, t.translation_id limit 1)`;

const statement = `
  select opened.profile_id as "profileId", a.application_guid as "applicationGuid", coalesce(${translated('name')}, a.name) as name,
    coalesce(${translated('description')}, a.description) as description, a.icon_default as "iconDefault",
    a.icon_hover as "iconHover", a.app_type as "appType", a.rendering_mode as "renderingMode", a.link_type as "linkType",
    coalesce(opened.link, a.global_external_link) as link,
    a.is_token_exchange_required as "isTokenExchangeRequired", a.is_iframe as "isIframe"
  from (
    select profile_id, application_id, (array_agg(link order by access_scope_applications_mapper_id) filter (where link is not null))[1] as link
    from (${openings(`has.profile_id = any($2::text[]) and ($4::text[] is null or ${scopeEntryColumn} = any($4))`)}) opening
    group by profile_id, application_id
  ) opened
  join applications a on a.application_id = opened.application_id and a.is_active
  order by a.application_id`;

interface OfProfile extends OpenedApplication {
  profileId: string;
}

/** The applications that the caller's profile opens, each once; of several individual links the oldest mapping's. */
export async function listOpenedApplications(
  { reads, config, caller }: Context,
  profileId: string,
  languageCode: string | null | undefined,
): Promise<OpenedApplication[]> {
  return reads.rows<OfProfile>(statement, [
    config.mappingActiveStates,
    [profileId],
    languageCode ?? null,
    limitsOf(caller),
  ]);
}

/** The scopes of a narrowed token; null for any other token. */
export const limitsOf = (caller: Caller): readonly string[] | null =>
  (caller.kind === 'user' && caller.limitedTo) || null;

/** Maximum number of applications that one request reads for all its profiles. */
const openedMax = 20_000;

/**
 * The same for several profiles, in their order. Throws FORBIDDEN, and TOO_LARGE if the request reads too many applications.
 * @param spent counts the applications that the request has read
 */
export async function listOpenedBy(
  context: Context,
  profileIds: readonly string[],
  languageCode: string | null | undefined,
  spent: { applications: number },
): Promise<OpenedApplication[][]> {
  permit(context, 'admin:read');
  const { reads, config } = context;
  const room = openedMax - spent.applications;
  const values = [config.mappingActiveStates, [...new Set(profileIds)], languageCode ?? null, null];
  const rows = await reads.rows<OfProfile>(`${statement} limit ${room + 1}`, values);
  if (rows.length > room) throw tooLarge(`The profiles open more than ${openedMax} applications together.`);
  spent.applications += rows.length;
  const byProfile = Map.groupBy(rows, ({ profileId }) => profileId);
  return profileIds.map((profileId) => byProfile.get(profileId) ?? []);
}

export interface Access {
  profileId: string;
  accessScopeId: number;
  accessScopeApplicationsMapperId: number | null;
  accessScopeTypeApplicationsMapperId: number | null;
  link: string | null;
}

const accessesMax = 10_000;

/** Throws NOT_FOUND. An inactive application has no users. */
export async function listAccessOf(context: Context, applicationGuid: string): Promise<Access[]> {
  permit(context, 'admin:read');
  const { reads, config } = context;
  const [application] = await reads.rows<{ application_id: number }>(
    'select application_id from applications where application_guid = $1::uuid',
    [applicationGuid],
  );
  if (!application) throw notFound('The application');
  const accesses = await reads.rows<Access>(
    `select profile_id as "profileId", access_scope_id as "accessScopeId",
       access_scope_applications_mapper_id as "accessScopeApplicationsMapperId",
       access_scope_type_applications_mapper_id as "accessScopeTypeApplicationsMapperId",
       coalesce(opening.link, a.global_external_link) as link
     from (${openings('m.application_id = $2')}) opening
     join applications a on a.application_id = opening.application_id and a.is_active
     order by profile_id collate "C", access_scope_id, access_scope_applications_mapper_id nulls last limit ${accessesMax + 1}`,
    [config.mappingActiveStates, application.application_id],
  );
  if (accesses.length > accessesMax) throw tooLarge(`More than ${accessesMax} ways lead to the application.`);
  return accesses;
}
