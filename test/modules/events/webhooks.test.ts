/** Webhooks as their receivers get them: verified by the public library, in order, repeated, and never lost. */
import { Webhook } from 'standardwebhooks';
import { openStreamSecret } from '../../../src/auth/keyRing.js';
import { resealSecrets, rotateEventKey } from '../../../src/modules/events/eventKeys.js';
import type { TestGraph } from '../../graphql/graph.js';
import { newApplication, newClient, newHolder, newScope, newScopeType } from '../../support/records.js';
import { elapse, until } from '../../support/until.js';
import { bodiesOf, delivering, newStream, newWebhook, readStream, startEventApp, updateStream } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

let graph: TestGraph;
let receiver: Receiver;
beforeEach(async () => {
  graph = await startEventApp();
  receiver = await startReceiver();
});

const createRole = (id: string) =>
  graph.data(`mutation { createRole(input: { roleId: "${id}", name: "${id}" }) { roleId } }`);
const received = (type: string) => bodiesOf(receiver.received).filter((body) => body.type === type);

describe('a webhook', () => {
  it('is accepted by the library of Standard Webhooks, and by it only with the secret that was shown', async () => {
    const { secret } = await newWebhook(graph, receiver.url);
    await createRole('reader');
    const { headers, body } = await until(() => receiver.received.find(({ body }) => body.includes('"Role"')));
    const event = new Webhook(secret).verify(body, headers);
    expect(event).toEqual({
      type: 'change_set.applied',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: expect.objectContaining({ face: 'graphql', records: { Role: 1 } }),
    });
    expect(Object.keys(JSON.parse(body))).toEqual(['type', 'timestamp', 'data']);
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body.replace('Role', 'User'), headers)).toThrow();
  });

  it('names its change set by guid, and no name of a record is in it', async () => {
    await newWebhook(graph, receiver.url);
    await createRole('very-secret-role');
    const [{ data }] = await until(() => {
      const sets = received('change_set.applied').filter((body) => body.data.records.Role);
      return sets.length > 0 && sets;
    });
    const { changeSet } = await graph.data('query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { actor face } }', {
      guid: data.changeSetGuid,
    });
    expect(changeSet).toEqual({ actor: data.actor, face: 'graphql' });
    expect(receiver.received.map(({ body }) => body).join()).not.toContain('very-secret-role');
  });

  it('is signed with both secrets while one is rotated, and then with the new one only', async () => {
    const { guid, secret } = await newWebhook(graph, receiver.url);
    const rotate = `mutation ($guid: UUID!, $hours: Int) { rotateEventStreamSecret(eventStreamGuid: $guid, keepPreviousHours: $hours) { secret } }`;
    const { rotateEventStreamSecret: second } = await graph.data(rotate, { guid, hours: 1 });
    await createRole('one');
    const both = await until(() =>
      receiver.received.find(({ headers }) => headers['webhook-signature']!.includes(' ')),
    );
    for (const each of [secret, second.secret]) new Webhook(each).verify(both.body, both.headers);
    const { rotateEventStreamSecret: third } = await graph.data(rotate, { guid, hours: 0 });
    const before = receiver.received.length;
    await createRole('two');
    const last = await until(() => receiver.received.slice(before).find(({ body }) => body.includes('"Role"')));
    new Webhook(third.secret).verify(last.body, last.headers);
    expect(() => new Webhook(second.secret).verify(last.body, last.headers)).toThrow();
  });

  it('gets only the types that it wants', async () => {
    await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
    await createRole('unwanted');
    await graph.data('mutation { rotateSigningKey { kid } }');
    const [first] = await until(() => receiver.received.length > 0 && receiver.received);
    expect(JSON.parse(first!.body)).toMatchObject({ type: 'key.rotated', data: { kid: expect.any(String) } });
    expect(receiver.received).toHaveLength(1);
  });

  it('gets nothing of what was before it', async () => {
    await createRole('before');
    await newWebhook(graph, receiver.url);
    await createRole('after');
    await until(() => received('change_set.applied').some((body) => body.data.records.Role));
    expect(received('change_set.applied').filter((body) => body.data.records.Role)).toHaveLength(1);
  });

  it('that fails is repeated with the same id, and what follows waits for it', async () => {
    await newWebhook(graph, receiver.url, { events: ['change_set.applied'] });
    let isAway = true;
    receiver.answer = (_request, response) => response.writeHead(isAway ? 500 : 200).end();
    await createRole('one');
    await until(() => receiver.received.length > 0);
    await createRole('two');
    await createRole('three');
    isAway = false;
    await until(() => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size === 3);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']!);
    expect(ids.length).toBeGreaterThan(3);
    expect([...new Set(ids)]).toHaveLength(3);
    const lastOf = (id: string) => ids.lastIndexOf(id);
    const [first, second, third] = [...new Set(ids)];
    expect(lastOf(first!)).toBeLessThan(ids.indexOf(second!));
    expect(lastOf(second!)).toBeLessThan(ids.indexOf(third!));
  });

  it('whose receiver says when to come again is not sent before', async () => {
    const { guid } = await newWebhook(graph, receiver.url, { events: ['change_set.applied'] });
    receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '2' }).end();
    await createRole('one');
    await until(() => receiver.received.length > 0);
    const { nextAttemptAt, failures, lastStatus } = await until(async () => {
      const stream = await readStream(graph, guid);
      return stream.failures > 0 && stream;
    });
    expect({ failures, lastStatus }).toEqual({ failures: 1, lastStatus: 503 });
    receiver.answer = (_request, response) => response.writeHead(200).end();
    const second = await until(() => receiver.received[1]);
    expect(second.at).toBeGreaterThanOrEqual(Date.parse(nextAttemptAt) - 50);
  });

  it('that is paused waits, and one that is disabled is lost', async () => {
    const { guid } = await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
    await updateStream(graph, guid, { status: 'paused', statusReason: 'maintenance' });
    await graph.data('mutation { rotateSigningKey { kid } }');
    await until(async () => (await readStream(graph, guid)).waiting === 1);
    expect(await readStream(graph, guid)).toMatchObject({ status: 'paused', statusReason: 'maintenance' });
    await updateStream(graph, guid, { status: 'enabled' });
    await until(() => receiver.received.length === 1);
    await updateStream(graph, guid, { status: 'disabled' });
    await graph.data('mutation { rotateSigningKey { kid } }');
    await elapse(500);
    await updateStream(graph, guid, { status: 'enabled' });
    await graph.data('mutation ($guid: UUID!) { sendTestEvent(eventStreamGuid: $guid) { status } }', { guid });
    await until(() => received('stream.test').length === 1);
    expect(received('key.rotated')).toHaveLength(1);
  });
});

it('events are in the order of commits, and none of a slow transaction is skipped', async () => {
  await newWebhook(graph, receiver.url, { events: ['change_set.applied'] });
  const { sql } = graph.app.context;
  const names = (list: string[]) =>
    sql.rows<{ guid: string; name: string }>(
      `select change_set_guid::text as guid, after->>'role_id' as name from change_sets join record_versions using (change_set_id)
       where record_table = 'roles' and record_key = any($1)`,
      [list],
    );
  await sql.transaction(async (slow) => {
    await slow.rows("insert into roles (role_id, name) values ('slow', 'slow')");
    await createRole('fast');
    await createRole('faster');
    // the events of these wait: a lower transaction is still open
    await elapse(300);
  });
  await until(() => receiver.received.length === 3);
  const guids = new Map((await names(['slow', 'fast', 'faster'])).map(({ guid, name }) => [guid, name]));
  const heard = received('change_set.applied').flatMap(({ data }) => guids.get(data.changeSetGuid) ?? []);
  expect(heard.toSorted()).toEqual(['fast', 'faster', 'slow']);
});

it('without a stream no cause is written, and a change that is rolled back has no event', async () => {
  const { sql } = graph.app.context;
  await createRole('nobody');
  expect(await sql.rows('select from event_causes')).toHaveLength(0);
  await newWebhook(graph, receiver.url, { events: ['change_set.applied'] });
  await sql
    .transaction(async (own) => {
      await own.rows("insert into roles (role_id, name) values ('undone', 'undone')");
      throw new Error('undone');
    })
    .catch(() => undefined);
  await createRole('done');
  await until(() => receiver.received.length > 0);
  const [{ data }] = received('change_set.applied') as [{ data: { changeSetGuid: string } }];
  const [set] = await sql.rows<{ key: string }>(
    'select record_key as key from record_versions join change_sets using (change_set_id) where change_set_guid = $1',
    [data.changeSetGuid],
  );
  expect(set).toEqual({ key: 'done' });
});

it('what cannot be delivered in time is dropped, shown, and said before anything newer', async () => {
  const { guid } = await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
  let isGapTold = false;
  receiver.answer = (_request, response, { body }) => {
    isGapTold ||= body.includes('"stream.gap"');
    response.writeHead(isGapTold ? 204 : 500).end();
  };
  await graph.data('mutation { rotateSigningKey { kid } }');
  await until(async () => (await readStream(graph, guid)).failures > 0);
  const { sql } = graph.app.context;
  await sql.rows(
    "update published_events set published_at = now() - interval '8 days', occurred_at = '2026-01-02T03:04:05Z'",
  );
  await sql.rows("update event_streams set created_at = '2026-01-01'");
  await graph.data('mutation { rotateSigningKey { kid } }');
  const [gap, next] = await until(() => {
    const bodies = bodiesOf(receiver.received);
    const told = bodies.slice(bodies.findIndex(({ type }) => type === 'stream.gap'));
    return isGapTold && told.length > 1 && told;
  });
  expect(gap).toMatchObject({
    type: 'stream.gap',
    data: { eventStreamGuid: guid, from: '2026-01-02T03:04:05.000Z', until: '2026-01-02T03:04:05.000Z' },
  });
  expect(next).toMatchObject({ type: 'key.rotated' });
  expect(await readStream(graph, guid)).toMatchObject({ gapFrom: '2026-01-02T03:04:05.000Z' });
  expect(graph.app.logged()).toContain('events were dropped');
});

it('a filter by profiles and applications leaves out what does not concern them', async () => {
  await newClient(graph.app.context);
  await newApplication(graph.app.context);
  const { guid } = await newWebhook(graph, receiver.url, { profileIds: ['p1'], events: ['change_set.applied'] });
  await createRole('elsewhere');
  await graph.data('mutation { createProfile(input: { profileId: "p1", name: "P1" }) { profileId } }');
  await until(() => receiver.received.length > 0);
  expect(received('change_set.applied').map(({ data }) => data.records)).toEqual([{ Profile: 1 }]);
  expect(await readStream(graph, guid)).toMatchObject({ profileIds: ['p1'], applicationGuids: null });
});

it('a limited webhook hears of what its profiles open, and of what opens its applications', async () => {
  const { context } = graph.app;
  const { userGuid, profileId } = await newHolder(context);
  const typeId = await newScopeType(context);
  const { access_scope_guid } = await newScope(context, typeId, profileId, { access_scope_key: 'north' });
  const [mapped, other] = [await newApplication(context), await newApplication(context)];
  const [ofProfile, ofMapped, ofOther] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const events = ['change_set.applied'];
  await newWebhook(graph, ofProfile.url, { events, profileIds: [profileId] });
  await newWebhook(graph, ofMapped.url, { events, applicationGuids: [mapped.application_guid] });
  await newWebhook(graph, ofOther.url, { events, applicationGuids: [other.application_guid] });
  const all = await startReceiver();
  await newWebhook(graph, all.url, { events });
  const apply = (change: object) =>
    graph.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', {
      changes: [change],
    });
  const recordsOf = ({ received }: Receiver) => bodiesOf(received).map(({ data }) => Object.keys(data.records));
  // opens the application to holders of the profile
  await apply({
    mapping: { applicationGuid: mapped.application_guid, accessScopeGuid: access_scope_guid, to: 'active' },
  });
  // the profile, and what it opens
  await apply({ unassignProfile: { profileId, userGuid, roleId: 'member' } });
  // the application alone
  await apply({ updateApplication: { applicationGuid: other.application_guid, input: { name: 'Other' } } });
  await createRole('elsewhere');
  await until(() => recordsOf(all).some(([record]) => record === 'Role'));
  await until(() => ofOther.received.length === 1);
  const mappings = ['AccessScopeApplicationsMapper'];
  const holders = ['Profile', 'UserProfile'];
  await until(() => ofProfile.received.length + ofMapped.received.length === 4);
  expect([ofProfile, ofMapped, ofOther].map(recordsOf)).toEqual([
    [mappings, holders],
    [mappings, holders],
    [['Application']],
  ]);
});

it('the process that delivers holds back no clean-up of old rows', async () => {
  const { sql } = graph.app.context;
  await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
  await graph.data('mutation { rotateSigningKey { kid } }');
  await until(() => receiver.received.length === 1);
  const waiting = () =>
    sql.rows<{ horizon: string | null }>(
      `select backend_xmin::text as horizon from pg_stat_activity where state = 'idle in transaction' and pid in (${delivering})`,
    );
  const [{ horizon }] = await until(async () => {
    const found = await waiting();
    return found.length === 1 && (found as [{ horizon: string | null }]);
  });
  expect(horizon).toBeNull();
});

it('a fault of the service itself is tried again after a second, not at once', async () => {
  const { sql } = graph.app.context;
  await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
  const cause = () => graph.data('mutation { rotateSigningKey { kid } }');
  const deliveries = async () => (await sql.rows('select from event_deliveries')).length;
  await cause();
  await until(async () => (await deliveries()) === 1);
  await sql.rows('alter table event_deliveries rename to event_deliveries_away');
  await cause();
  await until(() => graph.app.logged().includes('events are not delivered for a moment'));
  await elapse(1_500);
  expect(graph.app.logged().split('events are not delivered for a moment').length).toBeLessThanOrEqual(4);
  await sql.rows('alter table event_deliveries_away rename to event_deliveries');
  await cause();
  await until(async () => (await deliveries()) === 3);
});

it('a secret is encrypted with the first KEY_ENCRYPTION_KEY again, so that the one before can go', async () => {
  const { guid, secret } = await newWebhook(graph, receiver.url);
  const { sql, encryptionKeys } = graph.app.context;
  const [old] = encryptionKeys as [Buffer];
  const next = Buffer.alloc(32, 9);
  const read = async () =>
    (
      await sql.rows<{ sealed: Buffer }>(
        'select secret_ciphertext as sealed from event_streams where event_stream_guid = $1',
        [guid],
      )
    )[0]!.sealed;
  await resealSecrets({ encryptionKeys: [next, old] }, sql);
  expect(openStreamSecret(await read(), guid, [next])).toBe(secret);
  expect(() => openStreamSecret(Buffer.alloc(80, 1), guid, [next])).toThrow();
  const before = await read();
  // what no key opens is left as it is
  await resealSecrets({ encryptionKeys: [Buffer.alloc(32, 3)] }, sql);
  expect(await read()).toEqual(before);
});

it('the key of security event tokens is rotated by age, and the one before stays published', async () => {
  await newStream(graph, { kind: 'push', address: receiver.url, audience: 'a' });
  const { sql, encryptionKeys, config, keys } = graph.app.context;
  const published = async () => (await keys.reload()).jwks().keys.map(({ kid }) => kid);
  const before = (await keys.reload()).events!.kid;
  expect((await published()).length).toBe(4);
  await sql.rows(
    "update signing_keys set created_at = now() - interval '91 days', activated_at = activated_at - interval '91 days' where state = 'events'",
  );
  await rotateEventKey({ encryptionKeys, config }, sql);
  const ring = await keys.reload();
  expect(ring.events!.kid).not.toBe(before);
  expect(await published()).toEqual(expect.arrayContaining([before, ring.events!.kid]));
  expect(ring.signing.kid).not.toBe(ring.events!.kid);
});

it('a change is heard by the streams that get an event of it: one that only opens an application by webhooks alone', async () => {
  const { context } = graph.app;
  await newWebhook(graph, receiver.url, { name: 'tickets' });
  const push = (name: string, events?: string[]) =>
    newStream(graph, { kind: 'push', address: receiver.url, audience: 'a', name, ...(events && { events }) });
  await push('all tokens');
  await push('claims', ['token-claims-change']);
  await push('sessions', ['session-revoked']);
  const { userGuid, profileId } = await newHolder(context);
  const { application_guid } = await newApplication(context);
  const { access_scope_guid } = await newScope(context, await newScopeType(context), profileId, {
    access_scope_key: 'north',
  });
  const heard = async (change: object) => {
    const { applyChanges } = await graph.data(
      `mutation ($changes: [ChangeInput!]!) {
         applyChanges(changes: $changes, dryRun: true) { effect { tokens { profiles eventStreams } } }
       }`,
      { changes: [change] },
    );
    return applyChanges.effect.tokens;
  };
  const mapping = { applicationGuid: application_guid, accessScopeGuid: access_scope_guid, to: 'active' };
  expect(await heard({ mapping })).toEqual({ profiles: 1, eventStreams: ['tickets'] });
  const left = await heard({ unassignProfile: { profileId, userGuid, roleId: 'member' } });
  expect(left).toEqual({ profiles: 1, eventStreams: ['all tokens', 'sessions', 'tickets'] });
  const scopes = await heard({ setProfileAccessScopes: { profileId, accessScopeGuids: [] } });
  expect(scopes).toEqual({ profiles: 1, eventStreams: ['all tokens', 'claims', 'tickets'] });
  const other = await newApplication(context);
  await newWebhook(graph, receiver.url, { name: 'of it', applicationGuids: [application_guid] });
  await newWebhook(graph, receiver.url, { name: 'of another', applicationGuids: [other.application_guid] });
  await newWebhook(graph, receiver.url, { name: 'of the profile', profileIds: [profileId] });
  await newWebhook(graph, receiver.url, { name: 'of other profiles', profileIds: ['none'] });
  expect((await heard({ mapping })).eventStreams).toEqual(['of it', 'of the profile', 'tickets']);
});
