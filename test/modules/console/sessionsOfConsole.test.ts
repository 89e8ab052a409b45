/** The sessions of the console: a person sees the own ones, with the present one marked, and ends the others. */
import { openCallers } from '../../support/callers.js';
import { type DevelopmentConsole, people, startDevelopmentConsole } from './consoleApp.js';

let own: DevelopmentConsole;
beforeEach(async () => {
  own = await startDevelopmentConsole();
});

const list = `query ($userGuid: UUID!) { consoleSessions(userGuid: $userGuid) { sessionId profileName isCurrent seenAt endsAt } }`;
const end = `mutation ($sessionId: ID!) { endConsoleSession(sessionId: $sessionId) }`;
type Session = { sessionId: string; isCurrent: boolean; profileName: string };

const sessionsOf = async (browser: Awaited<ReturnType<DevelopmentConsole['signIn']>>['browser'], userGuid: string) => {
  const { json } = await browser.ask(list, { userGuid });
  return (json.data?.consoleSessions ?? json.errors[0].extensions.code) as Session[];
};

it('lists the sessions of a person, with that of the request marked, and ends another one at once', async () => {
  const { browser: here } = await own.signIn(people.grace);
  const { browser: there } = await own.signIn(people.grace);
  const listed = await sessionsOf(here, people.grace);
  expect(listed.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true]);
  expect((await sessionsOf(there, people.grace)).find(({ isCurrent }) => isCurrent)!.sessionId).toBe(
    listed.find(({ isCurrent }) => !isCurrent)!.sessionId,
  );
  const { sessionId } = listed.find(({ isCurrent }) => !isCurrent)!;
  expect((await here.ask(end, { sessionId })).json.data).toEqual({ endConsoleSession: true });
  expect((await there.ask(list, { userGuid: people.grace })).status).toBe(401);
  expect(await sessionsOf(here, people.grace)).toEqual([
    { ...listed.find(({ isCurrent }) => isCurrent)!, seenAt: expect.any(String) },
  ]);
  expect((await here.ask(end, { sessionId })).json.data).toEqual({ endConsoleSession: false });
});

it('the sessions of others are for admin:security only, which ends them with an audit event', async () => {
  const { sql } = own.app.context;
  const { browser } = await own.signIn(people.grace);
  await sql.rows(
    `insert into console_sessions (session_hash, user_guid, profile_id, issuer, ends_at)
     values ('\\x00', $1, 'administration', 'i', now() + interval '1 hour')`,
    [people.ada],
  );
  const tokenOf = await openCallers(own.app.context);
  const reader = { profileId: 'reporting', roleId: 'member', scopes: ['admin:read'] };
  const ask = async (userGuid: string, query: string, variables: object) => {
    const authorization = `Bearer ${tokenOf({ ...reader, userGuid })}`;
    return (await own.app.post('/graphql', { query, variables }, { authorization })).json;
  };
  const [session] = await sessionsOf(browser, people.ada);
  const { sessionId } = session!;
  expect((await ask(people.bruno, list, { userGuid: people.ada })).errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await ask(people.bruno, end, { sessionId })).errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await ask(people.ada, list, { userGuid: people.ada })).data.consoleSessions).toMatchObject([{ sessionId }]);
  expect((await browser.ask(end, { sessionId })).json.data).toEqual({ endConsoleSession: true });
  expect(await sessionsOf(browser, people.ada)).toEqual([]);
  const events = await sql.rows(`select from audit_events where action = 'revoke' and subject_id like '%' || $1`, [
    people.ada,
  ]);
  expect(events.length).toBe(1);
});

it('no cookie and no hash of one is listed, and sessions that ended are not', async () => {
  const { browser } = await own.signIn(people.grace);
  await own.signIn(people.grace);
  await own.app.context.sql.rows(
    `update console_sessions set ends_at = now() - interval '1 second' where created_at = (select max(created_at) from console_sessions)`,
  );
  const { text } = await browser.ask(list, { userGuid: people.grace });
  expect(JSON.parse(text).data.consoleSessions.length).toBe(1);
  const [row] = await own.app.context.sql.rows<{ hash: string }>(
    `select encode(session_hash, 'hex') as hash from console_sessions limit 1`,
  );
  for (const secret of [...browser.cookies.values(), row!.hash]) expect(text).not.toContain(secret);
});
