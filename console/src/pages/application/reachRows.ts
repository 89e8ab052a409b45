/** Everybody who reaches an application, with the profile and the access scopes by which: the rows of its CSV. */
import { ask } from '../../graph';
import { reachedBy } from '../../operations/generated/application';
import type { ApplicationPageQuery } from '../../operations/generated/graph';

type Access = ApplicationPageQuery['accessOf'];
const rowsAtOnce = 1_000;

/** One row for each profile and person; a profile that nobody holds has a row without person. */
export async function readReach(accessOf: Access, noted: (count: number) => void): Promise<object[]> {
  const all: object[] = [];
  for (const ways of Map.groupBy(accessOf, ({ profile }) => profile.profileId).values()) {
    const { profile } = ways[0]!;
    const accessScopes = [...new Set(ways.map(throughWords))];
    const before = all.length;
    for (let total = 1, offset = 0; offset < total; offset += rowsAtOnce) {
      const variables = { profileId: profile.profileId, first: rowsAtOnce, offset };
      const { totalCount, nodes } = (await ask(reachedBy, variables)).userProfiles;
      total = totalCount;
      all.push(...nodes.map((held) => ({ profile, accessScopes, ...held })));
      noted(all.length);
    }
    if (all.length === before) all.push({ profile, accessScopes });
  }
  return all;
}

export const throughWords = ({ accessScope, accessScopeTypeApplicationsMapper: type }: Access[number]): string =>
  type ? `${accessScope.name}, by its type` : accessScope.name;
