/** The credentials of a client: its present secret, after a rotation the one before, which can be ended at once, and its keys. */
import { mutate } from '../../graph';
import { endPreviousSecret } from '../../operations/generated/clients';
import { IconTile } from '../../ui/Tile';
import { exactTime, Time } from '../../ui/Time';
import { useAct } from '../../ui/useAct';
import type { ClientRecord } from '../records';

export function Secrets({ client }: { client: ClientRecord }) {
  const { clientId, revision, secretLastUsedAt, previousSecretEndsAt, previousSecretLastUsedAt, keysLastUsedAt } =
    client;
  const { ask: question, dialog } = useAct(`secrets of ${clientId}`, () => ({
    title: 'End the previous secret now?',
    question: 'Programs that still use it are refused at once.',
    label: 'End it now',
    run: async () => {
      await mutate(endPreviousSecret, { clientId, ifRevision: revision });
      return 'The previous secret no longer works.';
    },
  }));
  return (
    <section className="card" aria-labelledby="secrets">
      <header>
        <h2 id="secrets">Secrets</h2>
      </header>
      <ul className="items">
        <li>
          <IconTile icon="key" />
          <span className="two-lines">
            <b>Present secret</b>
            <small>
              last used <Time iso={secretLastUsedAt} absent="never" />
            </small>
          </span>
        </li>
        {previousSecretEndsAt && (
          <li>
            <IconTile icon="clock" />
            <span className="two-lines">
              <b>The one before</b>
              <small>
                last used <Time iso={previousSecretLastUsedAt} absent="never since" />, ends{' '}
                <Time iso={previousSecretEndsAt} /> ({exactTime(previousSecretEndsAt)})
              </small>
            </span>
            <span className="grow" />
            <button type="button" className="button small danger" onClick={() => question('end')}>
              End now…
            </button>
          </li>
        )}
        {keysLastUsedAt && (
          <li>
            <IconTile icon="key" />
            <span className="two-lines">
              <b>Keys of its own</b>
              <small>
                last used <Time iso={keysLastUsedAt} />
              </small>
            </span>
          </li>
        )}
      </ul>
      {dialog}
    </section>
  );
}
