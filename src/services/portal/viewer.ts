/** Who calls, and which applications the caller's profile opens: the query behind a portal's tiles. */
import type { Caller } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/guid.js';
import { unauthenticated } from '../../errors.js';
import { readByKeys } from '../graphReads/readPages.js';
import { scopeEntryColumn } from '../scopeEntry.js';
import type { Row, Selection } from '../sql/select.js';
import { heldScopes } from '../tokens/claims.js';
import { openings } from './openedApplications.js';

export interface Viewer {
  userGuid: string;
  profileId: string;
  roleId: string;
}

/** Who calls, and for which profile. Throws UNAUTHENTICATED for a caller without one. */
export function getViewer({ caller }: Context): Viewer {
  if (caller.kind !== 'user') throw unauthenticated('the viewer is whom an access token names');
  const { sub: userGuid, profileId, roleId } = caller;
  return { userGuid, profileId, roleId };
}

/** The caller's scopes as they are now, sorted. */
export async function listOwnScopes({ caller, reads }: Context, profileId: string): Promise<string[]> {
  if (caller.kind === 'user' && caller.ownScopes) return [...caller.ownScopes];
  const [held] = await reads.rows<{ scopes: string[] }>(`select ${heldScopes('$1')} as scopes`, [profileId]);
  const limits = limitsOf(caller);
  return held!.scopes.filter((scope) => limits?.includes(scope) ?? true).sort();
}

/** The scopes beside which a narrowed token has none; null of any other. */
const limitsOf = (caller: Caller): readonly string[] | null => (caller.kind === 'user' && caller.limitedTo) || null;

/** The caller's own record, which needs no permission; records related to it do. Null for a user not known here. */
export async function findOwnUser(context: Context, selection: Selection): Promise<Row | null> {
  const { caller } = context;
  if (caller.kind !== 'user' || !isGuid(caller.sub)) return null;
  const sub = caller.sub.toLowerCase();
  return (await readByKeys(context, selection, 'userGuid', [sub], { isOwn: true })).get(sub) ?? null;
}

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
const translated = (field: string): string => `(
  select translated_text from translations t
  where t.translation_group = a.translation_group and lower(t.field_name) = '${field}'
    and lower(t.language_code) in (lower($3), lower(split_part($3, '-', 1)))
  order by length(t.language_code) desc, t.translation_id limit 1)`;

const statement = `
  select a.application_guid as "applicationGuid", coalesce(${translated('name')}, a.name) as name,
    coalesce(${translated('description')}, a.description) as description, a.icon_default as "iconDefault",
    a.icon_hover as "iconHover", a.app_type as "appType", a.rendering_mode as "renderingMode", a.link_type as "linkType",
    coalesce(opened.link, a.global_external_link) as link,
    a.is_token_exchange_required as "isTokenExchangeRequired", a.is_iframe as "isIframe"
  from (
    select application_id, (array_agg(link order by access_scope_applications_mapper_id) filter (where link is not null))[1] as link
    from (${openings(`has.profile_id = $2 and ($4::text[] is null or ${scopeEntryColumn} = any($4))`)}) opening
    group by application_id
  ) opened
  join applications a on a.application_id = opened.application_id and a.is_active
  order by a.application_id`;

/** The applications that the caller's profile opens, each once; of several individual links the oldest mapping's. */
export function listOpenedApplications(
  { reads, config, caller }: Context,
  profileId: string,
  languageCode: string | null | undefined,
): Promise<OpenedApplication[]> {
  return reads.rows<OpenedApplication>(statement, [
    config.mappingActiveStates,
    profileId,
    languageCode ?? null,
    limitsOf(caller),
  ]);
}
