/** Each cause of docs/events.md has its event, about the right person, session and profile, and nothing else has one. */
import { randomUUID } from 'node:crypto';
import { changedScopes } from '../../../src/modules/events/setsInHistory.js';
import { removeEndedGrants } from '../../../src/modules/governance/endedGrants.js';
import { applyDueProposals } from '../../../src/modules/governance/proposals/dueProposals.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import type { TestGraph } from '../../graphql/graph.js';
import { newConsumer } from '../../operations/consumer.js';
import {
  linkProfile,
  newApplication,
  newClient,
  newHolder,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
} from '../../support/records.js';
import { elapse, until } from '../../support/until.js';
import { apply, bodiesOf, newPush, newWebhook, replay, settled, startEventApp, together } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
let graph: TestGraph;
let receiver: Receiver;
let webhooks: Receiver;
let stream: string;
let webhook: string;
beforeAll(async () => {
  graph = await startEventApp({ TOKEN_POLICY: 'hardened' });
  receiver = await startReceiver();
  webhooks = await startReceiver();
  stream = (await newPush(graph, receiver.url)).guid;
  webhook = (await newWebhook(graph, webhooks.url)).guid;
});
afterAll(() => graph.close());

interface Heard {
  id: string;
  type: string;
  sub: string | undefined;
  profile: string | undefined;
  session: string | undefined;
  event: Record<string, unknown>;
}

const claimsOf = (set: string) => JSON.parse(Buffer.from(set.split('.')[1]!, 'base64url').toString());
function heard(): Heard[] {
  return receiver.received.map(({ body }) => {
    const { jti: id, sub_id: subject, events } = claimsOf(body);
    const [[uri, event]] = Object.entries(events) as [[string, Record<string, unknown>]];
    return {
      id,
      type: uri.replace(caep, ''),
      sub: subject.user?.sub,
      profile: subject.group?.id,
      session: subject.session?.id,
      event,
    };
  });
}

/** What was heard because of the work, when all is delivered. */
async function hearing(work: () => Promise<unknown>): Promise<Heard[]> {
  await settled(graph, stream);
  const before = receiver.received.length;
  await work();
  await settled(graph, stream);
  return heard().slice(before);
}
const briefly = (events: readonly Heard[]) =>
  events.map(({ type, sub, profile, session }) => ({ type, sub, profile, ...(session && { session: true }) }));

const mutate = (text: string, variables: object = {}, types = '') =>
  graph.data(`mutation ${types} { ${text} }`, variables);
const unassign = (userGuid: string, profileId: string, roleId = 'member') =>
  mutate(`unassignProfile(userGuid: "${userGuid}", profileId: "${profileId}", roleId: "${roleId}")`);

async function newSession() {
  const consumer = await newConsumer(graph.app);
  const { json } = await consumer.exchange();
  const claims = claimsOf(json.access_token);
  return { consumer, refreshToken: json.refresh_token as string, sub: claims.sub, profileId: claims.profileId };
}

describe('a session ends', () => {
  it('by a used renewal token', async () => {
    const { consumer, refreshToken, sub, profileId } = await newSession();
    await consumer.renew(refreshToken);
    const events = await hearing(() => consumer.renew(refreshToken));
    expect(briefly(events)).toEqual([{ type: 'session-revoked', sub, profile: profileId, session: true }]);
    expect(events[0]!.event).toMatchObject({ initiating_entity: 'policy', reason_admin: { en: expect.any(String) } });
  });

  it('by an administrator', async () => {
    const { sub, profileId } = await newSession();
    const events = await hearing(() => mutate(`revokeTokens(userGuid: "${sub}")`));
    expect(briefly(events)).toEqual([{ type: 'session-revoked', sub, profile: profileId, session: true }]);
    expect(events[0]!.event).toMatchObject({ initiating_entity: 'admin' });
  });

  it('by a statement past the service', async () => {
    const { sub, profileId } = await newSession();
    const events = await hearing(() =>
      graph.app.context.sql.rows('update tokens set is_revoked = true, revoked_at = now() where user_id = $1', [sub]),
    );
    expect(briefly(events)).toEqual([{ type: 'session-revoked', sub, profile: profileId, session: true }]);
  });

  it('but a renewal and an exchange say nothing', async () => {
    const { consumer, refreshToken } = await newSession();
    expect(await hearing(() => consumer.renew(refreshToken))).toEqual([]);
    expect(await hearing(newSession)).toEqual([]);
  });
});

describe('a person', () => {
  it('who loses a profile is said once, with the sessions that end by it', async () => {
    const { sub, profileId } = await newSession();
    const events = await hearing(() => unassign(sub, profileId));
    expect(briefly(events)).toEqual([{ type: 'session-revoked', sub, profile: profileId }]);
  });

  it('who still holds the profile in another role has another role', async () => {
    const { userGuid, userId, profileId } = await newHolder(graph.app.context);
    await linkProfile(graph.app.context, userId, profileId, 'second');
    const events = await hearing(() => unassign(userGuid, profileId));
    expect(briefly(events)).toEqual([{ type: 'token-claims-change', sub: userGuid, profile: profileId }]);
    expect(events[0]!.event.claims).toEqual({ roleId: 'second' });
  });

  it('who gets a profile, or one role more that decides nothing, is not said', async () => {
    const { userId, profileId } = await newHolder(graph.app.context);
    const other = await newProfile(graph.app.context);
    expect(
      await hearing(async () => {
        await linkProfile(graph.app.context, userId, profileId, 'later');
        await linkProfile(graph.app.context, userId, other, 'member');
      }),
    ).toEqual([]);
  });

  it('who loses a profile and gets it again at once has lost it', async () => {
    const { userGuid, userId, profileId } = await newHolder(graph.app.context);
    const events = await hearing(async () => {
      await unassign(userGuid, profileId);
      await linkProfile(graph.app.context, userId, profileId, 'member');
    });
    expect(briefly(events)).toEqual([{ type: 'session-revoked', sub: userGuid, profile: profileId }]);
  });

  it('who is blocked loses everything at once, whatever sessions there are', async () => {
    const { sub } = await newSession();
    const events = await hearing(() =>
      mutate(`updateUser(userGuid: "${sub}", input: { isBlocked: true }) { userGuid }`),
    );
    expect(briefly(events)).toEqual([{ type: 'session-revoked', sub, profile: undefined }]);
  });

  it('who is removed loses everything', async () => {
    const { user_id: userId, user_guid: guid } = await newUser(graph.app.context);
    const profileId = await newProfile(graph.app.context);
    await linkProfile(graph.app.context, userId, profileId, 'member');
    const events = await hearing(() => graph.app.context.sql.rows('delete from users where user_id = $1', [userId]));
    expect(briefly(events)).toEqual([
      { type: 'session-revoked', sub: guid, profile: undefined },
      { type: 'session-revoked', sub: guid, profile: profileId },
    ]);
  });

  it('whose grant has ended is said when it is removed', async () => {
    const { userGuid, userId, profileId } = await newHolder(graph.app.context);
    await graph.app.context.sql.rows(
      `update user_profiles set valid_until = now() - interval '1 day' where user_id = $1`,
      [userId],
    );
    await settled(graph, stream);
    const before = receiver.received.length;
    await removeEndedGrants({ ...graph.app.context, face: 'schedule' }, new AbortController().signal);
    await settled(graph, stream);
    expect(briefly(heard().slice(before))).toEqual([{ type: 'session-revoked', sub: userGuid, profile: profileId }]);
    await until(() => bodiesOf(webhooks.received).some(({ type }) => type === 'grant.ended'));
    expect(bodiesOf(webhooks.received).find(({ type }) => type === 'grant.ended').data).toEqual({
      changeSetGuid: expect.any(String),
      profileId,
      assignments: 1,
      accessScopes: 0,
    });
  });

  it('each of whom held a removed profile is said', async () => {
    const { userGuid, profileId } = await newHolder(graph.app.context);
    const { user_id: another, user_guid: anotherGuid } = await newUser(graph.app.context);
    await linkProfile(graph.app.context, another, profileId, 'member');
    const events = await hearing(() => mutate(`deleteProfile(profileId: "${profileId}")`));
    expect(briefly(events).toSorted((one, other) => one.sub!.localeCompare(other.sub!))).toEqual(
      [userGuid, anotherGuid].toSorted().map((sub) => ({ type: 'session-revoked', sub, profile: profileId })),
    );
  });
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}
/** How many rows the nodes of a plan looked at. */
const rowsSeen = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsSeen(plan), 0);

describe('the scopes of a profile', () => {
  it('that change are one event, however many hold it; mappings are no claims', async () => {
    const { context } = graph.app;
    const { profileId } = await newHolder(context);
    const typeId = await newScopeType(context, 'meter');
    const { access_scope_id: scopeId, access_scope_guid: scopeGuid } = await newScope(context, typeId, undefined, {
      access_scope_key: 'read',
    });
    const given = await hearing(() =>
      mutate(`setProfileAccessScopes(profileId: "${profileId}", accessScopeGuids: ["${scopeGuid}"]) { profileId }`),
    );
    expect(briefly(given)).toEqual([{ type: 'token-claims-change', sub: undefined, profile: profileId }]);
    expect(given[0]!.event.claims).toEqual({ scopes: ['meter:read'] });
    const { application_id: applicationId } = await newApplication(context);
    expect(
      await hearing(() =>
        context.sql.rows(
          'insert into access_scope_applications_mappers (access_scope_id, application_id) values ($1, $2)',
          [scopeId, applicationId],
        ),
      ),
    ).toEqual([]);
    const renamed = await hearing(() =>
      context.sql.rows(`update access_scopes set access_scope_key = 'write' where access_scope_id = $1`, [scopeId]),
    );
    expect(renamed.map(({ event }) => event.claims)).toEqual([{ scopes: ['meter:write'] }]);
    const named = () =>
      context.sql.rows(`update access_scopes set name = 'Other' where access_scope_id = $1`, [scopeId]);
    expect(await hearing(named)).toEqual([]);
    const taken = await hearing(() =>
      context.sql.rows('delete from profile_access_scopes where profile_id = $1', [profileId]),
    );
    expect(taken.map(({ event }) => event.claims)).toEqual([{ scopes: [] }]);
  });

  /** A profile with the active scope `read`, and the changes that take the scope and that close it or its type. */
  async function newGrant() {
    const { context } = graph.app;
    const profileId = await newProfile(context);
    const typeId = await newScopeType(context);
    const { access_scope_guid: accessScopeGuid } = await newScope(context, typeId, profileId, {
      access_scope_key: 'read',
    });
    const [type] = await context.sql.rows<{ guid: string }>(
      'select access_scope_type_guid::text as guid from access_scope_types where access_scope_type_id = $1',
      [typeId],
    );
    return {
      profileId,
      accessScopeGuid,
      take: { setProfileAccessScopes: { profileId, accessScopeGuids: [] } },
      close: { deactivateAccessScope: { accessScopeGuid } },
      closeType: { deactivateAccessScopeType: { accessScopeTypeGuid: type!.guid } },
    };
  }

  it.each([
    ['close', 'take'],
    ['take', 'close'],
    ['closeType', 'take'],
    ['take', 'closeType'],
  ] as const)('that are taken are said when they go out of use at the same time: %s, %s', async (first, second) => {
    const said = (profileId: string) => [{ type: 'token-claims-change', sub: undefined, profile: profileId }];
    const inOne = await newGrant();
    expect(briefly(await hearing(() => apply(graph, inOne[first], inOne[second])))).toEqual(said(inOne.profileId));
    const inTwo = await newGrant();
    const events = await hearing(() =>
      together(graph, async () => {
        await apply(graph, inTwo[first]);
        await apply(graph, inTwo[second]);
      }),
    );
    expect(briefly(events)).toEqual(said(inTwo.profileId));
    expect(events[0]!.event.claims).toEqual({ scopes: [] });
  });

  it('of which one change set makes thousands, with as many applications, are one event, without all being read for each', async () => {
    const { context } = graph.app;
    const { profileId } = await newHolder(context);
    const numbers = Array.from({ length: 2_000 }, (_, index) => index);
    const accessScopeTypeGuid = randomUUID();
    const [scopes, applications] = [numbers.map(() => randomUUID()), numbers.map(() => randomUUID())];
    const shown = { iconDefault: 'a', iconHover: 'b', appType: 'web', renderingMode: 'tab', linkType: 'x' };
    const given = await hearing(() =>
      importFile(context, {
        accessScopeTypes: [{ accessScopeTypeGuid, name: 'plot' }],
        accessScopes: scopes.map((accessScopeGuid, index) => ({
          accessScopeGuid,
          accessScopeTypeGuid,
          name: `Plot ${index}`,
          accessScopeKey: `p${index}`,
        })),
        profiles: [{ profileId, accessScopeGuids: scopes }],
        applications: applications.map((applicationGuid) => ({ applicationGuid, name: 'Map', ...shown })),
        accessScopeApplicationsMappers: applications.map((applicationGuid, index) => ({
          applicationGuid,
          accessScopeGuid: scopes[index],
        })),
      }),
    );
    expect(briefly(given)).toEqual([{ type: 'token-claims-change', sub: undefined, profile: profileId }]);
    expect(given[0]!.event.claims).toMatchObject({ scopes: expect.arrayContaining(['plot:p0', 'plot:p1999']) });
    const taken = await hearing(() =>
      context.sql.rows('delete from profile_access_scopes where profile_id = $1', [profileId]),
    );
    expect(taken.map(({ event }) => event.claims)).toEqual([{ scopes: [] }]);
    const [first] = await context.sql.rows<{ id: string; since: string }>(
      `select change_set_id::text as id, occurred_at as since from change_sets join record_versions using (change_set_id)
       where record_table = 'access_scopes' group by 1, 2 having count(*) = 2000`,
    );
    // as PostgreSQL does by itself within a minute
    await context.sql.rows('analyze record_versions, change_sets, access_scopes, profile_access_scopes');
    const [explained] = await context.sql.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${changedScopes}`,
      [[first!.id], first!.since],
    );
    expect(rowsSeen(explained!['QUERY PLAN'][0].Plan) / numbers.length).toBeLessThan(200);
  });

  it('that were taken are repeated when they have gone out of use since', async () => {
    const since = new Date().toISOString();
    const { take, close } = await newGrant();
    const [taken] = await hearing(() => apply(graph, take));
    await apply(graph, close);
    const again = await hearing(() => replay(graph, stream, since));
    expect(again.filter(({ id }) => id === taken!.id)).toHaveLength(1);
  });

  it('that only get another end are not said, unless they had ended', async () => {
    const { profileId, accessScopeGuid } = await newGrant();
    const end = (inDays: number) => {
      const validUntil = new Date(Date.now() + inDays * 86_400_000).toISOString();
      return apply(graph, { assignAccessScope: { profileId, accessScopeGuid, validUntil } });
    };
    expect(
      await hearing(async () => {
        await end(300);
        await end(301);
      }),
    ).toEqual([]);
    const ended = () =>
      graph.app.context.sql.rows('update profile_access_scopes set valid_until = now() where profile_id = $1', [
        profileId,
      ]);
    expect((await hearing(ended)).map(({ event }) => event.claims)).toEqual([{ scopes: [] }]);
    expect((await hearing(() => end(300))).map(({ profile }) => profile)).toEqual([profileId]);
  });

  it('that are not in use are given and taken without an event', async () => {
    const { profileId, accessScopeGuid, take, close } = await newGrant();
    await apply(graph, take, close);
    const given = { setProfileAccessScopes: { profileId, accessScopeGuids: [accessScopeGuid] } };
    expect(
      await hearing(() =>
        together(graph, async () => {
          await apply(graph, given);
          await apply(graph, take);
        }),
      ),
    ).toEqual([]);
  });
});

describe('webhooks of', () => {
  const last = (type: string) =>
    until(() => bodiesOf(webhooks.received).findLast((body: { type: string }) => body.type === type));

  it('proposals say when one is made and decided', async () => {
    const user = await newUser(graph.app.context);
    const token = graph.token(['admin:read', 'admin:write', 'admin:security'], { sub: user.user_guid });
    const id = `role-${randomUUID().slice(0, 8)}`;
    const text = `mutation { proposeChanges(changes: [{ createRole: { input: { roleId: "${id}", name: "${id}" } } }], note: "n") { proposalGuid } }`;
    const { json } = await graph.ask(text, {}, token);
    const guid = json.data?.proposeChanges?.proposalGuid;
    if (!guid) throw new Error(JSON.stringify(json));
    expect(await last('proposal.created')).toMatchObject({
      data: { proposalGuid: guid, proposedBy: user.user_guid },
    });
    await graph.ask(`mutation { withdrawProposal(proposalGuid: "${guid}") { proposalGuid } }`, {}, token);
    expect(await last('proposal.decided')).toMatchObject({ data: { proposalGuid: guid, state: 'WITHDRAWN' } });
  });

  it('proposals say what becomes of one that was approved for later', async () => {
    const { context } = graph.app;
    const [author, approver] = [graph.token(), graph.token()];
    const later = new Date(Date.now() + 3_600_000).toISOString();
    /** One that is scheduled, and the states that are said of it. */
    const newScheduled = async () => {
      const role = await newRole(context);
      const { proposeChanges } = await graph.data(
        `mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "n") { proposalGuid revision } }`,
        { changes: [{ updateRole: { roleId: role, input: { description: 'new' } } }] },
        author,
      );
      const { proposalGuid: guid, revision } = proposeChanges;
      await graph.data(
        `mutation { approveProposal(proposalGuid: "${guid}", ifRevision: ${revision}, applyAt: "${later}") { state } }`,
        {},
        approver,
      );
      const states = () =>
        bodiesOf(webhooks.received)
          .filter(({ type, data }) => type === 'proposal.decided' && data.proposalGuid === guid)
          .map(({ data }) => data.state);
      return { guid, role, states };
    };
    const [applied, failed, withdrawn] = [await newScheduled(), await newScheduled(), await newScheduled()];
    await mutate(`deleteRole(roleId: "${failed.role}")`);
    await graph.ask(`mutation { withdrawProposal(proposalGuid: "${withdrawn.guid}") { state } }`, {}, author);
    await context.sql.rows(`update proposals set apply_at = now() where state = 'SCHEDULED'`);
    await applyDueProposals({ ...context, face: 'schedule' }, new AbortController().signal);
    await settled(graph, stream, webhook);
    expect([applied, failed, withdrawn].map(({ states }) => states())).toEqual([
      ['SCHEDULED', 'APPLIED'],
      ['SCHEDULED', 'FAILED'],
      ['SCHEDULED', 'WITHDRAWN'],
    ]);
    const ids = webhooks.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('grants and secrets that end soon are sent once, with the day', async () => {
    const { context } = graph.app;
    const { userId, profileId } = await newHolder(context);
    await newRole(context, 'member');
    await context.sql.rows(
      `update user_profiles set valid_until = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '7 days 5 hours' where user_id = $1`,
      [userId],
    );
    const { clientId } = await newClient(context);
    await context.sql.rows(
      `update clients set previous_secret = 'x', previous_secret_ends_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '1 day 5 hours' where client_id = $1`,
      [clientId],
    );
    const { noteEnding } = await import('../../../src/modules/events/reminders.js');
    await context.sql.rows(`delete from housekeeping_runs where task = 'event reminders'`);
    for (let count = 0; count < 2; count++) await noteEnding(context.sql, 'UTC', new Date());
    expect(await last('grant.ending')).toMatchObject({ data: { profileId, days: 7, assignments: 1, accessScopes: 0 } });
    expect(await last('client.secret_ending')).toMatchObject({ data: { clientId, days: 1 } });
    await elapse(300);
    expect(bodiesOf(webhooks.received).filter(({ type }) => type === 'grant.ending')).toHaveLength(1);
  });
});

it('what happened before is repeated with the same ids, in the same order, and then goes on', async () => {
  const since = new Date().toISOString();
  const another = await startReceiver();
  const { guid } = await newPush(graph, another.url, { events: ['session-revoked'] });
  // of one person, because only those have an order
  const { user_id: userId, user_guid: userGuid } = await newUser(graph.app.context);
  const profiles = await Promise.all(Array.from({ length: 4 }, () => newProfile(graph.app.context)));
  for (const profileId of profiles) await linkProfile(graph.app.context, userId, profileId, 'member');
  const before = profiles.slice(0, 3);
  for (const profileId of before) await unassign(userGuid, profileId);
  await until(() => another.received.length === 3);
  await mutate(`replayEvents(eventStreamGuid: "${guid}", since: "${since}") { replayFrom }`);
  await unassign(userGuid, profiles[3]!);
  await until(() => another.received.length >= 7);
  const heardOf = another.received.map(({ body }) => claimsOf(body));
  const ids = heardOf.map(({ jti }) => jti);
  expect(heardOf.slice(0, 7).map(({ sub_id: subject }) => subject.group.id)).toEqual([...before, ...profiles]);
  expect(ids.slice(3, 6)).toEqual(ids.slice(0, 3));
  // of one that was both repeated and new, the ids are equal
  expect(new Set(ids).size).toBe(4);
});
