/** The file of a recording, what may be ignored, and what replaces a value: the edges. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readIgnored } from '../../compare/difference.js';
import { createRecording, type Recorded, readRecording, startRecorder } from '../../compare/recording.js';
import { Pseudonymizer, redactRequest } from '../../compare/redact.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { serviceAt } from './comparedServices.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-recording-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const one = (at: number): Recorded => ({
  at,
  client: 'portal',
  request: { method: 'GET', target: '/api/applications', headers: {} },
  answer: { status: 200, headers: {} },
});

async function record(name: string, count: number): Promise<string> {
  const path = join(folder, name);
  const writer = await createRecording(path);
  for (let at = 0; at < count; at++) await writer.write(one(at));
  await writer.close();
  return path;
}

const readAll = async (path: string): Promise<number[]> => {
  const read: number[] = [];
  for await (const { at } of readRecording(path)) read.push(at);
  return read;
};

it.each(['day.jsonl', 'day.jsonl.gz'])('%s gives back every request in its order', async (name) => {
  expect(await readAll(await record(name, 500))).toEqual(Array.from({ length: 500 }, (_, at) => at));
});

it.each(['day.jsonl', 'day.jsonl.gz'])('all whole lines of %s are read after a sudden end cut it off', async (name) => {
  const path = await record(name, 500);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 30));
  const read = await readAll(path);
  expect(read.length).toBeGreaterThan(450);
  expect(read).toEqual(Array.from({ length: read.length }, (_, at) => at));
});

it('a recording is never written over, and another file is not taken for one', async () => {
  const path = await record('day.jsonl', 1);
  await expect(createRecording(path)).rejects.toThrow('is there already');
  writeFileSync(path, '{"users": []}\n');
  await expect(readAll(path)).rejects.toThrow('is no recording');
});

it('a recording that ends contains every answer that was given, also one that takes a while to decode', async () => {
  const body = gzipSync(JSON.stringify(Array(200_000).fill({ name: 'Time sheets' })));
  const old = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  closeAtEnd(async () => void old.close());
  const path = join(folder, 'day.jsonl');
  const recorder = await startRecorder({
    listen: { host: '127.0.0.1', port: 0 },
    to: serviceAt(`http://127.0.0.1:${(old.address() as AddressInfo).port}`),
    timeoutMs: 60_000,
    path,
  });
  // a client that reads the bytes and leaves them as they are
  const [answer] = (await once(get(`${recorder.url}/api/applications`), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  await recorder.close();
  expect(recorder.counts).toEqual({ recorded: 1, dropped: 0 });
  expect(await readAll(path)).toHaveLength(1);
});

it('what is ignored covers a path and what is below it, at one operation where it is named', () => {
  const isIgnored = readIgnored('$..modifiedDate, header.etag,GET /api/applications $[*].name,POST /revoke');
  expect(isIgnored('any', '$[*].accessScope.modifiedDate')).toBe(true);
  expect(isIgnored('any', '$[*].modifiedDateOf')).toBe(false);
  expect(isIgnored('any', 'header.etag')).toBe(true);
  expect(isIgnored('GET /api/applications', '$[*].name.first')).toBe(true);
  expect(isIgnored('GET /api/applications/{guid}', '$[*].name')).toBe(false);
  expect(isIgnored('POST /revoke', 'status')).toBe(true);
  expect(() => readIgnored('name')).toThrow('--ignore takes paths');
});

it('a property, a path, a query or a header that nobody knows is replaced, and a body that cannot be read too', () => {
  const pseudonymizer = new Pseudonymizer(Buffer.alloc(32, 1));
  const show = (target: string, headers: Record<string, string>, body = '') =>
    JSON.stringify(redactRequest(pseudonymizer, { method: 'POST', target, headers, body: Buffer.from(body) }).shown);
  const json = { 'content-type': 'application/json' };
  const shown = [
    show('/log-in/canary?canary=canary&name=canary', { ...json, cookie: 'canary', 'x-api-key': 'canary' }),
    show(
      '/token',
      json,
      '{"pin": "canary", "nested": [{"canary@example.org": "canary"}], "state": "eyJh.canary-canary.canarycanary"}',
    ),
    show('/token', json, '{"client_secret": "canary'),
    show('/token', { authorization: 'canary canary', 'user-agent': '(canary)', 'if-none-match': '"canary"' }),
    show('/api/applications/canary@example.org/accessScopes?options=canary', {}),
  ];
  for (const text of shown) expect(text).not.toContain('canary');
});
