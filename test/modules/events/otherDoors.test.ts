/** What makes an event beside tokens and changes: sign-out at the provider, directories, reviews; and operators at a terminal. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { examine } from '../../../src/cli/doctor.js';
import { makeToken } from '../../auth/localProvider.js';
import type { TestGraph } from '../../graphql/graph.js';
import { audience, nowSeconds } from '../../support/app.js';
import { newConnector, newGroup } from '../../support/connectors.js';
import { newClient, newHolder } from '../../support/records.js';
import { exchangeBody } from '../../support/tokens.js';
import { until } from '../../support/until.js';
import { bodiesOf, newPush, newStream, readStream, startEventApp, updateStream } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

let graph: TestGraph;
let receiver: Receiver;
beforeEach(async () => {
  graph = await startEventApp();
  receiver = await startReceiver();
});
afterEach(() => graph.close());

const claimsOf = (set: string) => JSON.parse(Buffer.from(set.split('.')[1]!, 'base64url').toString());
/** The kind of the event, its person and profile, and who caused it. */
const heard = () =>
  receiver.received.map(({ body }) => {
    const { sub_id: subject, events } = claimsOf(body);
    const [[uri, event]] = Object.entries(events) as [[string, Record<string, unknown>]];
    return [uri.split('/').at(-1), subject.user?.sub, subject.group?.id, event.initiating_entity];
  });

it('a sign-out at the identity provider ends the session with an event', async () => {
  const { app } = graph;
  await newPush(graph, receiver.url);
  const { userGuid, profileId } = await newHolder(app.context);
  const { clientId, clientSecret } = await newClient(app.context);
  const client = { client_id: clientId, client_secret: clientSecret };
  const idToken = app.idToken({ sub: userGuid, sid: 'the session' });
  expect((await app.post('/token', { ...exchangeBody(idToken), profileId, ...client })).status).toBe(200);
  const claims = {
    iss: app.provider.issuer,
    aud: audience,
    jti: randomUUID(),
    iat: nowSeconds(),
    exp: nowSeconds() + 120,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sid: 'the session',
  };
  const logout_token = makeToken(app.key, claims, { typ: 'logout+jwt' });
  await fetch(`${app.url}/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token }) });
  await until(() => receiver.received.length > 0);
  expect(heard()).toEqual([['session-revoked', userGuid, profileId, 'user']]);
});

it('a person whom a directory takes out of a group, or switches off, has an event', async () => {
  const { context, url } = graph.app;
  await newPush(graph, receiver.url);
  const { scim } = await newConnector(context, url, 'hr');
  const profileId = await newGroup(context, 'sales');
  const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ada@example.org', active: true };
  const { json: made } = await scim('POST', '/Users', { ...user, externalId: 'ada' });
  const patch = (path: string, operation: object) =>
    scim('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [operation],
    });
  const groups = await scim('GET', '/Groups?filter=displayName eq "sales"');
  const group = `/Groups/${groups.json.Resources[0].id}`;
  const joined = await patch(group, { op: 'add', path: 'members', value: [{ value: made.id }] });
  expect(joined.status).toBeLessThan(300);
  await patch(group, { op: 'remove', path: `members[value eq "${made.id}"]` });
  await until(() => receiver.received.length === 1);
  await patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: false });
  await until(() => receiver.received.length === 2);
  expect(heard()).toEqual([
    ['session-revoked', made.id, profileId, 'admin'],
    ['session-revoked', made.id, undefined, 'admin'],
  ]);
});

it('a review that is started and finished is said to webhooks', async () => {
  await newStream(graph, { kind: 'webhook', address: receiver.url, events: ['review.started', 'review.finished'] });
  const { profileId } = await newHolder(graph.app.context);
  const { startReview } = await graph.data(
    `mutation ($filter: ReviewFilter!, $dueAt: DateTime!) {
       startReview(name: "Spring", filter: $filter, dueAt: $dueAt, undecided: KEEP) { reviewGuid } }`,
    { filter: { profileIds: [profileId] }, dueAt: new Date(Date.now() + 86_400_000).toISOString() },
  );
  const { reviewGuid } = startReview;
  await graph.data('mutation ($guid: UUID!) { finishReview(reviewGuid: $guid) { state } }', { guid: reviewGuid });
  await until(() => receiver.received.length === 2);
  expect(bodiesOf(receiver.received)).toMatchObject([
    { type: 'review.started', data: { reviewGuid } },
    { type: 'review.finished', data: { reviewGuid } },
  ]);
});

describe('an operator', () => {
  const program = fileURLToPath(new URL('../../../../bin/gatehouse', import.meta.url));
  const settings = () => ({
    DATABASE_URL: graph.app.database.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PRIVATE_PROVIDER_HOSTS: '127.0.0.1',
  });
  const gatehouse = async (...words: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, NO_COLOR: '1', ...settings() };
    return (await promisify(execFile)(program, words, { env })).stdout.trim();
  };

  it('creates, tests, pauses, repeats, rotates and removes a stream by commands', async () => {
    const since = new Date().toISOString();
    // a service that has a stream notices others at once
    await newStream(graph, { kind: 'webhook', address: (await startReceiver()).url });
    const [guid, secret] = (await gatehouse('stream', 'create', 'webhook', 'tickets', '--address', receiver.url)).split(
      '\n',
    ) as [string, string];
    expect(secret).toMatch(/^whsec_/);
    await gatehouse('stream', 'test', guid);
    await until(() => bodiesOf(receiver.received).some(({ type }) => type === 'stream.test'));
    expect(await gatehouse('stream', 'list')).toMatch(new RegExp(`${guid} +tickets +webhook +enabled`));
    await gatehouse('stream', 'update', guid, '--status', 'paused', '--reason', 'maintenance');
    expect(await readStream(graph, guid)).toMatchObject({ status: 'paused', statusReason: 'maintenance' });
    const rotated = await gatehouse('stream', 'rotate', guid, '--keep-previous-hours', '1');
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(secret);
    await gatehouse('stream', 'replay', guid, '--since', since);
    expect((await readStream(graph, guid)).replayFrom).not.toBeNull();
    await gatehouse('stream', 'delete', guid);
    expect(await readStream(graph, guid)).toBeNull();
  });

  it('hears from the doctor what is wrong with a stream, and what to do', async () => {
    const { context } = graph.app;
    const { guid } = await newStream(graph, {
      kind: 'webhook',
      address: receiver.url,
      name: 'tickets',
      events: ['key.rotated'],
    });
    const found = async () =>
      (await examine({ ...settings(), PORT: '0' }, async () => undefined)).find(({ what }) => what === 'stream');
    expect(await found()).toMatchObject({ ok: true, text: `tickets (webhook, ${guid}) has received everything` });
    await updateStream(graph, guid, { status: 'paused', statusReason: 'maintenance' });
    expect((await found())!.text).toBe(`tickets (webhook, ${guid}) is paused: maintenance`);
    await context.sql.rows(
      "update event_streams set status = 'enabled', failures = 1, last_status = 401, last_problem = 'answers 401'",
    );
    expect(await found()).toMatchObject({ ok: false, text: expect.stringContaining('answers 401. The receiver') });
    const client = await newClient(context, 'client-secret', { may_receive_events: true });
    await context.sql.rows("update event_streams set failures = 0, kind = 'push', client_id = $1", [client.clientId]);
    await context.sql.rows('update clients set may_receive_events = false');
    expect(await found()).toMatchObject({ ok: false, text: expect.stringContaining('mayReceiveEvents') });
    await context.sql.rows('update event_streams set secret_ciphertext = $1', [Buffer.alloc(80, 1)]);
    expect(await found()).toMatchObject({ ok: false, text: expect.stringContaining('KEY_ENCRYPTION_KEY') });
  });
});
