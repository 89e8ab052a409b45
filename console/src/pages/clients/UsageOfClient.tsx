/** What a client still uses, and how: to be known before it is taken out of use, or an operation comes to its end. */
import { Link } from '@tanstack/react-router';
import { Time } from '../../ui/Time';
import { plural } from '../../words';
import type { ClientUsages } from '../records';

export const usagesShown = 10;

/** @param usages those seen last, one more than are shown where there are more */
export const UsageOfClient = ({ clientId, usages }: { clientId: string; usages: ClientUsages }) => (
  <section className="card" aria-labelledby="client-usage">
    <header>
      <h2 id="client-usage">Usage</h2>
      <span className="grow" />
      {usages.length > usagesShown && (
        <Link className="button small" to="/usage" search={{ client: clientId }}>
          All of it
        </Link>
      )}
    </header>
    {usages.length === 0 ? (
      <p className="note">No request of it was counted.</p>
    ) : (
      <ul className="items">
        {usages.slice(0, usagesShown).map(({ operation, option, mediaType, product, ...seen }) => (
          <li key={JSON.stringify([operation, option, mediaType, product])}>
            <span className="two-lines">
              <b>
                {operation} {option}
              </b>
              <small>{[mediaType, product].filter(Boolean).join(', ') || 'no media type, no user agent'}</small>
            </span>
            <span className="grow" />
            <span className="two-lines">
              <span>
                last <Time iso={seen.lastSeenAt} />
              </span>
              <small>
                {plural(seen.count, 'request')}, first <Time iso={seen.firstSeenAt} />
                {seen.brownouts > 0 && `, ${seen.brownouts.toLocaleString('en')} in brown-outs`}
              </small>
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
);
