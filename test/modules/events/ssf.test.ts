/** Receivers of security event tokens: they manage their own streams, and get signed events by push and by poll. */
import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { explainRefusal } from '../../../src/modules/insight/refusalWords.js';
import type { TestGraph } from '../../graphql/graph.js';
import { newConsumer } from '../../operations/consumer.js';
import { readAnswer } from '../../support/app.js';
import { newClient } from '../../support/records.js';
import { until } from '../../support/until.js';
import { newPush, readStream, startEventApp, updateStream } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

const revoked = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const verification = 'https://schemas.openid.net/secevent/ssf/event-type/verification';
const updated = 'https://schemas.openid.net/secevent/ssf/event-type/stream-updated';

let graph: TestGraph;
let url: string;
beforeAll(async () => {
  graph = await startEventApp();
  url = graph.app.url;
});
afterAll(() => graph.close());

interface Client {
  clientId: string;
  clientSecret: string;
}
const newReceiver = (): Promise<Client> => newClient(graph.app.context, 'client-secret', { may_receive_events: true });
const basicOf = ({ clientId, clientSecret }: Client): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

async function tokenOf({ clientId, clientSecret }: Client, scope: string, more: Record<string, string> = {}) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, ...more });
  const headers = { authorization: basicOf({ clientId, clientSecret }) };
  return readAnswer(await fetch(`${url}/token`, { method: 'POST', body, headers }));
}
async function bearerOf(client: Client, scope = 'ssf.read ssf.manage'): Promise<string> {
  return `Bearer ${(await tokenOf(client, scope)).json.access_token}`;
}

async function ask(authorization: string | undefined, method: string, path: string, body?: unknown) {
  const headers = {
    ...(authorization && { authorization }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return readAnswer(
    await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  );
}

type Set = JWTPayload & { sub_id: Record<string, unknown>; events: Record<string, Record<string, unknown>> };
async function verified(set: string, audience: string): Promise<Set> {
  const { json } = await ask(undefined, 'GET', '/.well-known/ssf-configuration');
  const keys = createRemoteJWKSet(new URL(json.jwks_uri));
  const { payload } = await jwtVerify(set, keys, {
    issuer: json.issuer,
    audience,
    typ: 'secevent+jwt',
    algorithms: ['RS256'],
  });
  return payload as Set;
}

/** Ends a session by /revoke; gives its person, profile and trace id. */
async function endSession() {
  const consumer = await newConsumer(graph.app);
  const { json } = await consumer.exchange();
  const { sub, profileId, iat } = JSON.parse(Buffer.from(json.access_token.split('.')[1], 'base64url').toString());
  const traceId = 'c'.repeat(31) + Math.floor(Math.random() * 16).toString(16);
  await graph.app.post('/revoke', { token: json.refresh_token }, { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` });
  return { sub, profileId, iat, traceId };
}

describe('discovery', () => {
  it('the configuration has what the CAEP interoperability profile requires', async () => {
    const { status, json } = await ask(undefined, 'GET', '/.well-known/ssf-configuration');
    expect(status).toBe(200);
    expect(json).toEqual({
      spec_version: '1_0',
      issuer: url,
      jwks_uri: `${url}/.well-known/jwks.json`,
      delivery_methods_supported: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
      configuration_endpoint: `${url}/ssf/streams`,
      status_endpoint: `${url}/ssf/status`,
      verification_endpoint: `${url}/ssf/verification`,
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:7617' }],
      default_subjects: 'ALL',
    });
  });
});

describe('the token of a receiver', () => {
  it('is for these scopes and this audience, and valid for ten minutes', async () => {
    const client = await newReceiver();
    const { status, json } = await tokenOf(client, 'ssf.read');
    expect(status).toBe(200);
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'ssf.read' });
    const keys = createLocalJWKSet((await ask(undefined, 'GET', '/.well-known/jwks.json')).json);
    const { payload } = await jwtVerify(json.access_token, keys);
    expect(payload).toMatchObject({ aud: [`${url}/ssf`], scopes: ['ssf.read'], client_id: client.clientId });
    expect(payload.exp! - payload.iat!).toBe(600);
  });

  it.each([
    ['another scope beside', 'ssf.read admin:read', {}, 'invalid_scope'],
    ['another audience', 'ssf.read', { audience: 'GRID' }, 'invalid_target'],
  ])('is refused with %s', async (_case, scope, more, error) => {
    const { status, json } = await tokenOf(await newReceiver(), scope, more);
    expect([status, json.error]).toEqual([400, error]);
  });

  it('is refused to a client without mayReceiveEvents, and to a wrong secret', async () => {
    const other = await newClient(graph.app.context);
    expect((await tokenOf(other, 'ssf.read')).json.error).toBe('unauthorized_client');
    const wrong = await tokenOf({ ...(await newReceiver()), clientSecret: 'wrong' }, 'ssf.read');
    expect([wrong.status, wrong.json.error]).toEqual([401, 'invalid_client']);
  });

  it('is refused without a scope, with words that name it', async () => {
    const { status, json } = await tokenOf(await newReceiver(), '');
    expect([status, json.error]).toEqual([400, 'unauthorized_client']);
    expect(json.error_description).toContain('scope of events');
    const { advice } = explainRefusal(json.error, json.error_description);
    expect(advice).toContain('scope=ssf.read');
  });

  it('is not said to be revoked while it lives on (RFC 7009 §2.2.1)', async () => {
    const client = await newReceiver();
    const bearer = await bearerOf(client);
    const body = new URLSearchParams({ token: bearer.slice('Bearer '.length) });
    const headers = { authorization: basicOf(client) };
    const { status, json } = await readAnswer(await fetch(`${url}/revoke`, { method: 'POST', body, headers }));
    expect([status, json?.error]).toEqual([400, 'unsupported_token_type']);
    expect((await ask(bearer, 'GET', '/ssf/streams')).status).toBe(200);
  });

  it('opens neither the administration nor a check of tokens', async () => {
    const bearer = await bearerOf(await newReceiver());
    expect((await graph.ask('{ roles { totalCount } }', {}, bearer.slice('Bearer '.length))).status).toBe(401);
    const { json } = await graph.app.post('/validate-token', { token: bearer.slice('Bearer '.length) });
    expect(json.is_valid).toBe(false);
  });

  it('is worth nothing from the moment when the client may not receive events any more', async () => {
    const client = await newReceiver();
    const bearer = await bearerOf(client);
    expect((await ask(bearer, 'GET', '/ssf/streams')).status).toBe(200);
    await graph.data(
      'mutation ($id: ID!) { updateClient(clientId: $id, input: { mayReceiveEvents: false }) { clientId } }',
      {
        id: client.clientId,
      },
    );
    expect((await ask(bearer, 'GET', '/ssf/streams')).status).toBe(403);
    expect((await ask(basicOf(client), 'GET', '/ssf/streams')).status).toBe(403);
  });
});

describe('management', () => {
  it('a receiver creates, reads, updates, replaces and deletes its streams', async () => {
    const receiver = await startReceiver();
    const client = await newReceiver();
    const bearer = await bearerOf(client);
    const created = await ask(bearer, 'POST', '/ssf/streams', {
      delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: receiver.url, authorization_header: 'Bearer very-secret' },
      events_requested: [revoked, 'urn:example:unknown'],
      description: 'mine',
    });
    expect(created.status).toBe(201);
    const { stream_id: id } = created.json;
    expect(created.json).toEqual({
      stream_id: expect.any(String),
      iss: url,
      aud: client.clientId,
      events_supported: [revoked, expect.stringContaining('token-claims-change')],
      events_requested: [revoked, 'urn:example:unknown'],
      events_delivered: [revoked],
      delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: receiver.url },
      min_verification_interval: 5,
      description: 'mine',
    });
    expect((await ask(bearer, 'GET', `/ssf/streams?stream_id=${id}`)).json).toEqual(created.json);
    expect((await ask(bearer, 'GET', '/ssf/streams')).json).toEqual([created.json]);
    const patched = await ask(bearer, 'PATCH', '/ssf/streams', { stream_id: id, description: 'changed' });
    expect(patched.json).toEqual({ ...created.json, description: 'changed' });
    const replaced = await ask(bearer, 'PUT', '/ssf/streams', { stream_id: id, delivery: created.json.delivery });
    expect(replaced.json).not.toHaveProperty('description');
    expect(replaced.json.events_delivered).toHaveLength(2);
    const wrong = await ask(bearer, 'PATCH', '/ssf/streams', { stream_id: id, iss: 'https://another.example' });
    expect(wrong.status).toBe(400);
    expect((await ask(bearer, 'DELETE', `/ssf/streams?stream_id=${id}`)).status).toBe(204);
    expect((await ask(bearer, 'GET', `/ssf/streams?stream_id=${id}`)).status).toBe(404);
  });

  it('a typed receiver, which writes what is unset as null or as an empty address, has its stream and its verification', async () => {
    const bearer = await bearerOf(await newReceiver());
    const delivery = { method: 'urn:ietf:rfc:8936', endpoint_url: '' };
    const created = await ask(bearer, 'POST', '/ssf/streams', { delivery });
    expect(created.status).toBe(201);
    const { stream_id: id } = created.json;
    const unset = {
      iss: null,
      aud: null,
      events_supported: null,
      events_delivered: null,
      min_verification_interval: null,
    };
    for (const [method, body] of [
      ['PATCH', { ...unset, delivery: null }],
      ['PATCH', { delivery: { ...delivery, endpoint_url: null } }],
      ['PUT', { ...unset, delivery }],
    ] as const) {
      const { status, json } = await ask(bearer, method, '/ssf/streams', { stream_id: id, ...body });
      expect({ status, json }).toEqual({ status: 200, json: created.json });
    }
    expect((await ask(bearer, 'POST', '/ssf/verification', { stream_id: id, state: null })).status).toBe(204);
    const poll = { maxEvents: null, returnImmediately: null, ack: null, setErrs: null };
    const { sets } = (await ask(bearer, 'POST', `/ssf/poll/${id}`, poll)).json;
    const [claims] = await Promise.all(Object.values(sets).map((set) => verified(set as string, created.json.aud)));
    expect(claims!.events).toEqual({ [verification]: {} });
  });

  it('the key that signs events is published, and its algorithm is not said to be that of access tokens', async () => {
    const bearer = await bearerOf(await newReceiver());
    await ask(bearer, 'POST', '/ssf/streams', { delivery: { method: 'urn:ietf:rfc:8936' } });
    const { keys } = (await ask(undefined, 'GET', '/.well-known/jwks.json')).json;
    expect(new Set(keys.map(({ alg }: { alg: string }) => alg))).toEqual(new Set(['ES256', 'RS256']));
    const { json } = await ask(undefined, 'GET', '/.well-known/openid-configuration');
    expect(json).toMatchObject({
      access_token_signing_alg_values_supported: ['ES256'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });

  it('a push is changed without its delivery, or with one that is null', async () => {
    const receiver = await startReceiver();
    const bearer = await bearerOf(await newReceiver());
    const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: receiver.url };
    const { stream_id: id } = (await ask(bearer, 'POST', '/ssf/streams', { delivery })).json;
    const body = { stream_id: id, description: 'changed', delivery: null };
    const { status, json } = await ask(bearer, 'PATCH', '/ssf/streams', body);
    expect({ status, json }).toMatchObject({ status: 200, json: { description: 'changed', delivery } });
  });

  it('a receiver that creates streams at once has no more than twenty', async () => {
    const client = await newReceiver();
    const bearer = await bearerOf(client);
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(bearer, 'POST', '/ssf/streams', {})));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 409));
    expect(refused).toHaveLength(10);
    expect((await ask(bearer, 'GET', '/ssf/streams')).json).toHaveLength(20);
  });

  it('a token for reading changes nothing', async () => {
    const bearer = await bearerOf(await newReceiver(), 'ssf.read');
    const { status, headers } = await ask(bearer, 'POST', '/ssf/streams', {});
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain('insufficient_scope');
  });

  it.each([
    ['not an object', []],
    ['an unknown method', { delivery: { method: 'carrier-pigeon' } }],
    ['a push without address', { delivery: { method: 'urn:ietf:rfc:8935' } }],
    ['a poll with an address', { delivery: { method: 'urn:ietf:rfc:8936', endpoint_url: 'https://a.example' } }],
    [
      'an address in a private network',
      { delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: 'https://10.0.0.1/' } },
    ],
    ['plain http', { delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: 'http://receiver.example/' } }],
    ['types that are no list', { events_requested: 'all' }],
  ])('%s is refused with 400', async (_case, body) => {
    const { status } = await ask(await bearerOf(await newReceiver()), 'POST', '/ssf/streams', body);
    expect(status).toBe(400);
  });

  it('a receiver with any client id has a stream', async () => {
    const clientId = `x${'\u{1f600}'.repeat(99)}`;
    const { clientSecret } = await newClient(graph.app.context, 'client-secret', {
      client_id: clientId,
      may_receive_events: true,
    });
    const { status, json } = await ask(basicOf({ clientId, clientSecret }), 'POST', '/ssf/streams', {});
    expect({ status, json }).toMatchObject({ status: 201, json: { aud: clientId } });
  });

  it('without credentials, with wrong ones and in the address of the request it is 401', async () => {
    expect((await ask(undefined, 'GET', '/ssf/streams')).status).toBe(401);
    expect((await ask('Bearer x.y.z', 'GET', '/ssf/streams')).status).toBe(401);
    expect((await ask('Basic x', 'GET', '/ssf/streams')).status).toBe(401);
    const bearer = await bearerOf(await newReceiver());
    expect((await ask(undefined, 'GET', `/ssf/streams?access_token=${bearer.slice(7)}`)).status).toBe(401);
  });

  it('another receiver’s stream does not exist, at each endpoint', async () => {
    const owner = await newReceiver();
    const { json } = await ask(basicOf(owner), 'POST', '/ssf/streams', {});
    const id = json.stream_id;
    const stranger = basicOf(await newReceiver());
    const answers = await Promise.all([
      ask(stranger, 'GET', `/ssf/streams?stream_id=${id}`),
      ask(stranger, 'PATCH', '/ssf/streams', { stream_id: id, description: 'x' }),
      ask(stranger, 'PUT', '/ssf/streams', { stream_id: id }),
      ask(stranger, 'DELETE', `/ssf/streams?stream_id=${id}`),
      ask(stranger, 'GET', `/ssf/status?stream_id=${id}`),
      ask(stranger, 'POST', '/ssf/status', { stream_id: id, status: 'disabled' }),
      ask(stranger, 'POST', '/ssf/verification', { stream_id: id }),
      ask(stranger, 'POST', `/ssf/poll/${id}`, { returnImmediately: true }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await ask(stranger, 'GET', '/ssf/streams')).json).toEqual([]);
  });
});

describe('push', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    receiver.answer = (_request, response) => response.writeHead(202).end();
  });

  it('an ended session arrives as a signed event with its person, session, profile and trace id', async () => {
    await newPush(graph, receiver.url, { authorizationHeader: 'Bearer of-the-receiver' });
    const { sub, profileId, iat, traceId } = await endSession();
    const { headers, body } = await until(() => receiver.received[0]);
    expect(headers).toMatchObject({
      'content-type': 'application/secevent+jwt',
      authorization: 'Bearer of-the-receiver',
    });
    const claims = await verified(body, 'https://api.example');
    expect(claims).toMatchObject({
      iss: url,
      aud: 'https://api.example',
      txn: traceId,
      sub_id: {
        format: 'complex',
        user: { format: 'iss_sub', iss: url, sub },
        session: { format: 'opaque', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        group: { format: 'opaque', id: profileId },
      },
      events: {
        [revoked]: {
          event_timestamp: expect.any(Number),
          initiating_entity: 'user',
          reason_admin: { en: expect.stringMatching(/./) },
        },
      },
    });
    expect(Object.keys(claims.events)).toHaveLength(1);
    expect(claims.events[revoked]!.event_timestamp).toBeGreaterThanOrEqual(iat);
    for (const absent of ['sub', 'exp']) expect(claims).not.toHaveProperty(absent);
    expect(decodeProtectedHeader(body)).toMatchObject({ alg: 'RS256', typ: 'secevent+jwt' });
  });

  it('is not verified by a key that signs access tokens, and its key signs none', async () => {
    await newPush(graph, receiver.url);
    await endSession();
    const { body } = await until(() => receiver.received[0]);
    const { kid } = decodeProtectedHeader(body);
    const { access_token } = (await (await newConsumer(graph.app)).exchange()).json;
    expect(decodeProtectedHeader(access_token).kid).not.toBe(kid);
    expect((await graph.app.post('/validate-token', { token: body })).json.is_valid).toBe(false);
  });

  it('a verification event has the state that the receiver asked for, and its subject is the stream', async () => {
    const client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', {
      delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: receiver.url },
    });
    const body = { stream_id: json.stream_id, state: 'my state' };
    expect((await ask(basicOf(client), 'POST', '/ssf/verification', body)).status).toBe(204);
    expect((await ask(basicOf(client), 'POST', '/ssf/verification', body)).status).toBe(429);
    const { body: set } = await until(() => receiver.received[0]);
    expect(await verified(set, client.clientId)).toMatchObject({
      sub_id: { format: 'opaque', id: json.stream_id },
      events: { [verification]: { state: 'my state' } },
    });
  });

  it('a receiver hears why an administrator paused its stream, and nothing more until it goes on', async () => {
    const { guid } = await newPush(graph, receiver.url);
    await updateStream(graph, guid, { status: 'paused', statusReason: 'maintenance' });
    const first = await until(() => receiver.received[0]);
    const claims = await verified(first.body, 'https://api.example');
    expect(claims.events).toEqual({ [updated]: { status: 'paused', reason: 'maintenance' } });
    await endSession();
    await until(async () => (await readStream(graph, guid)).waiting === 1);
    expect(receiver.received).toHaveLength(1);
    await updateStream(graph, guid, { status: 'enabled' });
    await until(() => receiver.received.length === 3);
    const later = await Promise.all(
      receiver.received.slice(1).map(({ body }) => verified(body, 'https://api.example')),
    );
    // of two subjects, so in either order
    expect(later.map(({ events }) => Object.keys(events)[0]).toSorted()).toEqual([revoked, updated].toSorted());
  });
});

describe('the stream of a client', () => {
  let receiver: Receiver;
  let client: Client;
  let guid: string;
  beforeEach(async () => {
    receiver = await startReceiver();
    client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', {
      delivery: {
        method: 'urn:ietf:rfc:8935',
        endpoint_url: receiver.url,
        authorization_header: 'Bearer of-the-receiver',
      },
      events_requested: [revoked, 'https://example.com/unknown'],
    });
    guid = json.stream_id;
  });
  const mutateClient = (mutation: string) =>
    graph.data(`mutation ($id: ID!) { ${mutation} { clientId } }`, { id: client.clientId });
  const setReceiving = (mayReceive: boolean) =>
    mutateClient(`updateClient(clientId: $id, input: { mayReceiveEvents: ${mayReceive} })`);
  const setActive = (isActive: boolean) => mutateClient(`setClientActive(clientId: $id, isActive: ${isActive})`);

  it.each([
    ['may not receive events', setReceiving],
    ['is switched off', setActive],
  ])('is sent nothing while the client %s, and then what it missed', async (_case, set) => {
    await set(false);
    await endSession();
    await until(async () => (await readStream(graph, guid)).waiting === 1);
    // another stream gets the event of then
    const witness = await startReceiver();
    await newPush(graph, witness.url);
    await endSession();
    await until(() => witness.received.length === 1);
    expect(receiver.received).toHaveLength(0);
    expect((await readStream(graph, guid)).advice).toMatch(/^Nothing is sent, because the client/);
    await set(true);
    await until(() => receiver.received.length === 2);
    expect((await readStream(graph, guid)).advice).toBeNull();
  });

  it('is changed by an administrator, whatever types its receiver named and whether the client may receive', async () => {
    await setReceiving(false);
    await updateStream(graph, guid, { status: 'paused', statusReason: 'looked at' });
    expect(await readStream(graph, guid)).toMatchObject({ status: 'paused', events: [revoked, expect.any(String)] });
  });

  it('does not take its header to another host, unless the header is entered again', async () => {
    const other = await startReceiver();
    const { json } = await graph.ask(
      'mutation ($guid: UUID!, $input: UpdateEventStreamInput!) { updateEventStream(eventStreamGuid: $guid, input: $input) { name } }',
      { guid, input: { address: other.url } },
    );
    expect(json.errors[0].extensions.problems).toEqual({
      'input.authorizationHeader': [expect.stringContaining('is not sent to another host')],
    });
    const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: other.url };
    const patch = (more: object) =>
      ask(basicOf(client), 'PATCH', '/ssf/streams', { stream_id: guid, delivery: { ...delivery, ...more } });
    expect((await patch({})).status).toBe(400);
    expect((await readStream(graph, guid)).address).toBe(receiver.url);
    expect((await patch({ authorization_header: 'Bearer other' })).status).toBe(200);
    await endSession();
    const { headers } = await until(() => other.received[0]);
    expect(headers.authorization).toBe('Bearer other');
    await updateStream(graph, guid, { address: `${other.url}/further` });
    await updateStream(graph, guid, { address: receiver.url, authorizationHeader: null });
  });
});

describe('poll', () => {
  it('an event behind thousands that the stream does not want is found', async () => {
    const client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', { events_requested: [revoked] });
    await graph.app.context.sql.rows(
      `insert into published_events (event_guid, type, occurred_at, profile_id, data)
       select gen_random_uuid(), case when number = 4500 then 'session-revoked' else 'token-claims-change' end, now(), 'p', '{}'
       from generate_series(1, 4500) number`,
    );
    const { sets } = (await ask(basicOf(client), 'POST', `/ssf/poll/${json.stream_id}`, { returnImmediately: true }))
      .json;
    expect(Object.keys(sets)).toHaveLength(1);
  });

  it('a receiver that acknowledges all but one gets only that one after a thousand', async () => {
    const client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', { events_requested: [revoked] });
    const poll = async () =>
      (await ask(basicOf(client), 'POST', `/ssf/poll/${json.stream_id}`, { returnImmediately: true })).json;
    for (let count = 0; count < 2; count++) await endSession();
    await until(async () => Object.keys((await poll()).sets).length === 2);
    await graph.app.context.sql.rows(
      `update event_streams set acknowledged = (select jsonb_agg(number) from generate_series(1000001, 1001000) number)
       where event_stream_guid = $1`,
      [json.stream_id],
    );
    const { sets, moreAvailable } = await poll();
    expect([Object.keys(sets).length, moreAvailable]).toEqual([1, true]);
  });

  it('what is not acknowledged comes again with the same id, what is acknowledged does not', async () => {
    const client = await newReceiver();
    const bearer = await bearerOf(client);
    const { json } = await ask(bearer, 'POST', '/ssf/streams', { events_requested: [revoked] });
    expect(json.delivery).toEqual({
      method: 'urn:ietf:rfc:8936',
      endpoint_url: `${url}/ssf/poll/${json.stream_id}`,
    });
    const path = new URL(json.delivery.endpoint_url).pathname;
    const poll = (body: object) => ask(bearer, 'POST', path, { returnImmediately: true, ...body });
    for (let count = 0; count < 3; count++) await endSession();
    const first = await until(async () => {
      const { sets } = (await poll({})).json;
      return Object.keys(sets).length === 3 && sets;
    });
    const ids = Object.keys(first);
    for (const [jti, set] of Object.entries(first))
      expect(await verified(set as string, client.clientId)).toMatchObject({ jti });
    expect(Object.keys((await poll({})).json.sets)).toEqual(ids);
    const one = (await poll({ maxEvents: 1 })).json;
    expect([Object.keys(one.sets), one.moreAvailable]).toEqual([[ids[0]], true]);
    // acknowledged out of order
    expect(Object.keys((await poll({ ack: [ids[1]] })).json.sets)).toEqual([ids[0], ids[2]]);
    expect(
      Object.keys((await poll({ ack: [ids[0]], setErrs: { [ids[2]!]: { err: 'invalid_key' } } })).json.sets),
    ).toEqual([]);
    const { deliveries, waiting } = await readStream(graph, json.stream_id);
    expect(waiting).toBe(0);
    expect(deliveries[0]).toMatchObject({ problem: 'the receiver refuses it: invalid_key' });
  });

  it('a poll that waits is answered when something happens', async () => {
    const client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', {});
    const waiting = ask(basicOf(client), 'POST', `/ssf/poll/${json.stream_id}`, {});
    await endSession();
    expect(Object.keys((await waiting).json.sets)).toHaveLength(1);
  });

  it('a receiver has 20 polls at a time; further ones are refused, and another receiver gets its event', async () => {
    const [greedy, other] = await Promise.all([newReceiver(), newReceiver()]);
    const streamOf = async (client: Client) => (await ask(basicOf(client), 'POST', '/ssf/streams', {})).json.stream_id;
    const [path, otherPath] = (await Promise.all([streamOf(greedy), streamOf(other)])).map((id) => `/ssf/poll/${id}`);
    const leaving = new AbortController();
    const bearer = await bearerOf(greedy);
    const statuses: number[] = [];
    const polls = Array.from({ length: 200 }, async () => {
      const headers = { authorization: bearer, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: '{}', signal: leaving.signal });
      statuses.push(answer.status);
      expect(answer.headers.get('retry-after')).toBe('5');
    });
    await until(() => statuses.length === 180);
    const waiting = ask(basicOf(other), 'POST', otherPath!, {});
    await endSession();
    expect(Object.keys((await waiting).json.sets)).toHaveLength(1);
    leaving.abort();
    await Promise.allSettled(polls);
    expect(statuses.filter((status) => status === 429)).toHaveLength(180);
    // who has left holds none
    const { status } = await until(async () => {
      const answer = await ask(bearer, 'POST', path!, { returnImmediately: true });
      return answer.status === 200 && answer;
    });
    expect(status).toBe(200);
  });

  it('a body with as many ids as one poll may name is read, a larger one is refused', async () => {
    const client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', {});
    const poll = async (body: object) =>
      (await ask(basicOf(client), 'POST', `/ssf/poll/${json.stream_id}`, { returnImmediately: true, ...body })).status;
    const ids = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    expect(await poll({ ack: ids })).toBe(200);
    expect(await poll({ setErrs: Object.fromEntries(ids.map((id) => [id, { err: 'x' }])) })).toBe(200);
    expect(await poll({ ack: [...ids, ids[0]] })).toBe(400);
    expect(await poll({ ack: ['x'.repeat(64 * 1024)] })).toBe(413);
  });

  it('a token with ssf.read polls the streams of its client, and reaches no other stream and no change', async () => {
    const [client, other] = await Promise.all([newReceiver(), newReceiver()]);
    const bearer = await bearerOf(client, 'ssf.read');
    const own = (await ask(basicOf(client), 'POST', '/ssf/streams', {})).json.stream_id;
    const foreign = (await ask(basicOf(other), 'POST', '/ssf/streams', {})).json.stream_id;
    const body = { returnImmediately: true };
    expect((await ask(bearer, 'POST', `/ssf/poll/${own}`, body)).status).toBe(200);
    expect((await ask(bearer, 'POST', `/ssf/poll/${foreign}`, body)).status).toBe(404);
    expect((await ask(bearer, 'DELETE', `/ssf/streams?stream_id=${own}`)).status).toBe(403);
    expect((await ask(bearer, 'POST', '/ssf/status', { stream_id: own, status: 'disabled' })).status).toBe(403);
    expect((await ask(bearer, 'POST', '/ssf/verification', { stream_id: own })).status).toBe(403);
  });

  it.each([
    ['maxEvents', { maxEvents: -1 }],
    ['ack', { ack: 'x' }],
    ['setErrs', { setErrs: [] }],
    ['returnImmediately', { returnImmediately: 'yes' }],
  ])('a malformed %s is refused with 400', async (_case, body) => {
    const client = await newReceiver();
    const { json } = await ask(basicOf(client), 'POST', '/ssf/streams', {});
    expect((await ask(basicOf(client), 'POST', `/ssf/poll/${json.stream_id}`, body)).status).toBe(400);
  });
});
