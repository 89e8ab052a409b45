/** People who have an e-mail address already: offered in the place of a second record of the same person. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../graph';
import { matchEmails } from '../../operations/generated/giving';
import type { MatchEmailsQuery } from '../../operations/generated/graph';
import { Failure } from '../../ui/Failure';
import { useDebounced } from '../../ui/SearchField';
import { Tile } from '../../ui/Tile';
import { fullName } from '../../words';

type Match = MatchEmailsQuery['matchEmails'][number];

export function SameEmail({ email }: { email: string }) {
  const asked = useDebounced(email.trim());
  const found = useQuery({
    queryKey: ['same e-mail', asked],
    enabled: /.@./.test(asked),
    queryFn: async ({ signal }) => (await ask(matchEmails, { emails: [asked], profileId: null }, signal)).matchEmails,
  });
  if (found.error) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (asked !== email.trim()) return null;
  const matches = found.data ?? [];
  const same = matches.flatMap(({ user }) => user ?? []);
  const like = matches.flatMap(({ suggestion }) => suggestion ?? []);
  const people: readonly (NonNullable<Match['user']> | NonNullable<Match['suggestion']>)[] =
    same.length > 0 ? same : like;
  if (people.length === 0) return null;
  return (
    <section className="notice near same-email" aria-labelledby="same-email" role="status">
      <h2 id="same-email">{same.length > 0 ? 'Somebody has this e-mail already' : 'Is it one of these?'}</h2>
      <ul className="items">
        {people.map((person) => (
          <li key={person.userGuid}>
            <Tile name={fullName(person)} round />
            <span className="two-lines">
              <b>{fullName(person)}</b>
              <small>
                {[
                  person.email,
                  'department' in person && person.department,
                  'isBlocked' in person && person.isBlocked && 'blocked',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <span className="grow" />
            <Link className="button small" to="/users/$guid" params={{ guid: person.userGuid }}>
              Open {fullName(person)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
