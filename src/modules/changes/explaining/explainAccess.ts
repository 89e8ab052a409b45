/** Explains why a user can or cannot open an application, and which changes would open it. */
import type { Context } from '../../../context.js';
import { calledName } from '../../../services/fullName.js';
import { permit } from '../../../services/permit.js';
import { type ExplainedWay, linksOf, type Names } from './links.js';
import { findRemedies, type Judge, type Remedy, type Target } from './remedies.js';
import { findWays, type Way } from './ways.js';

interface AccessExplanation {
  isOpen: boolean;
  /** Sentences: why it is open, or which conditions the nearest ways do not meet. */
  reasons: string[];
  openWays: number;
  ownWays: number;
  ways: ExplainedWay[];
  remedies: Remedy[];
}

interface AccessQuestion extends Target {
  /** Only with this profile. */
  profileId?: string | null;
}

/**
 * Throws NOT_FOUND.
 * @param judge tries changes that would open it; false: none are looked for, as for a past state
 */
export async function explainAccess(
  context: Context,
  { userGuid, applicationGuid, profileId = null }: AccessQuestion,
  judge: Judge | false,
): Promise<AccessExplanation> {
  permit(context, 'admin:read');
  const explained = await findWays(context, userGuid, applicationGuid, profileId);
  const names = await readNames(context, userGuid, applicationGuid, explained);
  const ways = explained.map((way) => ({ way, isOpen: way.missing === 0, links: linksOf(way, names(way)) }));
  const isOpen = ways.some((way) => way.isOpen);
  return {
    isOpen,
    reasons: reasonsOf(ways),
    openWays: explained[0]?.openWays ?? 0,
    ownWays: explained[0]?.ownWays ?? 0,
    ways,
    remedies: judge && !isOpen ? await findRemedies(context, { userGuid, applicationGuid }, ways, judge) : [],
  };
}

export const nothingLeads = 'No mapping leads from the user’s profiles to the application.';

function reasonsOf(ways: readonly ExplainedWay[]): string[] {
  const [nearest] = ways;
  if (!nearest) return [nothingLeads];
  if (nearest.isOpen) return nearest.links.map(({ text }) => text);
  const near = ways.filter(({ way }) => way.missing === nearest.way.missing);
  return [...new Set(near.flatMap(({ links }) => links.filter(({ holds }) => !holds).map(({ text }) => text)))];
}

/** A user without anything to be called by is named by the guid. */
async function readNames(
  context: Context,
  userGuid: string,
  applicationGuid: string,
  ways: readonly Way[],
): Promise<(way: Way) => Names> {
  const named = async (table: string, key: string, type: string, keys: unknown[], name = 'name') => {
    const statement = `select ${key} as key, ${name} from ${table} where ${key} = any($1::${type}[])`;
    const rows = await context.reads.rows<{ key: unknown; name: string }>(statement, [keys]);
    return new Map(rows.map((row) => [row.key, row.name]));
  };
  const person = `coalesce(${calledName()}, user_guid::text) as name`;
  const ofWays = (field: keyof Way) => ways.map((way) => way[field]);
  const [users, applications, profiles, scopes, types] = await Promise.all([
    named('users', 'user_guid', 'uuid', [userGuid], person),
    named('applications', 'application_guid', 'uuid', [applicationGuid]),
    named('profiles', 'profile_id', 'text', ofWays('profileId')),
    named('access_scopes', 'access_scope_id', 'int', ofWays('accessScopeId')),
    named('access_scope_types', 'access_scope_type_id', 'int', ofWays('accessScopeTypeId')),
  ]);
  return (way) => ({
    user: [...users.values()][0]!,
    application: [...applications.values()][0]!,
    profile: profiles.get(way.profileId)!,
    scope: scopes.get(way.accessScopeId)!,
    type: types.get(way.accessScopeTypeId)!,
  });
}
