/** Which clients are ready for the hardened policy, and why the others aren't: of all in a sentence, of one in a card. */
import { Link } from '@tanstack/react-router';
import { mutate } from '../../graph';
import { updateClient } from '../../operations/generated/clients';
import type { ClientPageQuery, ClientRowsQuery } from '../../operations/generated/graph';
import { Badge, type Tone } from '../../ui/Badge';
import { Icon } from '../../ui/icons';
import { IconTile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import { type Act, useAct } from '../../ui/useAct';
import { plural } from '../../words';

type Found = NonNullable<ClientPageQuery['client']>;
type State = Found['policyReadiness']['state'];
type All = NonNullable<ClientRowsQuery['policyReadiness']>;

const states: { [state in State]: [tone: Tone, words: string] } = {
  HARDENED: ['gain', 'hardened'],
  READY: ['accent', 'ready'],
  NOT_READY: ['near', 'not ready'],
  NOT_SEEN: ['none', 'not seen'],
};

export const ReadinessBadge = ({ state }: { state: State }) => {
  const [tone, words] = states[state];
  return <Badge tone={tone}>{words}</Badge>;
};

const clientsShown = 3;

/** Nothing but while the hardened policy is rehearsed. */
export function ReadinessNotice({ found }: { found: All | undefined }) {
  if (found?.tokenPolicy !== 'rehearsal') return null;
  const { clients, ready, notReady, notSeen, days, unready, ofNobody } = found;
  const isWell = ready === clients && ofNobody.length === 0;
  const more = notReady - Math.min(unready.length, clientsShown);
  return (
    <div className={`notice ${isWell ? 'gain' : 'near'}`} role="status">
      <Icon name={isWell ? 'check' : 'alert'} size={16} />
      <div>
        <p>
          {ready.toLocaleString('en')} of {plural(clients, 'client')} {clients === 1 ? 'is' : 'are'} ready for the
          hardened policy.
          {notSeen > 0 && ` Of ${notSeen.toLocaleString('en')} nothing was seen in ${plural(days, 'day')}.`}
        </p>
        <ul>
          {unready.slice(0, clientsShown).map(({ clientId, client, findings }) => (
            <li key={clientId}>
              <Link to="/clients/$id" params={{ id: clientId }}>
                {client?.name ?? clientId}
              </Link>{' '}
              {findings.map(({ text, operation }) => `${text} at ${operation}`).join(', ')}.
            </li>
          ))}
          {more > 0 && <li>and {plural(more, 'more client')}.</li>}
          {ofNobody.map(({ text, operation, count }) => (
            <li key={`${operation} ${text}`}>
              A caller without a client {text} at {operation}: {plural(count, 'time')}.
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const stateWords: { [state in State]: string } = {
  HARDENED: 'The hardened policy applies to its requests and tokens.',
  READY: 'The hardened policy would have refused none of its requests.',
  NOT_READY: 'The hardened policy would have refused these of its requests.',
  NOT_SEEN: 'No request of it was checked in the rehearsal, so nobody knows.',
};

export function HardenedPolicy({ client }: { client: Found }) {
  const { clientId, name, policy, revision, policyReadiness } = client;
  const { state, judged, findings } = policyReadiness;
  const isHardened = policy !== null;
  const other = isHardened ? 'service' : 'hardened';
  const change: Act = {
    title: isHardened ? `Judge ${name} as the service does?` : `Harden ${name}?`,
    question: isHardened
      ? 'From its next request it has the policy of the service again. Its sessions go on.'
      : `From its next request its renewal tokens are its own, it proves itself wherever it ends or validates a token, and an ID token is taken once.${
          state === 'READY' ? '' : ' It is not known to be ready: requests that work today may be refused.'
        }`,
    label: isHardened ? 'Back to the service’s' : 'Harden it',
    run: async () => {
      await mutate(updateClient, { clientId, ifRevision: revision, input: { policy: isHardened ? null : 'hardened' } });
      return isHardened ? `${name} has the policy of the service.` : `${name} is hardened.`;
    },
  };
  const { ask: question, dialog } = useAct(`policy of ${clientId}`, (which) => (which === other ? change : undefined));
  // where the service is hardened, so are all, and there is nothing to choose
  const isOfService = state === 'HARDENED' && !isHardened;
  return (
    <section className="card" aria-labelledby="hardened-policy">
      <header>
        <h2 id="hardened-policy">Hardened policy</h2>
        <ReadinessBadge state={state} />
        <span className="grow" />
        {!isOfService && (
          <button type="button" className="button small" onClick={() => question(other)}>
            {isHardened ? 'Back to the service’s…' : 'Harden…'}
          </button>
        )}
      </header>
      <p className="note">
        {stateWords[state]}
        {judged > 0 && state !== 'HARDENED' && ` ${plural(judged, 'request')} judged.`}
      </p>
      {findings.length > 0 && (
        <ul className="items">
          {findings.map(({ operation, reason, text, advice, count, lastSeenAt }) => (
            <li key={`${operation} ${reason}`}>
              <IconTile icon="alert" />
              <span className="two-lines whole">
                <b>
                  It {text} at {operation}
                </b>
                <small>
                  {plural(count, 'time')}, last <Time iso={lastSeenAt} />. {advice}
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {dialog}
    </section>
  );
}
