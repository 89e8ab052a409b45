/** One client: its secrets, its sessions, its name. Secrets are no part of change sets: nothing here is undone. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ask } from '../graph';
import { useKeptOpen } from '../keptOpen';
import { clientPage, setClientActive } from '../operations/generated/clients';
import type { ClientPageQuery } from '../operations/generated/graph';
import { revokeTokens } from '../operations/generated/user';
import { Answered } from '../record/Answered';
import { Crumbs, RecordHead } from '../record/Page';
import { InUse } from '../ui/Badge';
import { NotFound } from '../ui/Empty';
import { Icon } from '../ui/icons';
import { IconTile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { useAct } from '../ui/useAct';
import { plural } from '../words';
import { EditClient } from './clients/EditClient';
import { HardenedPolicy } from './clients/Readiness';
import { RotateSecret } from './clients/RotateSecret';
import { Secrets } from './clients/Secrets';
import { UsageOfClient, usagesShown } from './clients/UsageOfClient';

export type ClientRecord = NonNullable<ClientPageQuery['client']>;
export type ClientUsages = NonNullable<ClientPageQuery['usage']>;

export function Client() {
  const { id } = useParams({ from: '/clients/$id' });
  const page = useQuery({
    queryKey: ['client', id],
    queryFn: ({ signal }) => ask(clientPage, { clientId: id, usedBy: id, usages: usagesShown + 1 }, signal),
  });
  return (
    <Answered query={page}>
      {({ client, usage }) => (client ? <Found client={client} usages={usage ?? []} /> : <NotFound />)}
    </Answered>
  );
}

function Found({ client, usages }: { client: ClientRecord; usages: ClientUsages }) {
  const { ask: question, dialog } = useAct<number | boolean>();
  const { clientId, name, description, isActive, revision, tokens } = client;
  const rotating = useKeptOpen(`new secret of ${clientId}`);
  const editing = useKeptOpen(`client ${clientId}`);
  const sessions = tokens?.totalCount ?? 0;
  const setActive = () =>
    question({
      title: isActive ? `Take ${name} out of use?` : `Take ${name} into use?`,
      question: isActive
        ? 'It is refused from that moment on. Its sessions end when they are renewed next.'
        : 'It may ask for tokens again, with the secret that it has.',
      label: isActive ? 'Take out of use' : 'Take into use',
      run: async () =>
        (await ask(setClientActive, { clientId, isActive: !isActive, ifRevision: revision })).setClientActive.isActive,
      done: (now) => (now ? `${name} is in use.` : `${name} is out of use.`),
    });
  const endSessions = () =>
    question({
      title: `End all sessions of ${name}?`,
      question: `${plural(sessions, 'renewal token')} that this client has are good no more. Its users sign in again.`,
      label: 'End all',
      run: async () => (await ask(revokeTokens, { clientId })).revokeTokens,
      done: (count) => `${plural(Number(count), 'session')} ended.`,
    });
  return (
    <div className="page">
      <Crumbs to="/clients" label="Clients" name={name} />
      <RecordHead
        tile={<IconTile icon="client" size="large" />}
        name={name}
        badge={<InUse isActive={isActive} />}
        sub={description ?? clientId}
        actions={
          <>
            <button type="button" className="button" onClick={editing.open}>
              <Icon name="pencil" size={16} />
              Change
            </button>
            <button type="button" className={`button${isActive ? ' danger' : ''}`} onClick={setActive}>
              {isActive ? 'Take out of use…' : 'Take into use…'}
            </button>
            <button type="button" className="button primary" onClick={rotating.open}>
              <Icon name="key" size={16} />
              New secret…
            </button>
          </>
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
              <button type="button" className="button small danger" onClick={endSessions}>
                End all…
              </button>
            )}
          </header>
          <p className="note">Renewal tokens that were issued to it and are not revoked.</p>
        </section>
      </div>
      <UsageOfClient clientId={clientId} usages={usages} />
      <p className="foot">
        Made <Time iso={client.createdAt} />. Its id is <code>{clientId}</code>.
      </p>
      {rotating.isOpen && (
        <RotateSecret clientId={clientId} revision={revision} onClose={rotating.close} onMade={rotating.settle} />
      )}
      {editing.isOpen && <EditClient client={client} onClose={editing.close} />}
      {dialog}
    </div>
  );
}
