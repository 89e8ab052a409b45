/** What fetching an identity provider's keys may reach: no redirect's goal, and nothing of our own network on a stranger's word. */
import type { lookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { openIdTokenVerifier } from '../../src/auth/idToken.js';
import { openProviderFetch } from '../../src/auth/providerDocuments.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import { isLocalHost, isPublicAddress } from '../../src/config/parsers.js';
import { type LocalProvider, makeKey, startProvider } from '../auth/localProvider.js';
import { closeAtEnd } from '../support/lifetimes.js';

const key = makeKey('a');
let provider: LocalProvider;
let port: string;
/** Connections that this machine's server got, whatever they asked. */
let connections: number;
let inner: Server;
beforeEach(async () => {
  provider = await startProvider([key]);
  connections = 0;
  inner = createServer((_request, response) => response.end(JSON.stringify({ keys: [key.jwk] })));
  closeAtEnd(async () => inner.close());
  inner.on('connection', () => connections++);
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  port = String((inner.address() as AddressInfo).port);
});

/** A name server that tells these addresses, one list for each question. */
function resolver(...answers: string[][]): typeof lookup {
  const tell = (_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
    const addresses = answers.length > 1 ? answers.shift()! : answers[0]!;
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
  return tell as unknown as typeof lookup;
}

const probe = async (issuer: object, lookup?: typeof import('node:dns').lookup, privateHosts: string[] = []) => {
  const entry = { issuer: '', audience: 'a', idpname: 'i', subject: 'idpid' as const, ...issuer };
  const verifier = openIdTokenVerifier([entry], {
    log: () => undefined,
    network: { privateHosts, ...(lookup && { lookup }) },
    timeoutMs: 5_000,
  });
  return (await verifier.probe())[0]!;
};

it.each([
  '127.0.0.1',
  '::1',
  '10.1.2.3',
  '172.20.0.2',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
])('a public issuer whose name means %s is not asked', async (address) => {
  const probed = await probe({ issuer: `http://idp.example.com:${port}` }, resolver([address]));
  expect(probed).toMatchObject({ ok: false, problem: expect.stringContaining(`${address} is in a private network`) });
  expect(connections).toBe(0);
});

/** Of those that may be asked, and nobody has it: https://www.iana.org/assignments/ipv6-unicast-address-assignments */
const publicAddress = '2d00::1';

it('a name that means a public address first and a private one then (DNS rebinding) leads nowhere', async () => {
  const fetch = openProviderFetch('https://idp.example.com', { lookup: resolver([publicAddress], ['127.0.0.1']) });
  const ask = (signal = AbortSignal.timeout(2_000)) => fetch(`http://idp.example.com:${port}/`, { signal });
  await expect(ask()).rejects.not.toThrow('private network');
  for (let attempt = 0; attempt < 2; attempt++) await expect(ask()).rejects.toThrow('private network');
  expect(connections).toBe(0);
});

it('of several addresses of a name only the public ones are tried', async () => {
  const signal = AbortSignal.timeout(2_000);
  const fetch = openProviderFetch('https://idp.example.com', { lookup: resolver(['127.0.0.1', publicAddress]) });
  await expect(fetch(`http://idp.example.com:${port}/`, { signal })).rejects.not.toThrow('private network');
  expect(connections).toBe(0);
});

it.each([
  ['http', '127.0.0.1'],
  ['http', '2130706433'],
  ['http', '0x7f.1'],
  ['http', '[::1]'],
  ['http', '[::ffff:7f00:1]'],
  ['http', '169.254.169.254'],
  ['https', '10.0.0.1'],
])('a public issuer may not send us to %s://%s by its jwks_uri', async (scheme, host) => {
  const fetch = openProviderFetch('http://idp.example.com');
  await expect(fetch(`${scheme}://${host}:${port}/jwks`)).rejects.toThrow('private network');
  expect(connections).toBe(0);
});

it('an issuer of this network may, but not to a cloud’s metadata service', async () => {
  const other = `http://127.0.0.1:${port}/jwks`;
  provider.answer = (_path, response) => response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: other }));
  expect(await probe({ issuer: provider.issuer })).toMatchObject({ ok: true });
  expect(connections).toBe(1);
  for (const address of [
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:a9fe:a9fe]/',
  ])
    await expect(openProviderFetch(provider.issuer)(address)).rejects.toThrow('private network');
});

it('the operator’s own word is enough: a jwksUri of this network, or PRIVATE_PROVIDER_HOSTS', async () => {
  const issuer = `http://idp.example.com:${port}`;
  expect(await probe({ issuer, jwksUri: `http://127.0.0.1:${port}/` })).toMatchObject({ ok: true });
  expect(await probe({ issuer, jwksUri: `${issuer}/` }, resolver(['127.0.0.1']))).toMatchObject({ ok: false });
  const named = await probe({ issuer, jwksUri: `${issuer}/` }, resolver(['127.0.0.1']), ['idp.example.com']);
  expect(named).toMatchObject({ ok: true });
});

it.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
  provider.answer = (_path, response) =>
    response.writeHead(status, { location: `http://127.0.0.1:${port}/jwks` }).end();
  expect(await probe({ issuer: provider.issuer })).toMatchObject({
    ok: false,
    problem: expect.stringContaining(`answers ${status} instead of 200`),
  });
  expect(connections).toBe(0);
});

it.each([
  ['does not answer', () => undefined, 'does not answer within 5 s'],
  ['stops in the middle', (response: { write(text: string): void }) => response.write('{'), 'does not answer within'],
])('a provider that %s is left after the time limit', async (_name, answer, problem) => {
  provider.answer = (_path, response) => void answer(response);
  expect(await probe({ issuer: provider.issuer })).toMatchObject({
    ok: false,
    problem: expect.stringContaining(problem),
  });
});

it('private and public are told apart at their borders', () => {
  const publicOnes = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '100.63.255.255'];
  const more = ['100.128.0.0', '223.255.255.255', '2606:4700::1', '2a00::1', '64:ff9b::101:101', '::ffff:8.8.8.8'];
  for (const address of [...publicOnes, ...more]) expect([address, isPublicAddress(address)]).toEqual([address, true]);
  const others = ['', 'x', '0.0.0.0', '127.255.255.255', '172.31.255.255', '224.0.0.1', '255.255.255.255', '::', '::1'];
  const others6 = [
    'fc00::1',
    'fdff::1',
    'febf::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '::127.0.0.1',
    'fe80::1%eth0',
  ];
  for (const address of [...others, ...others6]) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const host of [
    'localhost',
    'a.localhost',
    'keycloak',
    'idp.internal',
    'IDP.LOCAL',
    '[::1]',
    '10.0.0.1',
    'idp.lan.',
  ])
    expect([host, isLocalHost(host)]).toEqual([host, true]);
  for (const host of ['idp.example.com', 'localhost.example.com', '8.8.8.8', '[2606:4700::1]', 'com.', 'a.b'])
    expect([host, isLocalHost(host)]).toEqual([host, host === 'com.']);
});

it('production takes keys from beyond its own network by https alone', () => {
  const environment = (entry: object, more = {}) => ({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://db.internal/gatehouse',
    ISSUER_URL: 'https://auth.example',
    TOKEN_POLICY: 'documented',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
    ID_TOKEN_ISSUERS: JSON.stringify([{ audience: 'a', idpname: 'i', subject: 'idpid', ...entry }]),
    ...more,
  });
  const loading =
    (entry: object, more = {}) =>
    () =>
      loadConfig(environment(entry, more));
  expect(loading({ issuer: 'http://idp.example.com' })).toThrow('ID_TOKEN_ISSUERS has http:// in [0].issuer');
  expect(loading({ issuer: 'https://idp.example.com', jwksUri: 'http://keys.example.com/' })).toThrow('[0].jwksUri');
  expect(loading({ issuer: 'https://idp.example.com' })).not.toThrow();
  expect(loading({ issuer: 'http://keycloak:8080/realms/x' })).not.toThrow();
  expect(loading({ issuer: 'http://idp.corp.example' }, { PRIVATE_PROVIDER_HOSTS: 'IDP.corp.example' })).not.toThrow();
});
