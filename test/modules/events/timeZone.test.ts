/** The day of an end is that of TIME_ZONE, in events and in the note of the change set that removes what ended. */
import { noteEnding } from '../../../src/modules/events/reminders.js';
import { removeEndedGrants } from '../../../src/modules/governance/endedGrants.js';
import type { TestGraph } from '../../graphql/graph.js';
import { newClient, newHolder } from '../../support/records.js';
import { bodiesOf, newWebhook, settled, startEventApp } from './eventApp.js';
import { startReceiver } from './receiver.js';

let graph: TestGraph;
afterEach(() => graph.close());

it.each([
  // the last second of the day, and the first second of the next one, in UTC
  ['America/New_York', '2030-11-04T04:59:59.000Z', '2030-11-04T05:00:00.000Z', '2030-10-27T12:00:00.000Z'],
  ['Pacific/Kiritimati', '2030-11-03T09:59:59.000Z', '2030-11-03T10:00:00.000Z', '2030-10-26T12:00:00.000Z'],
])('what ends on a day in %s is announced 7 days before, with that day', async (timeZone, inDay, nextDay, now) => {
  graph = await startEventApp({ TIME_ZONE: timeZone });
  const { context } = graph.app;
  const receiver = await startReceiver();
  const { guid } = await newWebhook(graph, receiver.url, { events: ['grant.ending', 'client.secret_ending'] });
  const ending = async (end: string) => {
    const { userGuid, profileId } = await newHolder(context);
    await graph.data(
      `mutation { assignProfile(userGuid: "${userGuid}", profileId: "${profileId}", roleId: "member", validUntil: "${end}") { validUntil } }`,
    );
    return profileId;
  };
  const [profileId] = [await ending('2030-11-03'), await ending(nextDay)];
  const { clientId } = await newClient(context, 'secret', { previous_secret: 'x', previous_secret_ends_at: inDay });
  await newClient(context, 'secret', { previous_secret: 'x', previous_secret_ends_at: nextDay });
  for (let count = 0; count < 2; count++) await noteEnding(context.sql, timeZone, new Date(now));
  await settled(graph, guid);
  expect(bodiesOf(receiver.received).map(({ data }) => data)).toEqual([
    { profileId, endsOn: '2030-11-03', days: 7, assignments: 1, accessScopes: 0 },
    { clientId, endsAt: expect.any(String), days: 7 },
  ]);
});

it('the note of what has ended has the day in TIME_ZONE', async () => {
  graph = await startEventApp({ TIME_ZONE: 'America/New_York' });
  const { context } = graph.app;
  const { userId } = await newHolder(context);
  await context.sql.rows('update user_profiles set valid_until = $2 where user_id = $1', [
    userId,
    '2026-11-02T04:59:59.000Z',
  ]);
  await removeEndedGrants({ ...context, face: 'schedule' }, new AbortController().signal);
  const sets = await context.sql.rows(`select note from change_sets where face = 'schedule'`);
  expect(sets).toEqual([{ note: 'ended on 2026-11-01' }]);
});
