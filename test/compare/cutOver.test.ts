/** compare cut-over: each client's sessions begin at its service and go on where they began, at both of two real services. */
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type ClientRules, readClientRules, sideOfNewSession, watchClientRules } from '../../compare/clientRules.js';
import { type CutOver, startCutOver } from '../../compare/cutOver.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { proofFor } from '../support/dpopProofs.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { exchangeBody } from '../support/tokens.js';
import { until } from '../support/until.js';
import { type ComparedServices, clientSecret, serviceAt, startComparedServices } from './comparedServices.js';

let services: ComparedServices;
let rules: ClientRules;
let proxy: CutOver;
beforeAll(async () => {
  services = await startComparedServices();
  proxy = await start();
});
afterAll(() => services?.close());
beforeEach(() => {
  rules = readClientRules('');
});

async function start(): Promise<CutOver> {
  const started = await startCutOver({
    listen: { host: '127.0.0.1', port: 0 },
    services: { old: serviceAt(services.old.url), new: serviceAt(services.new.url) },
    rules: () => rules,
    timeoutMs: 20_000,
  });
  closeAtEnd(() => started.close());
  return started;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const post = (path: string, body: object, url = proxy.url, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function tokensOf(answer: Response): Promise<Tokens> {
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.stringContaining('access_token')]);
  return (await answer.json()) as Tokens;
}

const signIn = async (client: string, url = proxy.url): Promise<Tokens> =>
  tokensOf(
    await post(
      '/token',
      {
        ...exchangeBody(services.idToken()),
        profileId: 'canary-profile',
        client_id: client,
        client_secret: clientSecret,
      },
      url,
    ),
  );

const renewal = (client: string, { refresh_token }: Tokens, url = proxy.url): Promise<Response> =>
  post(
    '/token',
    {
      grant_type: 'refresh_token',
      refresh_token,
      profileId: 'canary-profile',
      client_id: client,
      client_secret: clientSecret,
    },
    url,
  );

const kidOf = ({ access_token }: Tokens): string =>
  JSON.parse(Buffer.from(access_token.split('.')[0]!, 'base64url').toString()).kid;

async function kidsOf(url: string): Promise<string[]> {
  const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

const isOf = async (tokens: Tokens, app: { url: string }): Promise<boolean> =>
  (await kidsOf(app.url)).includes(kidOf(tokens));

it('clients of the file sign in at the new service, all others at the old one', async () => {
  rules = readClientRules('portal\n');
  expect(await isOf(await signIn('portal'), services.new)).toBe(true);
  expect(await isOf(await signIn('kiosk'), services.old)).toBe(true);
});

it('sessions go on where they began when their client moves, and when it comes back', async () => {
  const atOld = await signIn('portal');
  rules = readClientRules('portal');
  const still = await tokensOf(await renewal('portal', atOld));
  expect(await isOf(still, services.old)).toBe(true);
  const atNew = await signIn('portal');
  expect(await isOf(atNew, services.new)).toBe(true);
  rules = readClientRules('');
  const after = await tokensOf(await renewal('portal', atNew));
  expect(await isOf(after, services.new)).toBe(true);
  expect(await isOf(await tokensOf(await renewal('portal', still)), services.old)).toBe(true);
  expect(await isOf(await signIn('portal'), services.old)).toBe(true);
});

it('a proxy that was started again finds where a session began, both ways', async () => {
  const [atOld, atNew] = [await signIn('portal', services.old.url), await signIn('portal', services.new.url)];
  rules = readClientRules('portal');
  const another = await start();
  expect(await isOf(await tokensOf(await renewal('portal', atOld, another.url)), services.old)).toBe(true);
  rules = readClientRules('');
  expect(await isOf(await tokensOf(await renewal('portal', atNew, another.url)), services.new)).toBe(true);
  expect(another.counts()).toEqual([{ client: 'portal', old: 1, new: 1, elsewhere: 2 }]);
});

it('a renewal where its session began, not at its client’s service, is counted as such, without a start between', async () => {
  const another = await start();
  const atOld = await signIn('portal', another.url);
  rules = readClientRules('portal');
  const still = await tokensOf(await renewal('portal', atOld, another.url));
  await tokensOf(await renewal('portal', await signIn('portal', another.url), another.url));
  expect((await renewal('portal', atOld, another.url)).status).toBe(401);
  expect(await isOf(await tokensOf(await renewal('portal', still, another.url)), services.old)).toBe(true);
  expect(another.counts()).toEqual([{ client: 'portal', old: 4, new: 2, elsewhere: 2 }]);
});

it('a renewal is granted once, also when it is sent many times at one moment', async () => {
  const tokens = await signIn('portal');
  rules = readClientRules('portal');
  const another = await start();
  const answers = await Promise.all(Array.from({ length: 8 }, () => renewal('portal', tokens, another.url)));
  const granted = answers.filter(({ status }) => status === 200);
  expect(granted).toHaveLength(1);
});

it.each([
  'portal',
  '',
])('an imported session goes on at one service only: its token ends at the other one (%s)', async (moved) => {
  const tokens = await signIn('portal', services.old.url);
  const { userGuid } = services.records;
  const [createdAt, expiresAt] = [0, 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString());
  await importFile(services.new.context, {
    tokens: [{ userGuid, profileId: 'canary-profile', token: tokens.refresh_token, createdAt, expiresAt }],
  });
  rules = readClientRules(moved);
  const another = await start();
  const answers = await Promise.all(Array.from({ length: 8 }, () => renewal('portal', tokens, another.url)));
  const granted = answers.filter(({ status }) => status === 200);
  expect(granted).toHaveLength(1);
  expect(await isOf(await tokensOf(granted[0]!), moved ? services.new : services.old)).toBe(true);
  for (const { url } of [services.old, services.new]) expect((await renewal('portal', tokens, url)).status).toBe(401);
});

/** Takes every token once, as a service that imported it; grants arrive late, refusals at once. */
async function startSlowGranter(): Promise<string> {
  const used = new Set<string>();
  const server = createServer(async (incoming, outgoing) => {
    const { token, refresh_token } = (await json(incoming)) as Record<string, string>;
    const isGranted = !used.has(token ?? refresh_token!);
    used.add(token ?? refresh_token!);
    for (let turn = 0; isGranted && turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    outgoing.writeHead(isGranted ? 200 : 401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a token that both services would take is granted once, also when the first grant is slower than the refusals', async () => {
  const [old, other] = [await startSlowGranter(), await startSlowGranter()];
  const slow = await startCutOver({
    listen: { host: '127.0.0.1', port: 0 },
    services: { old: serviceAt(old), new: serviceAt(other) },
    rules: () => rules,
    timeoutMs: 20_000,
  });
  closeAtEnd(() => slow.close());
  const tokens = { access_token: '', refresh_token: 'imported' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => renewal('portal', tokens, slow.url)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
});

it('a token is judged, and opens the API, at the service that issued it; the keys are those of both', async () => {
  const atOld = await signIn('kiosk');
  rules = readClientRules('* 100%');
  const atNew = await signIn('kiosk');
  expect((await kidsOf(proxy.url)).sort()).toEqual(
    [...(await kidsOf(services.old.url)), ...(await kidsOf(services.new.url))].sort(),
  );
  for (const tokens of [atOld, atNew]) {
    expect(await (await post('/validate-token', { token: tokens.access_token })).json()).toMatchObject({
      is_valid: true,
    });
    const headers = { authorization: `Bearer ${tokens.access_token}`, 'api-version': '1.0' };
    expect((await fetch(`${proxy.url}/api/applications?$top=1`, { headers })).status).toBe(200);
  }
});

it('a token that is bound to a key opens the API at the service that issued it', async () => {
  rules = readClientRules('portal');
  const body = { ...exchangeBody(services.idToken()), profileId: 'canary-profile', client_id: 'portal' };
  const dpop = await proofFor('https://auth.example.org/token', 'POST');
  const answer = await post('/token', { ...body, client_secret: clientSecret }, proxy.url, { dpop });
  const { access_token: accessToken } = await tokensOf(answer);
  const headers = {
    authorization: `DPoP ${accessToken}`,
    dpop: await proofFor('https://auth.example.org/api/applications', 'GET', { accessToken }),
    'api-version': '1.0',
  };
  expect((await fetch(`${proxy.url}/api/applications?$top=1`, { headers })).status).toBe(200);
});

it('a sign-out ends the session, wherever it began', async () => {
  const atOld = await signIn('portal');
  rules = readClientRules('portal');
  const another = await start();
  const atNew = await signIn('portal', another.url);
  for (const tokens of [atOld, atNew]) {
    const { status } = await post('/revoke', { token: tokens.refresh_token }, another.url);
    expect(status).toBe(200);
    expect((await renewal('portal', tokens, another.url)).status).not.toBe(200);
  }
});

it('a refusal is the answer of the client’s own service, and a service that is away is 502', async () => {
  rules = readClientRules('portal');
  const refused = await renewal('portal', { access_token: '', refresh_token: 'never-issued' });
  const own = await renewal('portal', { access_token: '', refresh_token: 'never-issued' }, services.new.url);
  expect([refused.status, await refused.text()]).toEqual([own.status, await own.text()]);
  const alone = await startCutOver({
    listen: { host: '127.0.0.1', port: 0 },
    services: { old: serviceAt(services.old.url), new: serviceAt('http://127.0.0.1:9') },
    rules: () => rules,
    timeoutMs: 20_000,
  });
  closeAtEnd(() => alone.close());
  expect((await renewal('portal', await signIn('kiosk'), alone.url)).status).toBe(502);
  expect(await isOf(await signIn('kiosk', alone.url), services.old)).toBe(true);
});

it('a token request longer than 256 KiB is 413', async () => {
  expect((await post('/token', { client_id: 'portal', padding: 'x'.repeat(300_000) })).status).toBe(413);
});

it('a share holds as many persons as it says, and a greater share takes nobody back', () => {
  const persons = Array.from({ length: 2_000 }, (_, index) => `person ${index}`);
  const inShare = (text: string) =>
    persons.filter((person) => sideOfNewSession(readClientRules(text), 'portal', person) === 'new');
  const [tenth, half] = [inShare('portal 10%'), inShare('* 50%')];
  expect(tenth.length).toBeGreaterThan(120);
  expect(tenth.length).toBeLessThan(280);
  expect(half).toEqual(expect.arrayContaining(tenth));
  expect(inShare('* 50%\nportal 0%')).toEqual([]);
  expect(inShare('portal')).toHaveLength(2_000);
});

it('a file of clients is read again when it changes, and a mistake in it changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'moved.txt');
  expect(() => watchClientRules(file, () => undefined)).toThrow('cannot be read');
  writeFileSync(file, '# first\nportal 25% # then more\n');
  const changes: unknown[] = [];
  const watched = watchClientRules(file, (change) => changes.push(change));
  closeAtEnd(async () => watched.close());
  expect(watched.current()).toEqual({ clients: new Map([['portal', 25]]), others: 0 });
  writeFileSync(`${file}.next`, 'portal\nkiosk 25%\n* 5%\n');
  renameSync(`${file}.next`, file);
  await until(() => changes.length === 1);
  expect(watched.current()).toEqual({
    clients: new Map([
      ['portal', 100],
      ['kiosk', 25],
    ]),
    others: 5,
  });
  for (const text of ['portal 200%', 'portal and kiosk', 'portal\nportal']) {
    changes.length = 0;
    writeFileSync(file, text);
    await until(() => changes.length === 1);
    expect(changes[0]).toBeInstanceOf(Error);
    expect(watched.current().others).toBe(5);
  }
});
