/**
 * What would open it, in the order of the answer; each goes to the review. The service tries each before it says what it does,
 * which takes longer than to say why: the answer above does not wait for it.
 */
import { useQuery } from '@tanstack/react-query';
import { putDrafts } from '../../drafts';
import { ask } from '../../graph';
import { whyRemedies } from '../../operations/generated/why';
import { reviewDrafts } from '../../review/reviewing';
import { subjectIcons } from '../../review/SubjectHeading';
import { useMay } from '../../session';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { IconTile } from '../../ui/Tile';
import { plural } from '../../words';
import type { Person, Remedy, Target, Way } from './answer';
import { type Names, namesOfWays, remedyDrafts } from './remedyDrafts';

interface RemediesProps {
  ways: readonly Way[];
  user: Person;
  application: Target;
}

export function Remedies({ ways, user, application }: RemediesProps) {
  const { userGuid } = user;
  const { applicationGuid } = application;
  const tried = useQuery({
    queryKey: ['why', userGuid, applicationGuid, 'remedies'],
    queryFn: async ({ signal }) =>
      (await ask(whyRemedies, { userGuid, applicationGuid }, signal)).explainAccess.remedies,
  });
  const remedies = tried.data;
  if (remedies?.length === 0) return null;
  const names = namesOfWays(ways, user, application);
  return (
    <section className="card" aria-labelledby="remedies">
      <header>
        <h2 id="remedies">What would open it</h2>
      </header>
      {tried.error && !remedies && <Failure error={tried.error} retry={() => void tried.refetch()} />}
      {tried.isPending && <Loading lines={3} />}
      {remedies && (
        <ul className="items">
          {remedies.map((remedy) => (
            <RemedyItem key={JSON.stringify(remedy.changes)} remedy={remedy} names={names} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RemedyItem({ remedy, names }: { remedy: Remedy; names: Names }) {
  const mayChange = useMay('admin:write');
  const drafts = remedyDrafts(remedy, names);
  const [first] = drafts;
  const title = drafts
    .map(({ label, to, subject }) => (label === 'State' ? subject.name : `${label}: ${to}`))
    .join(', ');
  const others =
    remedy.othersGaining === 0
      ? 'Nobody else gains by it.'
      : `${plural(remedy.othersGaining, 'other')} would gain by it.`;
  const act = () => {
    // with what has become pending of the same records since
    putDrafts(remedyDrafts(remedy, names));
    reviewDrafts();
  };
  return (
    <li>
      <IconTile icon={first ? subjectIcons[first.subject.kind] : 'link'} />
      <span className="two-lines whole">
        <b>{title}</b>
        <small>
          {remedy.text} {others}
        </small>
      </span>
      <span className="grow" />
      {mayChange && (
        <button type="button" className="button" aria-label={`Do it: ${title}`} onClick={act}>
          Do it…
        </button>
      )}
    </li>
  );
}
