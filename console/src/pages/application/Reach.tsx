/** Who reaches an application: the profiles, by which scope, and the first of their people. */
import { Link } from '@tanstack/react-router';
import type { ApplicationPageQuery } from '../../operations/generated/graph';
import { Empty } from '../../ui/Empty';
import { Tile } from '../../ui/Tile';
import { fullName, plural } from '../../words';

type Access = ApplicationPageQuery['accessOf'];
const facesMax = 5;
const profilesMax = 50;

export function Reach({ accessOf }: { accessOf: Access }) {
  const profiles = [...Map.groupBy(accessOf, ({ profile }) => profile.profileId).values()]
    .map((ways) => ({ ways, ...ways[0]! }))
    .sort((one, other) => other.userProfiles.totalCount - one.userProfiles.totalCount);
  return (
    <section className="card" aria-labelledby="reach">
      <header>
        <h2 id="reach">Who reaches it</h2>
        <span className="grow" />
        <span className="count">{plural(profiles.length, 'profile')}</span>
      </header>
      {profiles.length === 0 && (
        <Empty icon="users" title="Nobody">
          No profile has an access scope that opens it.
        </Empty>
      )}
      <ul className="reach">
        {profiles.slice(0, profilesMax).map(({ profile, ways, userProfiles }) => (
          <li key={profile.profileId}>
            <div className="reach-top">
              <Link to="/profiles/$id" params={{ id: profile.profileId }}>
                <b>{profile.name}</b>
              </Link>
              <span>{plural(userProfiles.totalCount, 'person', 'people')}</span>
            </div>
            <p className="through">
              through
              {[...new Set(ways.map(throughWords))].map((words) => (
                <span key={words} className="chip">
                  {words}
                </span>
              ))}
            </p>
            <Faces people={userProfiles.nodes.map(({ user }) => user)} total={userProfiles.totalCount} />
          </li>
        ))}
      </ul>
      {profiles.length > profilesMax && (
        <p className="note">and {plural(profiles.length - profilesMax, 'more profile')}</p>
      )}
    </section>
  );
}

const throughWords = ({ accessScope, accessScopeTypeApplicationsMapper: type }: Access[number]): string =>
  type ? `${accessScope.name}, by its type` : accessScope.name;

interface Person {
  userGuid: string;
  firstName: string | null;
  lastName: string | null;
}

function Faces({ people, total }: { people: readonly Person[]; total: number }) {
  const shown = people.slice(0, facesMax);
  return (
    <div className="faces">
      {shown.map((person) => (
        <Link
          key={person.userGuid}
          to="/users/$guid"
          params={{ guid: person.userGuid }}
          aria-label={fullName(person)}
          title={fullName(person)}
        >
          <Tile name={fullName(person)} round />
        </Link>
      ))}
      {total > shown.length && <span>+{(total - shown.length).toLocaleString('en')}</span>}
    </div>
  );
}
