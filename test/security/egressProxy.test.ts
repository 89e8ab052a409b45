/** Providers behind the operator's proxy: reached only through it, and never at a private address that a document names. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { usesProxy } from '../../src/auth/egressProxy.js';
import { openPost, openProviderFetch } from '../../src/auth/providerDocuments.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

let proxyUrl: URL;
/** The CONNECT requests that the proxy received, with their credentials. */
let connects: { authority: string; credentials: string | undefined }[];
let provider: { port: number; close(): void };
let proxyStatus: number;
/** Whether the tunnel leads to a provider that says nothing. */
let isSilent: boolean;
/** Whether the silent provider received the beginning of a TLS connection. */
let isGreeted: boolean;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-proxy-'));
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=idp.example', '-addext', 'subjectAltName=DNS:idp.example,IP:1.2.3.4,IP:2001:4860::1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  const cert = readFileSync(join(folder, 'cert.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates(), cert]);
  const server = createTlsServer({ cert, key: readFileSync(join(folder, 'key.pem')) }, (_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"keys":[]}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider = { port: (server.address() as AddressInfo).port, close: () => server.close() };
});
afterAll(() => {
  provider?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  connects = [];
  proxyStatus = 200;
  isSilent = false;
  isGreeted = false;
  const proxy = createServer((_request, response) => response.writeHead(400).end());
  proxy.on('connect', ({ url, headers }: IncomingMessage, socket) => {
    connects.push({ authority: url!, credentials: headers['proxy-authorization'] });
    if (proxyStatus !== 200) return socket.end(`HTTP/1.1 ${proxyStatus} No\r\n\r\n`);
    if (isSilent) {
      socket.once('data', () => {
        isGreeted = true;
      });
      return socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    }
    const through = connect(provider.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy());
  });
  closeAtEnd(async () => void proxy.close());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = new URL(`http://user:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`);
});

/** A name server that knows these addresses; undefined: no name at all. */
const resolving = (addresses: string[] | undefined) =>
  ((_host: string, _options: object, callback: (error: Error | null, addresses: object[]) => void) =>
    addresses
      ? callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      : callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])) as never;

async function get(address: string, { noProxy = [] as string[], addresses = undefined as string[] | undefined } = {}) {
  const network = { proxy: { url: proxyUrl, noProxy }, lookup: resolving(addresses) };
  const answer = await openProviderFetch(address, network)(address, { signal: AbortSignal.timeout(60_000) });
  return [answer.status, await new Response(answer.body).text()];
}
const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;

it('a provider that only the proxy can resolve is reached through its tunnel, with the credentials of the address', async () => {
  expect(await get('https://idp.example/jwks')).toEqual([200, '{"keys":[]}']);
  expect(connects).toEqual([{ authority: 'idp.example:443', credentials: basic }]);
});

it('an event goes through the tunnel too, and not to a name that resolves to a private address', async () => {
  const sent = async (addresses: string[] | undefined) => {
    const network = { proxy: { url: proxyUrl, noProxy: [] }, lookup: resolving(addresses), isLocalByName: false };
    const { post, close } = openPost('https://idp.example/events', network, 1);
    closeAtEnd(async () => close());
    return post(new URL('https://idp.example/events'), {
      body: '{}',
      headers: {},
      signal: AbortSignal.timeout(60_000),
    });
  };
  expect((await sent(undefined)).status).toBe(200);
  expect(connects).toEqual([{ authority: 'idp.example:443', credentials: basic }]);
  await expect(sent(['10.0.0.1'])).rejects.toThrow('private network');
  expect(connects).toHaveLength(1);
});

it.each(['1.2.3.4', '[2001:4860::1]'])('a provider at %s has a certificate for the address', async (address) => {
  expect(await get(`https://${address}/jwks`)).toEqual([200, '{"keys":[]}']);
  expect(connects).toEqual([{ authority: `${address}:443`, credentials: basic }]);
});

it('a name server that does not answer is waited for no longer than the proxy', async () => {
  const network = { proxy: { url: proxyUrl, noProxy: [] }, lookup: (() => undefined) as never };
  const fetching = openProviderFetch('https://idp.example', network)('https://idp.example/jwks', {});
  expect((await fetching).status).toBe(200);
});

it('a tunnel in which nobody answers ends with the time limit', async () => {
  isSilent = true;
  const limit = new AbortController();
  const network = { proxy: { url: proxyUrl, noProxy: [] }, lookup: resolving(undefined) };
  const fetching = openProviderFetch('https://idp.example', network)('https://idp.example/jwks', {
    signal: limit.signal,
  });
  await until(() => isGreeted);
  limit.abort(new Error('too late'));
  await expect(fetching).rejects.toThrow('too late');
});

it('a percent sign in the password is one, even if nothing was encoded', async () => {
  proxyUrl.password = '5% off';
  proxyUrl = new URL(proxyUrl.href.replace('5%25', '5%'));
  await get('https://idp.example/jwks');
  expect(connects[0]!.credentials).toBe(`Basic ${Buffer.from('user:5% off').toString('base64')}`);
});

it.each([
  ['https://10.1.2.3/jwks', undefined],
  ['https://intranet/jwks', undefined],
  ['https://idp.example/jwks', ['10.1.2.3']],
  ['https://metadata.example/jwks', ['169.254.169.254']],
])('%s with the addresses %j is refused before the proxy is asked', async (address, addresses) => {
  const network = { proxy: { url: proxyUrl, noProxy: [] }, lookup: resolving(addresses) };
  // the operator wrote a public address, and its document leads here
  const fetching = openProviderFetch('https://idp.example', network)(address, {});
  await expect(fetching).rejects.toThrow('PRIVATE_PROVIDER_HOSTS');
  expect(connects).toEqual([]);
});

it.each([
  'idp.example',
  'example',
  '.example',
  '*',
  'idp.example:443',
])('NO_PROXY=%s reaches it directly', async (entry) => {
  // the lookup leads nowhere: the proxy gets no request
  await expect(get('https://idp.example/jwks', { noProxy: [entry] })).rejects.toThrow();
  expect(connects).toEqual([]);
});

it.each([
  ['::1', '[::1]'],
  ['::/64', '[::1]'],
  ['127.0.0.0/8', '127.0.0.1'],
])('NO_PROXY=%s reaches %s directly', async (entry, host) => {
  await expect(get(`https://${host}:9/jwks`, { noProxy: [entry] })).rejects.toThrow('ECONNREFUSED');
  expect(connects).toEqual([]);
});

it.each([
  '10.0.0.0/8',
  '::/0',
  '127.0.0.0/33',
  '127.0.0.0/',
  'one/8',
])('NO_PROXY=%s does not reach 127.0.0.1 directly', (entry) => {
  expect(usesProxy({ url: proxyUrl, noProxy: [entry] }, new URL('https://127.0.0.1/jwks'))).toBe(true);
});

it.each(['other.example', 'dp.example', 'idp.example:8443'])('NO_PROXY=%s does not', async (entry) => {
  expect(await get('https://idp.example/jwks', { noProxy: [entry] })).toEqual([200, '{"keys":[]}']);
});

it('a refusal of the proxy is an error without its credentials', async () => {
  proxyStatus = 407;
  await expect(get('https://idp.example/jwks')).rejects.toThrow(/^the proxy answers 407 \(HTTPS_PROXY\)$/);
  proxyUrl.port = '9';
  await expect(get('https://idp.example/jwks')).rejects.toThrow(
    /^the proxy cannot be reached: [A-Z]+ \(HTTPS_PROXY\)$/,
  );
});

it('a certificate for another name is refused through the tunnel too', async () => {
  await expect(get('https://other.example/jwks')).rejects.toThrow(/altnames|certificate/i);
});

it('the settings are read, and another kind of proxy is refused', () => {
  const { httpsProxy, noProxy } = loadConfig({
    HTTPS_PROXY: 'http://proxy.example:3128',
    NO_PROXY: 'a.example, .B.example',
  });
  expect([httpsProxy?.href, noProxy]).toEqual(['http://proxy.example:3128/', ['a.example', '.b.example']]);
  expect(() => loadConfig({ HTTPS_PROXY: 'socks5://proxy.example' })).toThrow('HTTPS_PROXY must be an address such as');
});
