/** A user's sessions, in the console and of applications: where and when each began, and ending one or all. */
import { useQuery } from '@tanstack/react-query';
import { ask, mutate } from '../../graph';
import type { ConsoleSessionsQuery, SessionsQuery } from '../../operations/generated/graph';
import { consoleSessions, endConsoleSession, revokeTokens, sessions } from '../../operations/generated/user';
import { useMay, useViewer } from '../../session';
import { Badge } from '../../ui/Badge';
import { Empty, Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { PartList, useParts } from '../../ui/PartList';
import { IconTile } from '../../ui/Tile';
import { exactTime, Time } from '../../ui/Time';
import { type Act, useAct } from '../../ui/useAct';
import { plural } from '../../words';

/** The names of the questions: about all of them, one of the console, and by its id one of an application. */
const every = 'all';
const ofConsole = 'console ';

type ConsoleSession = ConsoleSessionsQuery['consoleSessions'][number];
type Token = NonNullable<SessionsQuery['tokens']>['nodes'][number];

const profileOf = ({ profileName }: ConsoleSession): string => profileName ?? 'a profile that is gone';
const profileOfToken = ({ tokenType, profile, client }: Token): string =>
  `${tokenType === 'admin' ? 'Administration, by a command' : (profile?.name ?? 'a profile that is gone')}${client ? ` · ${client.name}` : ''}`;
/** Tells sessions apart that have the same profile. */
const named = (profile: string, { startedAt }: { startedAt: string }): string =>
  `${profile}, begun ${exactTime(startedAt)}`;

const tokensEnd = 'The renewal tokens stop working at once';
const accessTokens = 'Access tokens work until they expire.';

const ending = (tokenId: string, token: Token | undefined): Act => ({
  title: 'End this session?',
  question: `${token ? `${named(profileOfToken(token), token)}. ` : ''}${tokensEnd}. ${accessTokens}`,
  label: 'End',
  run: async () => endedWords((await mutate(revokeTokens, { tokenId })).revokeTokens),
});

const endedWords = (count: number): string => `${plural(count, 'session')} ended.`;

/** @param here those in this console, which end too; undefined of those that could not be read */
const endingAll = (userGuid: string, name: string, here: readonly ConsoleSession[] | undefined): Act => {
  const count = here?.length;
  const too = here?.some(({ isCurrent }) => isCurrent) ? ', this one too' : '';
  const sessions =
    count === undefined ? 'do the sessions' : `${count === 1 ? 'does' : 'do'} ${plural(count, 'session')}`;
  return {
    title: `End all sessions of ${name}?`,
    question: `${tokensEnd}${count === 0 ? '' : `, and so ${sessions} in this console${too}`}. ${accessTokens}`,
    label: 'End',
    run: async () => {
      const { revokeTokens: ended } = await mutate(revokeTokens, { userGuid });
      if (count === undefined) return `${endedWords(ended).slice(0, -1)}, and those in this console.`;
      if (count === 0) return endedWords(ended);
      return `${endedWords(ended + count).slice(0, -1)}, ${count.toLocaleString('en')} of them in this console.`;
    },
  };
};

const endingInConsole = (sessionId: string, session: ConsoleSession | undefined): Act => ({
  title: 'End this session of the console?',
  question: `${session ? `${named(profileOf(session), session)}. ` : ''}Its browser is signed out at once.`,
  label: 'End',
  run: async () =>
    (await mutate(endConsoleSession, { sessionId })).endConsoleSession ? endedWords(1) : 'It had ended already.',
});

export function Sessions({ userGuid, name }: { userGuid: string; name: string }) {
  const isOwn = useViewer().data?.viewer.userGuid === userGuid;
  const mayRead = useMay('admin:security');
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
  const here = inConsole.data;
  const { ask: question, dialog } = useAct(`sessions of ${userGuid}`, (which) => {
    if (which === every) return endingAll(userGuid, name, here);
    if (!which.startsWith(ofConsole))
      return ending(
        which,
        parts.rows.find(({ id }) => id === which),
      );
    const id = which.slice(ofConsole.length);
    return endingInConsole(
      id,
      here?.find(({ sessionId }) => sessionId === id),
    );
  });
  const isReading = inConsole.isPending || parts.isPending;
  const areNone = here?.length === 0 && parts.total === 0;
  return (
    <>
      {mayRead && !isReading && !areNone && (
        <div className="bar">
          <span className="grow" />
          <button type="button" className="button small danger" onClick={() => question(every)}>
            End all…
          </button>
        </div>
      )}
      <section className="card" aria-labelledby="console-sessions">
        <header>
          <h2 id="console-sessions">In this console</h2>
          {here && <span className="count">{plural(here.length, 'session')}</span>}
        </header>
        {here === undefined ? (
          inConsole.error ? (
            <Failure error={inConsole.error} retry={() => void inConsole.refetch()} />
          ) : (
            <Loading lines={3} />
          )
        ) : here.length > 0 ? (
          <ul className="items">
            {here.map((session) => (
              <InConsole key={session.sessionId} session={session} onEnd={question} />
            ))}
          </ul>
        ) : (
          <p className="note">{name} is not signed in to the console.</p>
        )}
      </section>
      {mayRead && (
        <section className="card sessions" aria-labelledby="sessions">
          <header>
            <h2 id="sessions">In applications</h2>
            {parts.total !== undefined && <span className="count">{plural(parts.total, 'session')}</span>}
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
                {found.map((token) => {
                  const { id, tokenType, createdByIp, startedAt, createdAt, expiresAt, generation } = token;
                  return (
                    <li key={id}>
                      <IconTile icon="session" />
                      <span className="two-lines whole">
                        <b>{profileOfToken(token)}</b>
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
                        aria-label={`End… the session of ${named(profileOfToken(token), token)}`}
                        onClick={() => question(id)}
                      >
                        End…
                      </button>
                    </li>
                  );
                })}
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
  session: ConsoleSession;
  onEnd: (which: string) => void;
}

/** The one that is looked at ends by signing out. */
const InConsole = ({ session, onEnd }: InConsoleProps) => {
  const { sessionId, startedAt, seenAt, endsAt, isCurrent } = session;
  return (
    <li>
      <IconTile icon="session" />
      <span className="two-lines whole">
        <b>
          {profileOf(session)} {isCurrent && <Badge tone="accent">this session</Badge>}
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
          aria-label={`End… the session of the console with ${named(profileOf(session), session)}`}
          onClick={() => onEnd(`${ofConsole}${sessionId}`)}
        >
          End…
        </button>
      )}
    </li>
  );
};
