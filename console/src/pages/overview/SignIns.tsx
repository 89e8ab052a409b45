/** Sign-ins and refusals of the last two days by the hour, as a chart, with the table behind it. */
import { Link } from '@tanstack/react-router';
import type { OverviewQuery } from '../../operations/generated/graph';
import { plural } from '../../words';

type Hour = NonNullable<OverviewQuery['overview']['signInHours']>[number];

const hoursShown = 48;
const barWidth = 10;
const chartHeight = 72;
const hourMs = 3_600_000;

export const SignIns = ({ hours }: { hours: readonly Hour[] }) => (
  <section className="card" aria-labelledby="sign-ins">
    <header>
      <h2 id="sign-ins">Sign-ins of two days</h2>
      <span className="grow" />
      <Link className="link" to="/usage">
        API usage
      </Link>
    </header>
    <Chart hours={hours} />
  </section>
);

const timeOf = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

function Chart({ hours }: { hours: readonly Hour[] }) {
  const sum = (of: 'signIns' | 'refusals') => hours.reduce((total, hour) => total + hour[of], 0);
  const [signIns, refusals] = [sum('signIns'), sum('refusals')];
  const most = Math.max(1, ...hours.map((hour) => hour.signIns + hour.refusals));
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * chartHeight));
  const [first] = hours;
  const isWhole = hours.length >= hoursShown;
  const words = `${plural(signIns, 'sign-in')}, ${plural(refusals, 'refusal')}`;
  return (
    <div className="sign-ins">
      <p className="sign-ins-legend">
        <span>
          <i className="of-sign-ins" aria-hidden="true" /> {plural(signIns, 'sign-in')}
        </span>
        <span>
          <i className="of-refusals" aria-hidden="true" /> {plural(refusals, 'refusal')}
        </span>
        {!isWhole && first && <span className="mute">counted since {timeOf(first.hour)}</span>}
      </p>
      <svg
        role="img"
        aria-label={`${words} in ${plural(hours.length, 'hour')}`}
        viewBox={`0 0 ${hoursShown * barWidth} ${chartHeight + 1}`}
        preserveAspectRatio="none"
      >
        {hours.map((hour, index) => {
          const x = (hoursShown - hours.length + index) * barWidth + 1;
          const below = heightOf(hour.signIns);
          const above = heightOf(hour.refusals);
          return (
            <g key={hour.hour}>
              <title>{`${timeOf(hour.hour)}: ${plural(hour.signIns, 'sign-in')}, ${plural(hour.refusals, 'refusal')}`}</title>
              <rect className="of-sign-ins" x={x} y={chartHeight - below} width={barWidth - 2} height={below} />
              <rect className="of-refusals" x={x} y={chartHeight - below - above} width={barWidth - 2} height={above} />
            </g>
          );
        })}
        <line x1="0" x2={hoursShown * barWidth} y1={chartHeight + 0.5} y2={chartHeight + 0.5} />
      </svg>
      <p className="sign-ins-scale" aria-hidden="true">
        <span>{timeOf(new Date((Math.floor(Date.now() / hourMs) - hoursShown + 1) * hourMs).toISOString())}</span>
        <span>{signIns + refusals > 0 && `at most ${most.toLocaleString('en')} an hour`}</span>
        <span>now</span>
      </p>
      <details>
        <summary>As a table</summary>
        {/* it scrolls, so that keys reach it */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
        <div className="sign-ins-table" role="region" aria-label="Sign-ins by the hour" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Hour</th>
                <th scope="col">Sign-ins</th>
                <th scope="col">Refusals</th>
              </tr>
            </thead>
            <tbody>
              {[...hours].reverse().map((hour) => (
                <tr key={hour.hour}>
                  <th scope="row">{timeOf(hour.hour)}</th>
                  <td>{hour.signIns.toLocaleString('en')}</td>
                  <td>{hour.refusals.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
