/** Which applications profiles open, as a portal shows them. */
import type { Context } from '../../context.js';
import { tooLarge } from '../../errors.js';
import { permit } from '../permit.js';
import { scopeEntryColumn } from '../scopeEntry.js';
import { openings } from './openedApplications.js';
import { limitsOf } from './viewer.js';

interface OpenedApplication {
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
const translated = (field: string): string => `(
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

/** Of all that one request asks for. */
const openedMax = 20_000;

/**
 * The same of several profiles, in their order. Throws FORBIDDEN, and TOO_LARGE past what a request may ask for.
 * @param spent counts for the request what was read before
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
