/** docs/clients-and-apis.md and the pages of docs/clients: each program runs as it stands there, and prints what stands below it. */

import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { issueAdminToken } from '../../src/services/tokens/caller.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder, newScope, newScopeType } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = ['clients-and-apis.md', ...readdirSync(join(root, 'docs/clients')).map((page) => `clients/${page}`)];
const text = pages.map((page) => readFileSync(join(root, 'docs', page), 'utf8')).join('\n');
const programs = [
  ...text.matchAll(/^## ([^\n]+)\n\n(?:(?!## |```)[^\n]*\n)*?```js\n(.*?)^```\n\n```text\n(.*?)^```/gms),
].map(([, title, program, printed]) => ({ title: title!, program: program!, printed: printed! }));

let app: TestApp;
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  // the typ that the program with validateJwtAccessToken requires, and all others accept
  app = await startTestApp({ ACCESS_TOKEN_TYP: 'at+jwt' });
  // below the project, so that its libraries are found
  folder = mkdtempSync(join(root, 'dist/examples-'));
  const { clientId, clientSecret } = await newClient(app.context);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] });
  const withKey = await newClient(app.context, undefined, { jwks });
  const { userGuid, profileId } = await newHolder(app.context);
  const siteType = await newScopeType(app.context, 'site');
  await newScope(app.context, siteType, profileId, { access_scope_key: 'north' });
  const idToken = () => app.idToken({ sub: userGuid });
  const common = { profileId, client_id: clientId, client_secret: clientSecret };
  const { json } = await app.post('/token', {
    ...exchangeBody(idToken()),
    ...common,
  });
  const anywhere = await newHolder(app.context);
  await newScope(app.context, siteType, anywhere.profileId, { is_wildcard: true });
  const ofAnywhere = await app.post('/token', {
    ...exchangeBody(app.idToken({ sub: anywhere.userGuid })),
    ...common,
    profileId: anywhere.profileId,
  });
  environment = {
    WILDCARD_TOKEN: ofAnywhere.json.access_token,
    GATEHOUSE: app.url,
    ISSUER: app.running.dependencies.issuerUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    KEY_CLIENT_ID: withKey.clientId,
    CLIENT_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: '1' }),
    PROFILE_ID: profileId,
    ID_TOKEN: idToken(),
    ACCESS_TOKEN: json.access_token,
    ADMIN_TOKEN: await issueAdminToken(app.context, {
      scopes: ['admin:read', 'admin:write'],
      minutes: 5,
      userGuid: app.context.config.systemUserGuid,
    }),
  };
  const [, typePolicies] = /^```js\n(\/\/ typePolicies\.mjs.*?)^```/ms.exec(
    readFileSync(join(root, 'docs/graphql.md'), 'utf8'),
  )!;
  writeFileSync(join(folder, 'typePolicies.mjs'), typePolicies!);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app?.close();
});

it('every program has an output below it', () => {
  expect(programs.length).toBe(text.split('```js\n').length - 1);
  expect(programs.length).toBeGreaterThan(15);
});

it.each(programs)('$title', async ({ title, program, printed }) => {
  const file = join(folder, `${title.replaceAll(/\W+/g, '-')}.mjs`);
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment },
  });
  expect(stdout).toBe(printed);
});
