/** One client: its secrets, its sessions, its name. Secrets are no part of change sets: nothing here is undone. Who may read it may change it. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ask, mutate } from '../graph';
import { useKeptOpen } from '../keptOpen';
import { clientPage, rotateClientSecret, setClientActive } from '../operations/generated/clients';
import { revokeTokens } from '../operations/generated/user';
import { Answered } from '../record/Answered';
import { Crumbs, RecordHead } from '../record/Page';
import { OutOfUse } from '../ui/Badge';
import { NotFound } from '../ui/Empty';
import { Id } from '../ui/Id';
import { Icon } from '../ui/icons';
import { More } from '../ui/More';
import { IconTile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { type Act, useAct } from '../ui/useAct';
import { plural } from '../words';
import { EditClient } from './clients/EditClient';
import { NewSecret } from './clients/NewSecret';
import { HardenedPolicy } from './clients/Readiness';
import { Secrets } from './clients/Secrets';
import { UsageOfClient } from './clients/UsageOfClient';
import type { ClientRecord, ClientUsage } from './records';

export function Client() {
  const { id } = useParams({ from: '/clients/$id' });
  const page = useQuery({
    queryKey: ['client', id],
    queryFn: ({ signal }) => ask(clientPage, { clientId: id, usedBy: id }, signal),
  });
  return (
    <Answered query={page}>
      {({ client, ...usage }) => (client ? <Found client={client} usage={usage} /> : <NotFound />)}
    </Answered>
  );
}

function Found({ client, usage }: { client: ClientRecord; usage: ClientUsage }) {
  const { clientId, name, description, isActive, revision, tokens } = client;
  const sheet = useKeptOpen(`client ${clientId}`);
  const sessions = tokens?.totalCount ?? 0;
  const use = isActive ? 'out of use' : 'into use';
  const acts: Record<string, Act> = {
    [use]: {
      title: `Take ${name} ${use}?`,
      question: isActive
        ? 'It is refused at once. Its sessions end at their next renewal.'
        : 'It may request tokens again, with its present secret.',
      label: `Take ${use}`,
      run: async () => {
        await mutate(setClientActive, { clientId, isActive: !isActive, ifRevision: revision });
        return isActive ? `${name} is out of use.` : `${name} is in use.`;
      },
    },
    'end sessions': {
      title: `End all sessions of ${name}?`,
      question: `${plural(sessions, 'renewal token')} of this client ${sessions === 1 ? 'stops' : 'stop'} working at once. Its users sign in again.`,
      label: 'End all',
      run: async () => `${plural((await mutate(revokeTokens, { clientId })).revokeTokens, 'session')} ended.`,
    },
  };
  const { ask: question, dialog } = useAct(`client ${clientId}`, (which) => acts[which]);
  return (
    <div className="page">
      <Crumbs to="/clients" label="Clients" name={name} />
      <RecordHead
        tile={<IconTile icon="client" size="large" />}
        name={name}
        badge={<OutOfUse isActive={isActive} />}
        sub={
          <>
            {description && <span>{description} · </span>}
            <Id text={clientId} />
          </>
        }
        actions={
          <>
            <button type="button" className="button" onClick={() => sheet.open('fields')}>
              <Icon name="pencil" size={16} />
              Change
            </button>
            <button type="button" className="button primary" onClick={() => sheet.open('new secret')}>
              <Icon name="key" size={16} />
              New secret…
            </button>
          </>
        }
        more={
          <More label="More about this client">
            <button type="button" className={isActive ? 'danger' : undefined} onClick={() => question(use)}>
              <Icon name={isActive ? 'minus' : 'plus'} size={16} />
              Take {use}…
            </button>
          </More>
        }
      />
      <div className="split">
        <div className="stack">
          <Secrets client={client} />
          <HardenedPolicy client={client} />
        </div>
        <section className="card" aria-labelledby="client-sessions">
          <header>
            <h2 id="client-sessions">Sessions</h2>
            <span className="count">{plural(sessions, 'session')}</span>
            <span className="grow" />
            {sessions > 0 && (
              <button type="button" className="button small danger" onClick={() => question('end sessions')}>
                End all…
              </button>
            )}
          </header>
          <p className="note">Renewal tokens that were issued to it and are not revoked.</p>
        </section>
      </div>
      <UsageOfClient clientId={clientId} {...usage} />
      <p className="foot">
        Made <Time iso={client.createdAt} />.
      </p>
      {sheet.opened === 'new secret' && (
        <NewSecret
          id={clientId}
          name={clientId}
          question="The new secret works at once. How long should the present one keep working?"
          warning="Programs that use the present secret are refused at once."
          rotate={async (keepPreviousHours) => {
            const { rotateClientSecret: made } = await mutate(rotateClientSecret, {
              clientId,
              keepPreviousHours,
              ifRevision: revision,
            });
            return made.clientSecret;
          }}
          onClose={sheet.close}
          onMade={sheet.settle}
        />
      )}
      {sheet.opened === 'fields' && <EditClient client={client} onClose={sheet.close} />}
      {dialog}
    </div>
  );
}
