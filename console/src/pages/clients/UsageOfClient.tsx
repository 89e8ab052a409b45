/** What a client still uses, and how: to be known before it is taken out of use, or an operation comes to its end. */
import { Link } from '@tanstack/react-router';
import { Time } from '../../ui/Time';
import { plural } from '../../words';
import type { ClientUsage } from '../records';

/** @param usage the kinds of requests seen last, of `usageCount` */
export const UsageOfClient = ({ clientId, usage, usageCount }: { clientId: string } & ClientUsage) => (
  <section className="card" aria-labelledby="client-usage">
    <header>
      <h2 id="client-usage">Usage</h2>
    </header>
    {usageCount === 0 ? (
      <p className="note">No request of it was counted.</p>
    ) : (
      <ul className="items">
        {usage.map(({ operation, option, mediaType, product, ...seen }) => (
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
    {usageCount > usage.length && (
      <footer className="rest">
        <span>
          Shown: {usage.length} of {usageCount.toLocaleString('en')}
        </span>
        <Link className="link" to="/usage" search={{ client: clientId }}>
          All kinds of requests
        </Link>
      </footer>
    )}
  </section>
);
