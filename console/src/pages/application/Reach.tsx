/** Who reaches an application: the profiles, by which scope, and the first of their people. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApplicationPageQuery } from '../../operations/generated/graph';
import { Empty } from '../../ui/Empty';
import { SaveCsv } from '../../ui/SaveCsv';
import { Tile } from '../../ui/Tile';
import { fullName, nameAndMail, plural } from '../../words';
import '../../theme/reach.css';

type Access = ApplicationPageQuery['accessOf'];
const facesMax = 5;
const profilesMax = 12;

interface ReachProps {
  applicationGuid: string;
  name: string;
  accessOf: Access;
}

export function Reach({ applicationGuid, name, accessOf }: ReachProps) {
  const profiles = [...Map.groupBy(accessOf, ({ profile }) => profile.profileId).values()]
    .map((ways) => ({ ways, ...ways[0]! }))
    .sort((one, other) => other.userProfiles.totalCount - one.userProfiles.totalCount);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? profiles : profiles.slice(0, profilesMax);
  return (
    <section className="card" aria-labelledby="reach">
      <header>
        <h2 id="reach">Who reaches it</h2>
        <span className="grow" />
        <span className="count">{plural(profiles.length, 'profile')}</span>
        {accessOf.length > 0 && (
          <SaveCsv
            label={`access of ${name}`}
            list={{ list: 'reach', filter: null, orderBy: [{ profile: { name: 'ASC' } }], of: { applicationGuid } }}
          />
        )}
      </header>
      {profiles.length === 0 && (
        <Empty icon="users" title="Nobody">
          No profile has an access scope that opens it.
        </Empty>
      )}
      <ul className="reach">
        {shown.map(({ profile, ways, userProfiles }) => (
          <li key={profile.profileId}>
            <div className="reach-top">
              <Link to="/profiles/$id" params={{ id: profile.profileId }}>
                <b>{profile.name}</b>
              </Link>
              <span>{plural(userProfiles.totalCount, 'grant')}</span>
            </div>
            <p className="through">
              through
              {[...new Set(ways.map(throughWords))].map((words) => (
                <span key={words} className="chip">
                  {words}
                </span>
              ))}
            </p>
            <Faces
              profile={profile}
              people={userProfiles.nodes.map(({ user }) => user)}
              total={userProfiles.totalCount}
            />
          </li>
        ))}
      </ul>
      {profiles.length > shown.length && (
        <footer className="rest">
          <span>
            Shown: {shown.length} of {profiles.length.toLocaleString('en')}
          </span>
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Show all
          </button>
        </footer>
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
  email: string | null;
}

interface FacesProps {
  profile: { profileId: string; name: string };
  people: readonly Person[];
  total: number;
}

function Faces({ profile, people, total }: FacesProps) {
  const shown = people.slice(0, facesMax);
  return (
    <div className="faces">
      {shown.map((person) => (
        <Link
          key={person.userGuid}
          to="/users/$guid"
          params={{ guid: person.userGuid }}
          aria-label={nameAndMail(person)}
          title={nameAndMail(person)}
        >
          <Tile name={fullName(person)} round />
        </Link>
      ))}
      {total > shown.length && (
        <Link
          className="rest-link"
          to="/profiles/$id"
          params={{ id: profile.profileId }}
          search={{ tab: 'holders' }}
          aria-label={`All ${total.toLocaleString('en')} grants of ${profile.name} (+${(total - shown.length).toLocaleString('en')})`}
        >
          +{(total - shown.length).toLocaleString('en')}
        </Link>
      )}
    </div>
  );
}
