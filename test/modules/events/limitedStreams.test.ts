/** A stream that is limited to profiles or applications hears all that concerns them, and nothing else, also in a replay. */
import { randomUUID } from 'node:crypto';
import { noteEnding } from '../../../src/modules/events/reminders.js';
import type { TestGraph } from '../../graphql/graph.js';
import { newApplication, newHolder, newScope, newScopeType } from '../../support/records.js';
import { apply, bodiesOf, newPush, newWebhook, replay, settled, startEventApp, together } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startEventApp();
});
afterEach(() => graph.close());

/** The person holds the profile, and the profile opens the application by the scope. */
async function newAccess() {
  const { context } = graph.app;
  const holder = await newHolder(context);
  const { application_guid: applicationGuid } = await newApplication(context);
  const { access_scope_guid: accessScopeGuid } = await newScope(
    context,
    await newScopeType(context),
    holder.profileId,
    {
      access_scope_key: 'north',
    },
  );
  await apply(graph, { mapping: { applicationGuid, accessScopeGuid, to: 'active' } });
  const { userGuid, profileId } = holder;
  return {
    ...holder,
    applicationGuid,
    leave: { unassignProfile: { userGuid, profileId, roleId: 'member' } },
    close: { mapping: { applicationGuid, accessScopeGuid, from: 'active', to: null } },
  };
}

/** The type and the profile of each security event token. */
const setsOf = ({ received }: Receiver) =>
  received.map(({ body }) => {
    const { sub_id: subject, events } = JSON.parse(Buffer.from(body.split('.')[1]!, 'base64url').toString());
    return [Object.keys(events)[0]!.split('/').at(-1), subject.group?.id];
  });

/** A push stream and a webhook with the limits. */
async function newStreams(limits: object) {
  const [push, webhook] = [await startReceiver(), await startReceiver()];
  const streams = [await newPush(graph, push.url, limits), await newWebhook(graph, webhook.url, limits)];
  return { push, webhook, guids: streams.map(({ guid }) => guid) };
}

it.each([
  'profileIds',
  'applicationGuids',
] as const)('a replay sends a stream with %s only what concerns them', async (limit) => {
  const [mine, other] = [await newAccess(), await newAccess()];
  const { push, webhook, guids } = await newStreams({
    [limit]: [limit === 'profileIds' ? mine.profileId : mine.applicationGuid],
  });
  const since = new Date().toISOString();
  await apply(graph, mine.leave);
  await apply(graph, other.leave);
  await graph.data(
    `mutation ($filter: ReviewFilter!, $dueAt: DateTime!) {
       startReview(name: "Spring", filter: $filter, dueAt: $dueAt, undecided: KEEP) { reviewGuid } }`,
    { filter: {}, dueAt: new Date(Date.now() + 86_400_000).toISOString() },
  );
  await settled(graph, ...guids);
  for (const guid of guids) await replay(graph, guid, since);
  await settled(graph, ...guids);
  const left = ['session-revoked', mine.profileId];
  expect(setsOf(push)).toEqual([left, left]);
  const records = { Profile: 1, UserProfile: 1 };
  expect(bodiesOf(webhook.received)).toMatchObject([{ data: { records } }, { data: { records } }]);
});

describe('a stream of an application hears that access to it was taken', () => {
  it('when the application is closed in the same change set', async () => {
    const { profileId, applicationGuid, leave, close } = await newAccess();
    const { push, guids } = await newStreams({ applicationGuids: [applicationGuid] });
    await apply(graph, leave, close);
    await settled(graph, ...guids);
    expect(setsOf(push)).toEqual([['session-revoked', profileId]]);
  });

  it('when the application is closed before the event is made', async () => {
    const { profileId, applicationGuid, leave, close } = await newAccess();
    const { push, webhook, guids } = await newStreams({ applicationGuids: [applicationGuid] });
    const made: string[] = [];
    await together(graph, async () => {
      for (const change of [leave, close]) made.push(await apply(graph, change));
    });
    await settled(graph, ...guids);
    expect(setsOf(push)).toEqual([['session-revoked', profileId]]);
    expect(bodiesOf(webhook.received).map(({ data }) => data.changeSetGuid)).toEqual(made);
  });

  it('when an undo takes all that gave it: the grant, the scope, its type and the mapping', async () => {
    const { context } = graph.app;
    const { profileId } = await newHolder(context);
    const { application_guid: applicationGuid } = await newApplication(context);
    const { push, guids } = await newStreams({ applicationGuids: [applicationGuid] });
    const [accessScopeTypeGuid, accessScopeGuid] = [randomUUID(), randomUUID()];
    const changeSetGuid = await apply(
      graph,
      { createAccessScopeType: { input: { accessScopeTypeGuid, name: 'region' } } },
      {
        createAccessScope: {
          input: { accessScopeGuid, accessScopeTypeGuid, name: 'North', accessScopeKey: 'north' },
        },
      },
      { mapping: { applicationGuid, accessScopeTypeGuid, to: 'active' } },
      { assignAccessScope: { profileId, accessScopeGuid } },
    );
    await settled(graph, ...guids);
    const given = [['token-claims-change', profileId]];
    expect(setsOf(push)).toEqual(given);
    await graph.data('mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }', {
      guid: changeSetGuid,
    });
    await settled(graph, ...guids);
    expect(setsOf(push)).toEqual([...given, ...given]);
  });
});

it('a stream of an application hears of grants of its profiles that end soon', async () => {
  const { sql } = graph.app.context;
  const { profileId, userId, applicationGuid } = await newAccess();
  const { webhook, guids } = await newStreams({ applicationGuids: [applicationGuid] });
  await settled(graph, ...guids);
  await sql.rows(
    `update user_profiles set valid_until = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '7 days 5 hours' where user_id = $1`,
    [userId],
  );
  await sql.rows(`delete from housekeeping_runs where task = 'event reminders'`);
  await noteEnding(sql, 'UTC', new Date());
  await settled(graph, ...guids);
  const ending = bodiesOf(webhook.received).filter(({ type }) => type === 'grant.ending');
  expect(ending.map(({ data }) => data.profileId)).toEqual([profileId]);
});
