/** A user's sessions: where and when each began, and ending one or all. */
import { ask, mutate } from '../../graph';
import { revokeTokens, sessions } from '../../operations/generated/user';
import { useMay } from '../../session';
import { Empty } from '../../ui/Empty';
import { Forbidden } from '../../ui/Failure';
import { PartList, useParts } from '../../ui/PartList';
import { IconTile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import { type Act, useAct } from '../../ui/useAct';
import { plural } from '../../words';

/** The name of the question about all of them; that about one has its id. */
const every = 'all';

const ending = (words: string, given: { tokenId: string } | { userGuid: string }): Act => ({
  title: `End ${words}?`,
  question: 'The renewal tokens stop working at once. Access tokens work until they expire.',
  label: 'End',
  run: async () => `${plural((await mutate(revokeTokens, given)).revokeTokens, 'session')} ended.`,
});

export function Sessions({ userGuid, name }: { userGuid: string; name: string }) {
  const mayRead = useMay('admin:security');
  const { ask: question, dialog } = useAct(`sessions of ${userGuid}`, (which) =>
    which === every ? ending(`all sessions of ${name}`, { userGuid }) : ending('this session', { tokenId: which }),
  );
  const parts = useParts(
    ['sessions', userGuid],
    async (after, signal) => (await ask(sessions, { userGuid, first: 50, after }, signal)).tokens,
    mayRead,
  );
  if (!mayRead) return <Forbidden permission="admin:security" />;
  const total = parts.total ?? 0;
  return (
    <section className="card" aria-labelledby="sessions">
      <header>
        <h2 id="sessions">Sessions</h2>
        <span className="count">{plural(total, 'session')}</span>
        <span className="grow" />
        {total > 0 && (
          <button type="button" className="button small danger" onClick={() => question(every)}>
            End all…
          </button>
        )}
      </header>
      <PartList
        parts={parts}
        empty={
          <Empty icon="session" title="No session">
            {name} is signed in nowhere.
          </Empty>
        }
      >
        {(found) => (
          <ul className="items">
            {found.map(({ id, profile, client, createdByIp, startedAt, createdAt, expiresAt, generation }) => (
              <li key={id}>
                <IconTile icon="session" />
                <span className="two-lines">
                  <b>
                    {profile?.name ?? 'a profile that is gone'}
                    {client && ` · ${client.name}`}
                  </b>
                  <small>
                    begun <Time iso={startedAt} />, renewed {plural(generation, 'time')}, last <Time iso={createdAt} />
                    {createdByIp && ` from ${createdByIp}`}, ends <Time iso={expiresAt} />
                  </small>
                </span>
                <span className="grow" />
                <button
                  type="button"
                  className="button small"
                  aria-label={`End the session of ${profile?.name ?? id}`}
                  onClick={() => question(id)}
                >
                  End…
                </button>
              </li>
            ))}
          </ul>
        )}
      </PartList>
      {dialog}
    </section>
  );
}
