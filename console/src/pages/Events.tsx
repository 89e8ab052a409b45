/** Event streams: whether each receiver gets its events, what waits, and what to do about a failure. */
import { useQuery } from '@tanstack/react-query';
import { ask, mutate } from '../graph';
import { useKeptOpen } from '../keptOpen';
import {
  eventStreams,
  rotateEventStreamSecret,
  sendTestEvent,
  setEventStreamStatus,
} from '../operations/generated/events';
import { readToEnd } from '../readToEnd';
import { Answered } from '../record/Answered';
import { useMay } from '../session';
import { AsOf } from '../ui/AsOf';
import { Badge, type Tone } from '../ui/Badge';
import { Empty } from '../ui/Empty';
import { Icon } from '../ui/icons';
import { Time } from '../ui/Time';
import { type Act, useAct } from '../ui/useAct';
import { plural } from '../words';
import { NewSecret } from './clients/NewSecret';
import { Deliveries } from './events/Deliveries';
import { Replay } from './events/Replay';
import type { Stream } from './events/stream';
import '../theme/record.css';
import '../theme/events.css';

export function Events() {
  const page = useQuery({
    queryKey: ['events'],
    queryFn: ({ signal }) => readToEnd(async (page) => (await ask(eventStreams, page, signal)).eventStreams),
    // what waits and what failed changes by itself
    refetchInterval: 5_000,
  });
  return (
    <Answered query={page}>
      {(streams) => (
        <div className="page">
          <div className="head">
            <div>
              <h1>Events</h1>
              <p className="sub">
                Receivers that hear at once when somebody loses access, or an administrator changes something. Commands
                make and remove streams: <code>bin/gatehouse stream --help</code>.
              </p>
            </div>
          </div>
          <AsOf query={page} />
          {streams.length === 0 ? (
            <Empty title="No stream">The command gatehouse stream create makes one.</Empty>
          ) : (
            <div className="stack">
              {streams.map((stream) => (
                <StreamCard key={stream.eventStreamGuid} stream={stream} />
              ))}
            </div>
          )}
        </div>
      )}
    </Answered>
  );
}

const kinds: Record<string, string> = {
  webhook: 'Webhook',
  push: 'Security events, pushed',
  poll: 'Security events, fetched',
};

function stateOf({ status, failures, gapFrom }: Stream): [words: string, tone: Tone] {
  if (status !== 'enabled') return [status, 'near'];
  if (failures > 0) return ['failing', 'loss'];
  return gapFrom ? ['has a gap', 'near'] : ['enabled', 'gain'];
}

function StreamCard({ stream }: { stream: Stream }) {
  const { eventStreamGuid, name, kind, status, revision } = stream;
  const mayChange = useMay('admin:security');
  const sheet = useKeptOpen(`stream ${eventStreamGuid}`);
  const [words, tone] = stateOf(stream);
  const isEnabled = status === 'enabled';
  const next = isEnabled ? 'paused' : 'enabled';
  const acts: Record<string, Act> = {
    [next]: {
      title: isEnabled ? `Pause ${name}?` : `Let ${name} go on?`,
      question: isEnabled
        ? 'Nothing is sent to it. Its events wait, as long as the service keeps them.'
        : 'What waits for it is sent, in order.',
      label: isEnabled ? 'Pause' : 'Go on',
      run: async () => {
        await mutate(setEventStreamStatus, { eventStreamGuid, status: next, ifRevision: revision });
        return isEnabled ? `${name} is paused.` : `${name} is enabled.`;
      },
    },
    test: {
      title: `Send a test to ${name}?`,
      question: 'The receiver gets an event that says nothing. The last deliveries show its answer.',
      label: 'Send',
      run: async () => {
        await mutate(sendTestEvent, { eventStreamGuid });
        return 'The test is on its way.';
      },
    },
  };
  const { ask: question, dialog } = useAct(`stream ${eventStreamGuid}`, (which) => acts[which]);
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <Badge tone={tone}>{words}</Badge>
        <span className="grow" />
        {mayChange && (
          <>
            {isEnabled && (
              <button
                type="button"
                className="button small"
                aria-label={`Send a test… ${name}`}
                onClick={() => question('test')}
              >
                Send a test…
              </button>
            )}
            <button
              type="button"
              className="button small"
              aria-label={`${isEnabled ? 'Pause…' : 'Go on…'} ${name}`}
              onClick={() => question(next)}
            >
              {isEnabled ? 'Pause…' : 'Go on…'}
            </button>
            {kind === 'webhook' && (
              <button
                type="button"
                className="button small"
                aria-label={`Rotate secret… ${name}`}
                onClick={() => sheet.open('secret')}
              >
                <Icon name="key" size={14} />
                Rotate secret…
              </button>
            )}
            <button
              type="button"
              className="button small"
              aria-label={`Replay since… ${name}`}
              onClick={() => sheet.open('replay')}
            >
              Replay since…
            </button>
          </>
        )}
      </header>
      <State stream={stream} />
      <Deliveries eventStreamGuid={eventStreamGuid} name={name} />
      {sheet.opened === 'secret' && (
        <NewSecret
          id={eventStreamGuid}
          name={stream.name}
          question="How long should events also be signed with the present secret?"
          warning="A receiver that knows the present secret only refuses events at once."
          rotate={async (keepPreviousHours) => {
            const { rotateEventStreamSecret: made } = await mutate(rotateEventStreamSecret, {
              eventStreamGuid,
              keepPreviousHours,
            });
            return made.secret!;
          }}
          onClose={sheet.close}
          onMade={sheet.settle}
        />
      )}
      {sheet.opened === 'replay' && <Replay stream={stream} onClose={sheet.close} />}
      {dialog}
    </section>
  );
}

function State({ stream }: { stream: Stream }) {
  const { kind, address, clientId, waiting, oldestWaitingAt, lastDeliveredAt, statusReason, failures } = stream;
  const { lastFailedAt, lastProblem, advice, gapFrom, gapUntil, replayFrom } = stream;
  return (
    <>
      {failures > 0 && (
        <p className="notice near">
          <Icon name="alert" size={16} />
          <span>
            It failed <Time iso={lastFailedAt} />: the receiver {lastProblem}. {advice}
          </span>
        </p>
      )}
      {gapFrom && (
        <p className="notice near">
          <Icon name="alert" size={16} />
          <span>
            Events from <Time iso={gapFrom} /> to <Time iso={gapUntil} /> were dropped, because they could not be
            delivered in time.
          </span>
        </p>
      )}
      <dl className="facts">
        <div>
          <dt>{kinds[kind] ?? kind}</dt>
          <dd>
            {address && <code>{address}</code>}
            {clientId && (
              <>
                {' '}
                by the client <code>{clientId}</code>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Waits</dt>
          <dd>
            {waiting === 0 ? 'nothing' : plural(waiting, 'event')}
            {oldestWaitingAt && (
              <>
                , the oldest since <Time iso={oldestWaitingAt} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Last delivered</dt>
          <dd>
            <Time iso={lastDeliveredAt} absent="never" />
          </dd>
        </div>
        {statusReason && (
          <div>
            <dt>Why it is {stream.status}</dt>
            <dd>{statusReason}</dd>
          </div>
        )}
        {replayFrom && (
          <div>
            <dt>Repeats</dt>
            <dd>
              events since <Time iso={replayFrom} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
