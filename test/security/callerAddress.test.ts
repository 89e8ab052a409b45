/** Whose address counts: what a trusted proxy says, and nothing that a caller writes himself. */
import { createHash, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { loadConfig } from '../../src/config.js';
import { addressOf } from '../../src/http/address.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { insert } from '../support/records.js';

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** The address that a revocation writes down, for a request with these X-Forwarded-For lines. */
async function addressSeen(trustProxy: string, forwardedFor: string | undefined, more: object = {}): Promise<unknown> {
  app ??= await startTestApp({ TRUST_PROXY: trustProxy });
  const { sql } = app.context;
  const user = await insert<{ user_guid: string }>(sql, 'users', { user_guid: randomUUID(), created_by: randomUUID() });
  const token = `imported-${randomUUID()}`;
  const { id } = await insert<{ id: string }>(sql, 'tokens', {
    user_id: user.user_guid,
    profile_id: 'p',
    token: createHash('sha256').update(token).digest(),
    created_at: new Date(),
    expires_at: new Date(Date.now() + 60_000),
  });
  const headers = { ...more, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) };
  expect((await app.post('/revoke', { token }, headers)).status).toBe(200);
  const [row] = await sql.rows<{ revoked_by_ip: string }>('select revoked_by_ip from tokens where id = $1', [id]);
  return row!.revoked_by_ip;
}

it.each([
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
])('TRUST_PROXY=%s and X-Forwarded-For %j: the caller is %s', async (trustProxy, forwardedFor, expected) => {
  expect(await addressSeen(trustProxy, forwardedFor)).toBe(expected);
});

it('a spoofed X-Forwarded-For escapes no limit of failures', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '5', TRUST_PROXY: 'no' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    const body = { grant_type: 'refresh_token', profileId: 'p', client_id: `c${attempt}`, client_secret: 'x' };
    statuses.push((await app.post('/token', body, { 'x-forwarded-for': `198.51.100.${attempt}` })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
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
