/** The settings that the pages of docs/run name are started together; `npm run test:together` does so behind PgBouncer as well. */
import { readdirSync, readFileSync } from 'node:fs';
import { startTestApp } from '../support/app.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { freePort } from '../support/freePort.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { encryptionKey, startProcess } from './process.js';
import { ownSettings, settingsTogether } from './settingsTogether.js';

const read = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');

it('all that are named there are among them', () => {
  const settings = [...read('settings').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!);
  expect(settings.length).toBeGreaterThan(30);
  const pages = readdirSync(new URL('../../../docs/run', import.meta.url)).map((name) =>
    read(`run/${name.replace('.md', '')}`),
  );
  const words = new Set(pages.join('\n').match(/\b[A-Z][A-Z_]+\b/g));
  const named = settings.filter((name) => words.has(name));
  expect(named.filter((name) => !(name in settingsTogether) && !ownSettings.includes(name))).toEqual([]);
});

it.each(['no', 'yes'])('a service with all of them answers every face, with named statements: %s', async (named) => {
  const { url } = await createMigratedDatabase();
  // for its records and its identity provider
  const app = await startTestApp({ DATABASE_URL: url, KEY_ENCRYPTION_KEY: encryptionKey, ADMIN_AUTH: 'none' });
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const metricsPort = await freePort();
  const running = await startProcess({
    ...settingsTogether,
    DATABASE_URL: `${url.replace(/@([^/]+)\//, '@$1,$1/')}?target_session_attrs=read-write`,
    DATABASE_DIRECT_URL: url,
    DATABASE_REPLICA_URLS: url,
    DATABASE_NAMED_STATEMENTS: named,
    METRICS_PORT: String(metricsPort),
    ID_TOKEN_ISSUERS: JSON.stringify(app.context.config.idTokenIssuers),
    ADMIN_AUTH: 'none',
  });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(running.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json().catch(() => undefined)) as Record<string, string>;
  };
  const common = { profileId, client_id: clientId, client_secret: clientSecret };
  for (let round = 0; round < 6; round++) {
    const id_token = app.idToken({ sub: userGuid });
    const first = await post('/token', { ...common, ...exchangeBody(id_token) });
    const second = await post('/token', {
      ...common,
      ...renewalBody(first!.refresh_token),
    });
    expect(await post('/validate-token', { token: second!.access_token })).toMatchObject({ is_valid: true });
    const query = `mutation { createRole(input: {roleId: "role${round}", name: "r"}) { roleId } }`;
    expect(await post('/graphql', { query })).toEqual({ data: { createRole: { roleId: `role${round}` } } });
    expect(await post('/graphql', { query: `{ role(roleId: "role${round}") { name } }` })).toEqual({
      data: { role: { name: 'r' } },
    });
    const list = await fetch(`${running.url}/api/applications`, { headers: { 'api-version': '1.0' } });
    expect([list.status, await list.json()]).toEqual([200, []]);
  }
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200);
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
});
