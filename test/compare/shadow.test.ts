/** compare shadow: clients have the old answer whatever the new service does; reads alone are asked twice, a renewal never. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readIgnored } from '../../compare/difference.js';
import { type Shadow, startShadow } from '../../compare/shadow.js';
import { readValues } from '../../compare/values.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { serviceAt } from './comparedServices.js';

interface Stub {
  url: string;
  asked: string[];
}

/** A service that answers as the test says. */
async function startStub(answer: RequestListener): Promise<Stub> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const json =
  (value: () => object): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value()));

const open = (old: Stub, other: Stub, timeoutMs = 10_000): Promise<Shadow> =>
  startShadow({
    listen: { host: '127.0.0.1', port: 0 },
    to: serviceAt(old.url),
    also: serviceAt(other.url, timeoutMs),
    timeoutMs,
    values: readValues(),
    isIgnored: readIgnored(),
  });

it('a client has the old answer while the new service hangs, and the report says that none came', async () => {
  const old = await startStub(json(() => [{ name: 'Gate' }]));
  const hanging = await startStub(() => undefined);
  const shadow = await open(old, hanging, 200);
  const answer = await fetch(`${shadow.url}/api/applications`);
  expect([answer.status, await answer.json()]).toEqual([200, [{ name: 'Gate' }]]);
  await shadow.close();
  expect(shadow.report()).toMatchObject({
    different: 1,
    rows: [{ differences: [{ kind: 'no answer', example: { new: 'none within 0.2 s' } }] }],
  });
});

it('a client has the old answer where the new service breaks off', async () => {
  const old = await startStub(json(() => [{ name: 'Gate' }]));
  const broken = await startStub((request) => request.socket.destroy());
  const shadow = await open(old, broken);
  expect((await fetch(`${shadow.url}/api/applications`)).status).toBe(200);
  await shadow.close();
  expect(shadow.report().rows[0]!.differences[0]!.example.new).toBe('connection broken off');
});

it('a request that changes something goes only to the old service, and a renewal never to both', async () => {
  const [old, other] = [await startStub(json(() => ({}))), await startStub(json(() => ({})))];
  const shadow = await open(old, other);
  const post = (path: string, method = 'POST') =>
    fetch(`${shadow.url}${path}`, { method, body: '{}', headers: { 'content-type': 'application/json' } });
  for (const path of ['/token', '/revoke', '/api/applications', '/TOKEN/', '/prefix/token']) await post(path);
  await post('/api/applications/1/accessScopes', 'PATCH');
  await post('/api/applications/1/accessScopes/2', 'DELETE');
  await post('/validate-token');
  await shadow.close();
  expect(other.asked).toEqual(['POST /validate-token']);
  expect(old.asked).toHaveLength(8);
  expect(shadow.report()).toMatchObject({ requests: 8, same: 1, notCompared: 7 });
});

it('a difference counts as noise only if the old service answers differently itself when it is asked again', async () => {
  let asked = 0;
  const old = await startStub(json(() => ({ now: ++asked, name: 'Gate', kept: 1 })));
  const other = await startStub(json(() => ({ now: -1, name: 'Gates' })));
  const shadow = await open(old, other);
  await fetch(`${shadow.url}/api/applications`);
  await shadow.close();
  const { rows, noise } = shadow.report();
  expect(rows[0]!.differences.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'property missing $.kept',
    'text $.name',
  ]);
  expect(noise).toEqual([{ operation: 'GET /api/applications', path: '$.now' }]);
});

it('an old service that is away is a 502 for the client, and nothing to compare', async () => {
  const other = await startStub(json(() => ({})));
  const shadow = await open({ url: 'http://127.0.0.1:9', asked: [] }, other);
  expect((await fetch(`${shadow.url}/api/applications`)).status).toBe(502);
  await shadow.close();
  expect([shadow.report().requests, other.asked]).toEqual([0, []]);
});
