/** Nothing secret is in a recording: random secrets in random places, under random media types, and answers that repeat them. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readIgnored } from '../../compare/difference.js';
import { startRecorder } from '../../compare/recording.js';
import { Pseudonymizer, redactRequest } from '../../compare/redact.js';
import { replay } from '../../compare/replay.js';
import { readValues } from '../../compare/values.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { factor, seed } from '../support/schedules.js';
import { serviceAt } from './comparedServices.js';

const timeoutMs = 20_000;

interface Sent {
  method?: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An old service that answers as `answer` says, from the request and its body. */
async function startOld(answer: (incoming: IncomingMessage, body: Buffer) => { type: string; text: string }) {
  const received: { headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    received.push({ headers: incoming.headers, body });
    const { type, text } = answer(incoming, body);
    outgoing.writeHead(400, { 'content-type': type }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function send(url: string, { method = 'POST', target, headers = {}, body }: Sent): Promise<void> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const asked = httpRequest({ hostname, port, method, path: target, headers: { ...headers, ...length } });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await readAll(response);
}

async function record(to: string, path: string, requests: readonly Sent[], valuesPath?: string): Promise<void> {
  const recorder = await startRecorder({
    listen: { host: '127.0.0.1', port: 0 },
    to: serviceAt(to),
    timeoutMs,
    path,
    ...(valuesPath && { valuesPath }),
  });
  for (const each of requests) await send(recorder.url, each);
  await recorder.close();
  expect(recorder.counts).toEqual({ recorded: requests.length, dropped: 0 });
}

const charactersOf = (set: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...set), minLength: min, maxLength: max }).map((text) => `7${text.trim()}`);
// such as a header can have, and no number with a zero before it
const secrets = fc.oneof(
  charactersOf('ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789-_', 12, 60),
  charactersOf('0123456789abcdef', 16, 40),
  charactersOf('0123456789', 11, 15),
  charactersOf('abcxyz019 =&%+"\'\\/.:,;{}<>?#@$', 14, 30).map((text) => `kQ${text}`),
  fc.uuid(),
);

const names =
  `client_secret refresh_token id_token password code state pin title detail error status scope name description
  profileId assertion errors type`.split(/\s+/);
const types = [
  undefined,
  'text/plain',
  'text/plain; charset=utf-8',
  'application/json',
  'application/json; charset=utf-8',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=xyz',
  'application/octet-stream',
  'text/xml',
  'json',
];
const targets = ['/token', '/revoke', '/validate-token', '/connect/authorize', '/graphql'];

type Make = (secret: string, name: string) => string | Buffer;
const encoded = encodeURIComponent;
const bodies: Record<string, Make> = {
  json: (secret, name) => JSON.stringify({ grant_type: 'refresh_token', [name]: secret }),
  'json, deeper': (secret, name) => JSON.stringify([{ name: 'x', [name]: [{ [name]: secret }] }]),
  'json, a name': (secret) => JSON.stringify({ [secret]: 1 }),
  'json, a text': (secret) => JSON.stringify(secret),
  'json, a number': (secret, name) => `{"${name}": ${/^\d{12,15}$/.test(secret) ? secret : JSON.stringify(secret)}}`,
  'json, cut off': (secret, name) => `{"${name}": "${secret}`,
  'json, of UTF-16': (secret, name) => Buffer.from(JSON.stringify({ [name]: secret }), 'utf16le'),
  form: (secret, name) => `grant_type=refresh_token&${name}=${encoded(secret)}&x=1`,
  'form, a grant': (secret) => `grant_type=${encoded(secret)}`,
  'form, a name': (secret) => `${encoded(secret)}=1`,
  xml: (secret, name) => `<${name}>${secret}</${name}>`,
  multipart: (secret, name) =>
    `--xyz\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--xyz--\r\n`,
  plain: (secret) => secret,
  binary: (secret) => Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(secret), Buffer.from([0])]),
  gzip: (secret) => gzipSync(secret, { level: 0 }),
};
const elsewhere: Record<string, (secret: string, name: string) => Omit<Sent, 'body'>> = {
  'query value': (secret, name) => ({ target: `/token?${name}=${encoded(secret)}` }),
  'query name': (secret) => ({ target: `/token?${encoded(secret)}` }),
  'api-version of the query': (secret) => ({ target: `/api/applications?api-version=${encoded(secret)}` }),
  // not a guid as it is, for those are ids of the catalogue there
  'option without quotes': (secret) => ({
    target: `/api/applications?$orderby=${encoded(`k${secret.replaceAll("'", '')}`)}`,
  }),
  path: (secret) => ({ target: `/api/${encoded(secret)}/x` }),
  ...Object.fromEntries(
    `api-version accept accept-charset accept-language content-type prefer origin cookie x-api-key dpop authorization
      if-none-match x-forwarded-for idempotency-key`
      .split(/\s+/)
      .map((name) => [`header ${name}`, (secret: string) => ({ target: '/token', headers: { [name]: secret } })]),
  ),
  boundary: (secret) => ({
    target: '/token',
    headers: { 'content-type': `multipart/form-data; boundary="${secret}"` },
  }),
  Bearer: (secret) => ({ target: '/token', headers: { authorization: `Bearer ${secret}` } }),
  Basic: (secret) => ({
    target: '/token',
    headers: { authorization: `Basic ${Buffer.from(`portal:${secret}`).toString('base64')}` },
  }),
  DPoP: (secret) => ({ target: '/token', headers: { authorization: `DPoP ${secret}` } }),
};

const requests: fc.Arbitrary<Sent> = fc
  .record({
    secret: secrets,
    name: fc.constantFrom(...names),
    target: fc.constantFrom(...targets),
    type: fc.constantFrom(...types),
    place: fc.constantFrom(...Object.keys(bodies), ...Object.keys(elsewhere)),
  })
  .map(({ secret, name, target, type, place }) => {
    const headers = { ...(type && { 'content-type': type }), 'x-place': place, 'x-secret': encoded(secret) };
    const make = bodies[place];
    if (make) return { target, headers, body: make(secret, name) };
    const found = elsewhere[place]!(secret, name);
    return { ...found, headers: { ...headers, ...found.headers } };
  });

/** Repeats what it was sent, as services do in their errors: the values, the whole body, the address. */
function repeat({ url = '' }: IncomingMessage, bytes: Buffer): { type: string; text: string } {
  const body = bytes.toString();
  const values: string[] = [];
  try {
    JSON.parse(body, (key, value) => {
      if (typeof value !== 'object') values.push(key, String(value));
      return value;
    });
  } catch {
    for (const pair of new URLSearchParams(body)) values.push(...pair);
  }
  if (body.length % 3 === 0) return { type: 'text/plain', text: `cannot read ${values.join(' and ').slice(0, 180)}` };
  if (body.length % 3 === 1) return { type: 'text/plain', text: `cannot read ${body.slice(0, 180)}` };
  const errors = Object.fromEntries(values.map((value) => [value.slice(0, 90), [`Could not convert ${value}.`]]));
  return {
    type: 'application/problem+json',
    text: JSON.stringify({ title: 'Bad', detail: `Could not read ${body}`, instance: url, code: values[1], errors }),
  };
}

it('random secrets in random places never appear in a recording, under whatever media type', async () => {
  const sent = fc.sample(requests, { numRuns: 500 * factor, seed });
  const old = await startOld(repeat);
  const path = join(folder, 'day.jsonl');
  await record(old.url, path, sent);
  const lines = readFileSync(path, 'utf8').split('\n').slice(1);
  const found = sent.flatMap(({ headers = {} }, index) => {
    const secret = decodeURIComponent(headers['x-secret']!);
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encoded(secret),
      Buffer.from(secret).toString('base64'),
    ];
    return forms.some((form) => lines[index]!.includes(form))
      ? [{ place: headers['x-place'], line: lines[index], secret }]
      : [];
  });
  expect({ seed, found: found.slice(0, 5) }).toEqual({ seed, found: [] });
});

it('a body that is not understood is recorded as its length and a hash with a key', async () => {
  const bytes = Buffer.from('client_secret=1234');
  const show = (key: number, type: Record<string, string>) =>
    redactRequest(new Pseudonymizer(Buffer.alloc(32, key)), {
      method: 'POST',
      target: '/token',
      headers: type,
      body: bytes,
    }).shown.body as { unread: string; bytes: number };
  for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/json' }])
    expect(show(1, headers)).toEqual({ unread: expect.stringMatching(/^body-[0-9a-f]{16}$/), bytes: 18 });
  expect(show(2, {}).unread).not.toBe(show(1, {}).unread);
  expect(show(1, { 'content-type': 'application/x-www-form-urlencoded' })).toHaveProperty('form');
});

it('with the file of values a replay sends such a body to the byte, and the names of members', async () => {
  const answer = () => ({ type: 'text/plain', text: 'Unsupported' });
  const [recorded, old, other] = [await startOld(answer), await startOld(answer), await startOld(answer)];
  const binary = Buffer.from([0, 255, 195, 40, 10, 65]);
  const json = '{"unknown member":{"another one":"x"}}';
  const boundary = 'multipart/form-data; boundary=a-random-one';
  const sent: Sent[] = [
    { target: '/validate-token', headers: { 'content-type': boundary }, body: binary },
    { target: '/validate-token', body: json },
  ];
  const [path, valuesPath] = [join(folder, 'day.jsonl'), join(folder, 'values.jsonl')];
  await record(recorded.url, path, sent, valuesPath);
  expect(readFileSync(path, 'utf8')).not.toMatch(/random|member|another/);
  const sides = { old: serviceAt(old.url), new: serviceAt(other.url) };
  const report = await replay({
    path,
    ...sides,
    values: readValues(valuesPath),
    isIgnored: readIgnored(),
    writes: false,
  });
  expect(report).toMatchObject({ requests: 2, same: 2, notCompared: 0 });
  for (const { received } of [old, other]) {
    expect(received.map(({ body }) => body.toString('hex')).sort()).toEqual(
      [binary.toString('hex'), Buffer.from(json).toString('hex')].sort(),
    );
    expect(received.map(({ headers }) => headers['content-type'])).toContain(boundary);
  }
});
