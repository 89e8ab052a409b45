/** What strangers can do with the way back from the identity provider: nothing asks the provider but a sign-in that began here. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkOf } from '../../../src/config/parsers.js';
import type { Cookie } from '../../../src/modules/console/session.js';
import { type Flow, findFlow, keepFlow } from '../../../src/modules/console/session.js';
import { startApp } from '../../../src/startApp.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { until } from '../../support/until.js';
import { type Browser, openBrowser } from './browser.js';
import { builtConsole } from './consoleApp.js';

const cookieName = '__Host-gatehouse-flow';

/** An identity provider whose token endpoint refuses, or leaves who asks without an answer. */
async function startProvider(isSilent = false) {
  const waiting: ServerResponse[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration')
      return void json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      });
    if (request.url !== '/token') return void json(200, { keys: [] });
    asked.push(request.url);
    if (isSilent) waiting.push(response);
    else json(400, { error: 'invalid_grant' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const end = () => {
    for (const response of waiting.splice(0)) response.writeHead(400).end();
  };
  return { issuer, asked, end };
}

async function start(provider: { issuer: string }, settings: Record<string, string> = {}): Promise<TestApp> {
  const { issuer } = provider;
  const entry = { issuer, audience: 'portal', idpname: 'one', subject: 'idpid', console: { clientId: 'console' } };
  return startTestApp({ ID_TOKEN_ISSUERS: JSON.stringify([entry]), ...settings }, { consoleFolder: builtConsole() });
}

/** Begins a sign-in; gives the address with which the provider would send the browser back. */
async function begin(browser: Browser, url: string): Promise<string> {
  const leave = new URL((await browser.go(`${url}/console/sign-in`)).headers.get('location')!);
  return `${url}/console/callback?code=made-up&state=${leave.searchParams.get('state')}`;
}

it('a cookie of one’s own making does not have the provider asked', async () => {
  const provider = await startProvider();
  const { url } = await start(provider);
  const browser = openBrowser(url);
  const back = await begin(browser, url);
  const [text, mac] = browser.cookies.get(cookieName)!.split('.') as [string, string];
  const flow = JSON.parse(Buffer.from(text, 'base64url').toString());
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const longer = encoded({ ...flow, endsAt: flow.endsAt + 600 });
  const made = [
    text,
    `${text}.`,
    `${text}.${mac.slice(0, -4)}AAAA`,
    `${longer}.${mac}`,
    `${encoded({ ...flow, issuer: provider.issuer, verifier: 'v' })}.${mac}`,
    `${longer}.${createHmac('sha256', Buffer.alloc(32, 7)).update(longer).digest('base64url')}`,
    `${text}.${createHmac('sha256', '').update(text).digest('base64url')}`,
  ];
  for (const cookie of made) {
    browser.cookies.set(cookieName, cookie);
    expect([cookie, (await browser.go(back)).status]).toEqual([cookie, 400]);
  }
  expect(provider.asked).toEqual([]);
  browser.cookies.set(cookieName, `${text}.${mac}`);
  expect((await browser.go(back)).status).toBe(400);
  expect(provider.asked).toHaveLength(1);
});

it('a sign-in that began in one process ends in another, and has the provider asked once in all of them', async () => {
  const provider = await startProvider();
  const app = await start(provider);
  const config = { ...app.context.config, port: 0 };
  const second = await startApp({
    config,
    notice: () => undefined,
    log: app.context.log,
    consoleFolder: builtConsole(),
  });
  closeAtEnd(() => second.close());
  const browser = openBrowser(app.url);
  const back = new URL(await begin(browser, app.url));
  const cookie = `${cookieName}=${browser.cookies.get(cookieName)}`;
  const ask = async (url: string, search = back.search) => {
    const response = await fetch(`${url}/console/callback${search}`, { headers: { cookie } });
    await response.text();
    return response.status;
  };
  // another site's callback with a state of its own uses nothing up
  expect(await ask(second.url, '?code=x&state=another')).toBe(400);
  const urls = [second.url, app.url, second.url, app.url, second.url, app.url];
  expect(await Promise.all(urls.map((url) => ask(url)))).toEqual(urls.map(() => 400));
  expect(provider.asked).toHaveLength(1);
  expect(app.logged().match(/this sign-in was finished before/g)).toHaveLength(urls.length - 1);
});

it('one network holds half of the places while the provider does not answer; who comes from elsewhere is served', async () => {
  const provider = await startProvider(true);
  const { url } = await start(provider, { TRUST_PROXY: '127.0.0.1' });
  const comeBack = async (address: string): Promise<number> => {
    const browser = openBrowser(url);
    return (await browser.go(await begin(browser, url), { 'x-forwarded-for': address })).status;
  };
  const untilAsked = (count: number) => until(() => provider.asked.length >= count);
  const strangers = Array.from({ length: 25 }, (_, index) => comeBack(`2001:db8:0:1::${index}`));
  await untilAsked(25);
  expect(await comeBack('2001:db8:0:1:7:7:7:7')).toBe(503);
  expect(provider.asked).toHaveLength(25);
  const administrator = comeBack('192.0.2.7');
  await untilAsked(26);
  provider.end();
  expect(await Promise.all([...strangers, administrator])).not.toContain(503);
  // the places are free again
  const next = comeBack('2001:db8:0:1::9');
  await untilAsked(27);
  provider.end();
  expect(await next).toBe(400);
});

it('a sign-in is over after ten minutes, and another KEY_ENCRYPTION_KEY opens it only beside the first', () => {
  let now = 1_800_000_000_000;
  const clock = { now: () => new Date(now), aheadMs: () => 0 };
  let value: string | undefined;
  const write: Cookie['write'] = (_response, written) => {
    value = written;
  };
  const cookie: Cookie = { read: () => value, write, clear: () => undefined };
  const flow: Flow = { issuer: 'i', to: '/', isAgain: false, state: 's', nonce: 'n', verifier: 'v' };
  const [old, own] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  keepFlow({ encryptionKeys: [old], clock }, cookie, {} as never, flow);
  const find = (...encryptionKeys: Buffer[]) => findFlow({ encryptionKeys, clock }, cookie, {} as never);
  expect(find(own)).toBeUndefined();
  expect(find(own, old)).toMatchObject(flow);
  now += 599_000;
  expect(find(old)).toMatchObject(flow);
  now += 1_000;
  expect(find(old)).toBeUndefined();
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  [null, 'unknown'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:DB8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));
