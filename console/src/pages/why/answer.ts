/** The parts of the answer that pictures and remedies are made of. */
import type { WhyQuery, WhyRemediesQuery } from '../../operations/generated/graph';
import { entryOf } from '../../words';

export type Explained = WhyQuery['explainAccess'];
export type Way = Explained['ways'][number];
export type Link = Way['links'][number];
export type Remedy = WhyRemediesQuery['explainAccess']['remedies'][number];
export type Person = NonNullable<WhyQuery['user']>;
export type Target = NonNullable<WhyQuery['application']>;

export interface Parts {
  profile: { profileId: string; name: string; role: string | undefined } | undefined;
  scope: { guid: string; name: string } | undefined;
  type: { guid: string; name: string } | undefined;
  /** Links that don't hold, by what they are about. */
  faults: { user: boolean; profile: string[]; scope: string[]; application: boolean };
}

/** Access scopes of the same name are distinguished by their entries in tokens. */
export function namedApart(ways: readonly Way[]): Way[] {
  const scopes = ways.flatMap(({ links }) => links.flatMap(({ accessScope }) => accessScope ?? []));
  return ways.map((way) => {
    const { type } = partsOf(way);
    const links = way.links.map((link): Link => {
      const { accessScope: scope } = link;
      const isAlone = scopes.every(
        (other) => other.name !== scope?.name || other.accessScopeGuid === scope.accessScopeGuid,
      );
      if (!scope || !type || isAlone) return link;
      return { ...link, accessScope: { ...scope, name: `${scope.name} (${entryOf(type, scope)})` } };
    });
    return { ...way, links };
  });
}

/** What the picture shows: the ways that are open, or that only end further on; without such, the nearest ones. */
export function shownWays(ways: readonly Way[]): Way[] {
  const own = ways.filter(({ links }) =>
    links.every(({ reason }) => reason !== 'PROFILE_NOT_HELD' && reason !== 'SCOPE_NOT_IN_PROFILE'),
  );
  if (own.length > 0) return own;
  const ends = ({ links }: Way) => links.filter(({ holds }) => !holds).length;
  const fewest = Math.min(...ways.map(ends));
  return ways.filter((way) => ends(way) === fewest);
}

/** A way's records, and at which of them it ends. */
export function partsOf({ links }: Way): Parts {
  const profile = links.find((link) => link.profile)?.profile;
  const scope = links.find((link) => link.accessScope)?.accessScope;
  const type = links.find((link) => link.accessScopeType)?.accessScopeType;
  const role = links.find((link) => link.userProfile)?.userProfile?.role.name;
  const ends = links.filter(({ holds }) => !holds);
  const reasons = (...wanted: (Link['reason'] & string)[]) =>
    ends.filter(({ reason }) => reason && wanted.includes(reason)).map((link) => shortly(link));
  return {
    profile: profile ? { ...profile, role } : undefined,
    scope: scope ? { guid: scope.accessScopeGuid, name: scope.name } : undefined,
    type: type ? { guid: type.accessScopeTypeGuid, name: type.name } : undefined,
    faults: {
      user: ends.some(({ reason }) => reason === 'USER_BLOCKED'),
      profile: reasons('PROFILE_NOT_HELD'),
      scope: reasons('SCOPE_NOT_IN_PROFILE', 'SCOPE_INACTIVE', 'TYPE_INACTIVE', 'MAPPING_STATE', 'NO_MAPPING'),
      application: ends.some(({ reason }) => reason === 'APPLICATION_INACTIVE'),
    },
  };
}

/** Why a link does not hold, short enough for a node of the picture. */
function shortly(link: Link): string {
  const state = link.accessScopeTypeApplicationsMapper?.state ?? link.accessScopeApplicationsMapper?.state;
  switch (link.reason) {
    case 'PROFILE_NOT_HELD':
      return 'not held';
    case 'SCOPE_NOT_IN_PROFILE':
      return 'not in the profile';
    case 'SCOPE_INACTIVE':
      return 'the scope is out of use';
    case 'TYPE_INACTIVE':
      return 'its type is out of use';
    case 'MAPPING_STATE':
      return `${link.accessScopeTypeApplicationsMapper ? 'its type’s' : 'its'} mapping is ${state}`;
    default:
      return 'no mapping leads on';
  }
}
