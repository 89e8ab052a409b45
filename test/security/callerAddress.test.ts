/** Whose address counts: what a trusted proxy says, and nothing that a caller writes himself. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request } from 'express';
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import { addressOf } from '../../src/http/requestContext.js';
import type { Sql } from '../../src/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { importedToken, insert } from '../support/records.js';

/** A service for each TRUST_PROXY. */
const apps = new Map<string, TestApp>();
beforeAll(async () => {
  for (const [trustProxy] of spellings)
    if (!apps.has(trustProxy)) apps.set(trustProxy, await startTestApp({ TRUST_PROXY: trustProxy }));
});

async function importToken(sql: Sql): Promise<string> {
  const user = await insert<{ user_guid: string }>(sql, 'users', { user_guid: randomUUID(), created_by: randomUUID() });
  const token = `imported-${randomUUID()}`;
  await insert(sql, 'tokens', {
    user_id: user.user_guid,
    profile_id: 'p',
    ...importedToken(token),
    created_at: new Date(),
    expires_at: new Date(Date.now() + 60_000),
  });
  return token;
}

async function addressOfRevocation(sql: Sql, token: string): Promise<unknown> {
  const statement = 'select revoked_by_ip from tokens where token = $1';
  return (await sql.rows<{ revoked_by_ip: string }>(statement, [renewalTokenHash(token)]))[0]!.revoked_by_ip;
}

/** The address that a revocation writes down, for a request with this X-Forwarded-For. */
async function addressSeen(trustProxy: string, forwardedFor: string | undefined, more: object = {}): Promise<unknown> {
  const app = apps.get(trustProxy)!;
  const { sql } = app.context;
  const token = await importToken(sql);
  const headers = { ...more, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) };
  expect((await app.post('/revoke', { token }, headers)).status).toBe(200);
  return addressOfRevocation(sql, token);
}

const spellings: [string, string | undefined, string][] = [
  ['no', '198.51.100.7', '127.0.0.1'],
  ['no', undefined, '127.0.0.1'],
  ['0', '198.51.100.7', '127.0.0.1'],
  ['1', '198.51.100.7', '198.51.100.7'],
  ['1', '203.0.113.66, 198.51.100.7', '198.51.100.7'],
  ['2', '203.0.113.66, 198.51.100.7, 10.0.0.9', '198.51.100.7'],
  ['1', undefined, '127.0.0.1'],
  ['loopback', '203.0.113.66, 198.51.100.7', '198.51.100.7'],
  ['loopback', '203.0.113.66, 10.1.2.3', '10.1.2.3'],
  ['127.0.0.1, 10.0.0.0/8', '203.0.113.66, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
  ['127.0.0.1, 10.0.0.0/8', '198.51.100.7\t,\t10.1.2.3:41000\t', '198.51.100.7'],
  ['10.0.0.0/8', '198.51.100.7', '127.0.0.1'],
  [
    '1',
    'fe80::1234:5678:9abc:def0%a-very-long-interface-name',
    'fe80::1234:5678:9abc:def0%a-very-long-interface-name'.slice(0, 45),
  ],
  ['1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['1', '::FFFF:c633:6407', '198.51.100.7'],
  ['1', '2001:db8::7', '2001:db8::7'],
  ['1', '198.51.100.7:4711', '198.51.100.7'],
  ['1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['1', 'unknown', '127.0.0.1'],
  ['1', '<script>', '127.0.0.1'],
  ['1', "'; drop table tokens --", '127.0.0.1'],
  ['1', 'x'.repeat(5_000), '127.0.0.1'],
  ['1', '198.51.100.7,', '198.51.100.7'],
  // more hops are trusted than there are: the farthest that is told
  ['3', '198.51.100.7, 10.0.0.9', '198.51.100.7'],
  ['3', '203.0.113.66, 198.51.100.7, 10.0.0.9, 10.0.0.8', '198.51.100.7'],
  // the caller's own lines stand before the proxy's
  ['1', '127.0.0.1', '127.0.0.1'],
  ['loopback', '203.0.113.66, 127.0.0.1, 198.51.100.7, ::1', '198.51.100.7'],
  ['127.0.0.1, 2001:db8:1::/48', '203.0.113.66, 2001:db8::7, 2001:db8:1::5', '2001:db8::7'],
  ['127.0.0.1, 2001:db8:1::/48', '203.0.113.66, 2001:db8:2::5', '2001:db8:2::5'],
  ['127.0.0.1, 2001:db8:1::/48', '203.0.113.66, unknown, 2001:db8:1::5', '127.0.0.1'],
  ['uniquelocal, loopback', '198.51.100.7, fd00::1, 192.168.1.1', '198.51.100.7'],
  ['1', '2001:0db8:0000:0000:0000:0000:0000:0007', '2001:0db8:0000:0000:0000:0000:0000:0007'],
  // the longest spelling of an address: 45 characters
  ['1', '0000:0000:0000:0000:0000:1111:198.151.100.177', '0000:0000:0000:0000:0000:1111:198.151.100.177'],
  ['1', '0000:0000:0000:0000:0000:ffff:198.151.100.177', '0000:0000:0000:0000:0000:ffff:198.151.100.177'],
  // proxies that write ports, or an IPv4 address as IPv6
  ['loopback,10.0.0.0/8', '203.0.113.7:40001, 10.0.0.4:41000', '203.0.113.7'],
  ['loopback,10.0.0.0/8', '203.0.113.7, [::ffff:10.0.0.4]', '203.0.113.7'],
  ['loopback,10.0.0.0/8', '203.0.113.7, ::ffff:10.0.0.4', '203.0.113.7'],
  ['loopback,10.0.0.0/8', '10.9.9.9, 203.0.113.7:40001, [::ffff:10.0.0.4]:80, 10.0.0.5:1', '203.0.113.7'],
  ['127.0.0.1,2001:db8:1::/48', '2001:db8::7, [2001:db8:1::5]:4711, [2001:db8:1::6]', '2001:db8::7'],
  ['2', '203.0.113.66, 203.0.113.7:40001, 10.0.0.4:41000', '203.0.113.7'],
  // what is no address ends the walk
  ['loopback,10.0.0.0/8', '203.0.113.7, unknown:1, 10.0.0.4:41000', '127.0.0.1'],
  ['loopback,10.0.0.0/8', '203.0.113.7, 10.0.0.4:410000', '127.0.0.1'],
  ['loopback,10.0.0.0/8', '203.0.113.7, [10.0.0.4:1', '127.0.0.1'],
  ['1', '203.0.113.66,,198.51.100.7', '198.51.100.7'],
  ['1', ' 198.51.100.7 ', '198.51.100.7'],
  ['1', '', '127.0.0.1'],
  ['1', ' , ', '127.0.0.1'],
];

it.each(spellings)('TRUST_PROXY=%s and X-Forwarded-For %j: the caller is %s', async (trustProxy, given, expected) => {
  expect(await addressSeen(trustProxy, given)).toBe(expected);
});

it('several lines of X-Forwarded-For are one list, in their order', async () => {
  const { url, context } = apps.get('2')!;
  const { sql } = context;
  const token = await importToken(sql);
  const body = JSON.stringify({ token });
  const lines = ['203.0.113.66', '198.51.100.7', '10.0.0.9'];
  await new Promise<void>((resolve, reject) => {
    const sent = request(`${url}/revoke`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'x-forwarded-for': lines,
      },
    });
    sent.once('error', reject).once('response', (response) => response.resume().once('end', resolve));
    sent.end(body);
  });
  expect(await addressOfRevocation(sql, token)).toBe('198.51.100.7');
});

it('what other headers say of addresses counts for nothing', async () => {
  const more = { forwarded: 'for=203.0.113.66', 'x-real-ip': '203.0.113.66', 'x-client-ip': '203.0.113.66' };
  expect(await addressSeen('1', '198.51.100.7', more)).toBe('198.51.100.7');
  expect(await addressSeen('1', undefined, more)).toBe('127.0.0.1');
});

it('a spoofed X-Forwarded-For escapes no limit of failures', async () => {
  const app = await startTestApp({ CLIENT_FAILURE_LIMIT: '5', TRUST_PROXY: 'no' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    const body = { grant_type: 'refresh_token', profileId: 'p', client_id: `c${attempt}`, client_secret: 'x' };
    statuses.push((await app.post('/token', body, { 'x-forwarded-for': `198.51.100.${attempt}` })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
});

it('callers behind a chain of proxies that write ports are counted one by one', async () => {
  const app = await startTestApp({ TOKEN_RATE_LIMIT: '5', TRUST_PROXY: 'loopback,10.0.0.0/8' });
  const statusFor = async (forwarded: string) =>
    (await app.post('/validate-token', { token: 'x' }, { 'x-forwarded-for': forwarded })).status;
  for (let caller = 1; caller <= 9; caller++)
    expect(await statusFor(`203.0.113.${caller}:4000${caller}, 10.0.0.5:41000`)).toBe(400);
});

it('a hundred and more headers of the caller do not push the proxy’s own away', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [index.toString(36), '']));
  expect(await addressSeen('1', '198.51.100.7', many)).toBe('198.51.100.7');
});

it('a caller without any address has none', () => {
  expect(addressOf({ ip: undefined, socket: { remoteAddress: undefined } } as Request)).toBeNull();
  expect(addressOf({ ip: '::ffff:127.0.0.1', socket: {} } as Request)).toBe('127.0.0.1');
});

it.each([
  'true',
  'yes',
  'all',
  '*',
  '10.0.0.0/33',
  '300.1.1.1',
  'proxy.example',
  '-1',
  '100000',
  '10.0.0.0/8/8',
  'loopback,x',
])('TRUST_PROXY=%s is refused at the start', (value) => {
  expect(() => loadConfig({ TRUST_PROXY: value })).toThrow(/TRUST_PROXY must be no, a number of hops, or addresses/);
});

it.each([
  'no',
  '1',
  'loopback',
  '127.0.0.1, 10.0.0.0/8',
])('with TRUST_PROXY=%s a caller that leaves before it is heard ends nothing but its own request', async (trustProxy) => {
  const app = apps.get(trustProxy)!;
  const { hostname, port } = new URL(app.url);
  for (const path of ['/token', '/validate-token', '/verify', '/graphql', '/api/applications'])
    for (const leave of ['resetAndDestroy', 'destroy'] as const)
      await new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.7\r\ncontent-length: 2\r\n\r\n{}`,
          );
          socket[leave]();
        });
        socket.once('close', resolve);
      });
  expect((await fetch(`${app.url}/livez`)).status).toBe(200);
  expect(app.logged()).not.toMatch(/TypeError|was not answered/);
});

it('says once that X-Forwarded-For arrives and counts for nothing, and nothing where a proxy is trusted', async () => {
  for (const [trustProxy, times] of [
    ['no', 1],
    ['1', 0],
  ] as const) {
    const app = await startTestApp({ TRUST_PROXY: trustProxy });
    const countWarnings = () => app.logged().split('X-Forwarded-For arrives').length - 1;
    await app.post('/validate-token', { token: 'x' });
    expect(countWarnings()).toBe(0);
    for (const path of ['/validate-token', '/graphql'])
      await app.post(path, { token: 'x' }, { 'x-forwarded-for': '198.51.100.7' });
    expect(countWarnings()).toBe(times);
    expect(app.logged().includes('198.51.100.7')).toBe(trustProxy === '1');
  }
});

it('every example in ops/ that starts the service says whose word counts', () => {
  const ops = fileURLToPath(new URL('../../../ops/', import.meta.url));
  const files = readdirSync(ops, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  const starting = texts.filter((text) => /ISSUER_URL(=|:)|TRUST_PROXY/.test(text));
  expect(starting.length).toBeGreaterThan(1);
  for (const text of starting) expect(text).toMatch(/TRUST_PROXY(=|: )["']?(?!no\b)\w/);
});
