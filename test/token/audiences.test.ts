/** AUDIENCES: which audiences tokens may have, and that nobody gives a client others. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { examine } from '../../src/cli/doctor.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import type { Context } from '../../src/context.js';
import { explainRefusal } from '../../src/modules/insight/refusalWords.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { createClient, updateClient } from '../../src/services/people/clients.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const audiences = ['https://billing.example/', 'IOT', "o'clock"];
const adminAudience = 'administration';

let app: TestApp;
let context: Context;
let holder: { userGuid: string; profileId: string };
beforeAll(async () => {
  app = await startTestApp({ AUDIENCES: audiences.join(), ADMIN_AUDIENCE: adminAudience });
  context = app.context;
  holder = await newHolder(context);
});
afterAll(() => app?.close());

interface Client {
  clientId: string;
  clientSecret: string;
}
const limited = (allowed_audiences: string | null) => newClient(context, undefined, { allowed_audiences });
const allow = ({ clientId }: Client, allowed: string | null) =>
  context.sql.rows('update clients set allowed_audiences = $2 where client_id = $1', [clientId, allowed]);
const as = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });
const exchangeOf = (client: Client) => ({
  ...exchangeBody(app.idToken({ sub: holder.userGuid })),
  profileId: holder.profileId,
  ...as(client),
});
const sendForm = async (fields: Record<string, string>, path = '/token', at = app): Promise<Answer> =>
  readAnswer(await fetch(at.url + path, { method: 'POST', body: new URLSearchParams(fields) }));
const exchangeForm = (client: Client, more: Record<string, string> = {}) =>
  sendForm({ ...exchangeOf(client), ...more });
const renewForm = (token: string, client: Client, more: Record<string, string> = {}) =>
  sendForm({ ...renewalBody(token), ...as(client), ...more });
const renew = (token: string, client: Client, at = app) =>
  at.post('/token', { ...renewalBody(token), profileId: holder.profileId, ...as(client) });
const audOf = ({ json }: Answer) => decodeJwt(json.access_token).aud;
const reasons = () =>
  app
    .logged()
    .split('\n')
    .filter((line) => line.includes('token refused'))
    .map((line) => JSON.parse(line) as { reason: string; detail: string })
    .map(({ reason, detail }) => [reason, detail] as const);
const lastExplained = () => explainRefusal(...reasons().at(-1)!);

it('an exchange, its renewals and its introspection have all of them, in their order', async () => {
  const client = await limited(null);
  const exchanged = await app.post('/token', exchangeOf(client));
  const renewed = await renew(exchanged.json.refresh_token, client);
  expect([audOf(exchanged), audOf(renewed), audOf(await exchangeForm(client))]).toEqual([
    audiences,
    audiences,
    audiences,
  ]);
  const { access_token: token } = renewed.json;
  expect((await app.post('/validate-token', { token })).json).toMatchObject({ claims: { aud: audiences } });
  const introspected = await sendForm({ token, ...as(client) }, '/introspect');
  expect(introspected.json).toMatchObject({ active: true, aud: audiences });
});

it('a request narrows to one of them, and to none that another deployment has', async () => {
  const client = await limited(null);
  const narrow = await exchangeForm(client, { audience: audiences[2]! });
  expect(audOf(narrow)).toEqual([audiences[2]]);
  expect(audOf(await renewForm(narrow.json.refresh_token, client, { audience: audiences[2]! }))).toEqual([
    audiences[2],
  ]);
  expect((await exchangeForm(client, { audience: 'GRID' })).json.error).toBe('invalid_target');
});

it('OpenAPI shows them', async () => {
  const text = await (await fetch(`${app.url}/openapi.json`)).text();
  expect(text).toContain(`"aud":${JSON.stringify(audiences)}`);
  expect(text).not.toContain('GRID');
});

describe('a client is given no others', () => {
  const made = (allowedAudiences: string | null) => {
    const clientId = `client-${randomUUID()}`;
    const record = { clientId, name: 'Client', allowedAudiences };
    return {
      create: () => createClient(context, record),
      update: async () => {
        const { clientId: id } = await newClient(context);
        return updateClient(context, id, { allowedAudiences });
      },
      import: () => importFile(context, { clients: [{ ...record, clientSecret: 'a secret of some length' }] }),
    };
  };
  const problemOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ more }) => Object.entries(more.problems as Record<string, string[]>)[0],
    );

  it.each(['create', 'update', 'import'] as const)('by %s', async (door) => {
    for (const text of ['GRID', 'IOT GRID', 'IOT,GRID', 'iot', 'IOT  IOT', ' IOT', 'IOT IOT', ''])
      expect([text, await problemOf(made(text)[door]())]).toEqual([
        text,
        [expect.stringMatching(/(^|\.)allowedAudiences$/), [expect.stringContaining(audiences.join(', '))]],
      ]);
    for (const text of ['IOT', `IOT ${audiences[0]}`, adminAudience, null])
      expect([text, await problemOf(made(text)[door]())]).toEqual([text, undefined]);
  });

  it('an old one stays while an import or an update changes something else, and doctor names it', async () => {
    const { clientId } = await limited('IOT GRID');
    await updateClient(context, clientId, { name: 'Another' });
    await importFile(context, { clients: [{ clientId, name: 'Third', allowedAudiences: 'IOT GRID' }] });
    const findings = await examine(
      {
        DATABASE_URL: app.database.url,
        KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        AUDIENCES: audiences.join(),
        ADMIN_AUDIENCE: adminAudience,
      },
      async () => undefined,
    );
    const found = findings.filter(({ what }) => what === 'client audiences');
    expect(found).toEqual([{ ok: false, what: 'client audiences', text: expect.stringContaining(`"${clientId}"`) }]);
    await allow({ clientId, clientSecret: '' }, null);
  });
});

describe('a refusal says the true cause, to the client and to the administrator', () => {
  it('the refusal of a client whose allowed audiences do not exist says so', async () => {
    const client = await limited('GRID');
    const { status, text } = await app.post('/token', exchangeOf(client));
    expect([status, text]).toEqual([400, 'Invalid profile']);
    expect(lastExplained()).toMatchObject({ check: 'AUDIENCE', advice: expect.stringContaining('AUDIENCES') });
    expect((await exchangeForm(client)).json).toEqual({
      error: 'invalid_target',
      error_description: 'no token can have one of the audiences that the client may have',
    });
    expect(lastExplained().text).toContain('client');
  });

  it('the refusal of a client that may have only the administration’s audience, and requests none, says so', async () => {
    const client = await limited(adminAudience);
    expect((await exchangeForm(client)).json.error_description).toContain('of the administration only');
    expect(lastExplained().advice).toContain('audience in a form');
    expect(audOf(await exchangeForm(client, { audience: adminAudience }))).toEqual([adminAudience]);
  });

  it('the refusal of a session whose audiences the client may not have any more says so, and nothing is used up', async () => {
    const client = await limited(null);
    const { refresh_token } = (await exchangeForm(client, { audience: 'IOT' })).json;
    await allow(client, audiences[0]!);
    expect((await renewForm(refresh_token, client)).json.error_description).toContain('that the session was made for');
    expect((await renew(refresh_token, client)).status).toBe(401);
    expect([lastExplained().check, lastExplained().text]).toEqual([
      'RENEWAL_TOKEN',
      expect.stringContaining('no longer allowed any audience'),
    ]);
    await allow(client, null);
    expect(audOf(await renewForm(refresh_token, client))).toEqual(['IOT']);
  });
});

it('a change of AUDIENCES reaches renewals, leaves tokens that share one valid, and uses nothing up', async () => {
  const client = await limited(null);
  const whole = (await exchangeForm(client)).json;
  const narrow = (await exchangeForm(client, { audience: audiences[2]! })).json;
  const { config, issuerUrl } = app.running.dependencies;
  const changed = await startTestApp({
    AUDIENCES: 'NEW,IOT',
    DATABASE_URL: app.database.url,
    ISSUER_URL: issuerUrl,
    ID_TOKEN_ISSUERS: JSON.stringify(config.idTokenIssuers),
  });
  const statusOf = async (token: string) => (await changed.post('/validate-token', { token })).status;
  expect([await statusOf(whole.access_token), await statusOf(narrow.access_token)]).toEqual([200, 400]);
  expect(audOf(await renew(whole.refresh_token, client, changed))).toEqual(['NEW', 'IOT']);
  const refused = await sendForm({ ...renewalBody(narrow.refresh_token), ...as(client) }, '/token', changed);
  expect(refused.json).toEqual({
    error: 'invalid_target',
    error_description: 'no token can have one of the audiences that the session was made for',
  });
  expect((await renew(narrow.refresh_token, client, changed)).status).toBe(401);
  expect(audOf(await renewForm(narrow.refresh_token, client))).toEqual([audiences[2]]);
});

it.each(['', 'GRID,IOT'])('unset or as documented they are GRID and IOT (%j)', (value) => {
  expect(loadConfig({ AUDIENCES: value }).audiences).toEqual(['GRID', 'IOT']);
});

it.each([
  ['a comma', ','],
  ['a comma at the end', 'GRID,'],
  ['two commas', 'GRID,,IOT'],
  ['white space', 'GRID, IOT'],
  ['a space between', 'GRID IOT'],
  ['a name twice', 'GRID,GRID'],
  ['a control character', 'GR\u0007ID'],
  ['a letter beyond ASCII', 'GRÜN'],
  ['a name of 201 characters', 'x'.repeat(201)],
  ['more than 1,000 characters', Array.from({ length: 300 }, (_, index) => `a${index}`).join()],
])('AUDIENCES is refused at the start: %s', (_what, value) => {
  expect(() => loadConfig({ AUDIENCES: value })).toThrow('AUDIENCES must be names');
});

it('ADMIN_AUDIENCE is none of them', () => {
  expect(() => loadConfig({ AUDIENCES: 'A,B', ADMIN_AUDIENCE: 'B' })).toThrow(
    'ADMIN_AUDIENCE must be none of AUDIENCES',
  );
  expect(loadConfig({ AUDIENCES: 'A,B', ADMIN_AUDIENCE: 'GRID' }).adminAudience).toBe('GRID');
});
