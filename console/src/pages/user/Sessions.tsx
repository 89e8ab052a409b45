/** A user's sessions, in the console and of applications: where and when each began, and ending one or all. */
import { useQuery } from '@tanstack/react-query';
import { ask, mutate } from '../../graph';
import type { ConsoleSessionsQuery } from '../../operations/generated/graph';
import { consoleSessions, endConsoleSession, revokeTokens, sessions } from '../../operations/generated/user';
import { useMay, useViewer } from '../../session';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { PartList, useParts } from '../../ui/PartList';
import { IconTile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import { type Act, useAct } from '../../ui/useAct';
import { plural } from '../../words';

/** The names of the questions: about all of them, one of the console, and by its id one of an application. */
const every = 'all';
const ofConsole = 'console ';

const ending = (words: string, given: { tokenId: string } | { userGuid: string }): Act => ({
  title: `End ${words}?`,
  question: 'The renewal tokens stop working at once. Access tokens work until they expire.',
  label: 'End',
  run: async () => `${plural((await mutate(revokeTokens, given)).revokeTokens, 'session')} ended.`,
});

const endingInConsole = (sessionId: string): Act => ({
  title: 'End this session of the console?',
  question: 'Its browser is signed out at once.',
  label: 'End',
  run: async () =>
    (await mutate(endConsoleSession, { sessionId })).endConsoleSession ? '1 session ended.' : 'It had ended already.',
});

export function Sessions({ userGuid, name }: { userGuid: string; name: string }) {
  const isOwn = useViewer().data?.viewer.userGuid === userGuid;
  const mayRead = useMay('admin:security');
  const { ask: question, dialog } = useAct(`sessions of ${userGuid}`, (which) => {
    if (which.startsWith(ofConsole)) return endingInConsole(which.slice(ofConsole.length));
    return which === every
      ? ending(`all sessions of ${name}`, { userGuid })
      : ending('this session', { tokenId: which });
  });
  const inConsole = useQuery({
    queryKey: ['sessions', 'console', userGuid],
    enabled: mayRead || isOwn,
    queryFn: async ({ signal }) => (await ask(consoleSessions, { userGuid }, signal)).consoleSessions,
  });
  const parts = useParts(
    ['sessions', userGuid],
    async (after, signal) => (await ask(sessions, { userGuid, first: 50, after }, signal)).tokens,
    { enabled: mayRead },
  );
  const here = inConsole.data ?? [];
  const total = parts.total ?? 0;
  return (
    <>
      <section className="card" aria-labelledby="console-sessions">
        <header>
          <h2 id="console-sessions">In this console</h2>
          <span className="count">{plural(here.length, 'session')}</span>
        </header>
        {inConsole.error ? (
          <Failure error={inConsole.error} retry={() => void inConsole.refetch()} />
        ) : here.length > 0 ? (
          <ul className="items">
            {here.map((session) => (
              <InConsole key={session.sessionId} session={session} onEnd={question} />
            ))}
          </ul>
        ) : (
          inConsole.data && <p className="note">{name} is not signed in to the console.</p>
        )}
      </section>
      {mayRead && (
        <section className="card sessions" aria-labelledby="sessions">
          <header>
            <h2 id="sessions">In applications</h2>
            <span className="count">{plural(total, 'session')}</span>
            <span className="grow" />
            {total + here.length > 0 && (
              <button type="button" className="button small danger" onClick={() => question(every)}>
                End all…
              </button>
            )}
          </header>
          <PartList
            parts={parts}
            empty={
              <Empty icon="session" title="No session">
                {name} is signed in to no application.
              </Empty>
            }
          >
            {(found) => (
              <ul className="items">
                {found.map(
                  ({ id, tokenType, profile, client, createdByIp, startedAt, createdAt, expiresAt, generation }) => (
                    <li key={id}>
                      <IconTile icon="session" />
                      <span className="two-lines whole">
                        <b>
                          {tokenType === 'admin'
                            ? 'Administration, by a command'
                            : (profile?.name ?? 'a profile that is gone')}
                          {client && ` · ${client.name}`}
                        </b>
                        <small>
                          begun <Time iso={startedAt} />
                          {tokenType !== 'admin' && (
                            <>
                              , renewed {plural(generation, 'time')}, last <Time iso={createdAt} />
                            </>
                          )}
                          {createdByIp && ` from ${createdByIp}`}, ends <Time iso={expiresAt} />
                        </small>
                      </span>
                      <span className="grow" />
                      <button
                        type="button"
                        className="button small"
                        aria-label={`End… the session of ${profile?.name ?? id}`}
                        onClick={() => question(id)}
                      >
                        End…
                      </button>
                    </li>
                  ),
                )}
              </ul>
            )}
          </PartList>
        </section>
      )}
      {dialog}
    </>
  );
}

interface InConsoleProps {
  session: ConsoleSessionsQuery['consoleSessions'][number];
  onEnd: (which: string) => void;
}

/** The one that is looked at ends by signing out. */
const InConsole = ({ session, onEnd }: InConsoleProps) => {
  const { sessionId, profileName, startedAt, seenAt, endsAt, isCurrent } = session;
  return (
    <li>
      <IconTile icon="session" />
      <span className="two-lines whole">
        <b>
          {profileName ?? 'a profile that is gone'} {isCurrent && <Badge tone="accent">this session</Badge>}
        </b>
        <small>
          begun <Time iso={startedAt} />, last used <Time iso={seenAt} />, ends <Time iso={endsAt} /> at the latest
        </small>
      </span>
      <span className="grow" />
      {!isCurrent && (
        <button
          type="button"
          className="button small"
          aria-label={`End… the session of the console with ${profileName ?? sessionId}`}
          onClick={() => onEnd(`${ofConsole}${sessionId}`)}
        >
          End…
        </button>
      )}
    </li>
  );
};
