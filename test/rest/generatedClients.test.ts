/**
 * Clients that generators make of /openapi.json compile, and use every operation. The generators need TypeScript 5, so they
 * are installed apart: `npm run test:clients` does that and runs this, which otherwise is skipped.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newClient, newHolder, newScope, newScopeType } from '../support/records.js';
import { newApplicationBody, newScopes, type RestApp, startRestApp } from './restApp.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../../', import.meta.url));
const place = join(project, 'test/generatedClients');
const isInstalled = existsSync(join(place, 'node_modules/.package-lock.json'));

type CallAll = (world: object) => Promise<[operationId: string, status: number, seen: unknown][]>;
const generators: Record<string, (url: string, source: string) => [program: string, ...words: string[]]> = {
  openapiTypescript: (url, source) => [
    'openapi-typescript',
    `${url}/openapi.json`,
    '-o',
    join(source, 'openapiTypescript.ts'),
  ],
  heyApi: (url, source) => ['openapi-ts', '-i', `${url}/openapi.json`, '-o', join(source, 'heyApi')],
  orval: (_url, source) => ['orval', '--config', join(source, 'orval.config.mjs')],
  swaggerTypescriptApi: (url, source) => [
    'swagger-typescript-api',
    'generate',
    ...['-p', `${url}/openapi.json`, '-o', source, '-n', 'swaggerTypescriptApi.ts'],
  ],
};

/** By identity providers alone, with a token that no client has. */
const calledByProviders = 'endProviderSession';

const orvalConfig = (url: string, source: string): string => {
  const output = { target: join(source, 'orval.ts'), client: 'fetch', baseUrl: url };
  return `export default ${JSON.stringify({ gatehouse: { input: `${url}/openapi.json`, output } })}`;
};

let app: RestApp;
async function generate(): Promise<void> {
  const generated = join(place, 'generated');
  const source = join(generated, 'source');
  await rm(generated, { recursive: true, force: true });
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'orval.config.mjs'), orvalConfig(app.url, source));
  for (const [program, ...words] of Object.values(generators).map((wordsFor) => wordsFor(app.url, source)))
    await run(process.execPath, [join(place, 'node_modules/.bin', program), ...words], { cwd: place });
  await run(join(project, 'node_modules/.bin/tsc'), ['-p', place], { cwd: place });
  await writeFile(join(generated, 'dist/package.json'), '{"type":"commonjs"}');
}

async function newWorld(): Promise<object> {
  const { clientId, clientSecret } = await newClient(app.context, undefined, { may_evaluate: true });
  const { userGuid, profileId } = await newHolder(app.context);
  const typeName = `site-${randomUUID()}`;
  const typeId = await newScopeType(app.context, typeName);
  for (const key of ['north', 'south']) await newScope(app.context, typeId, profileId, { access_scope_key: key });
  return {
    url: app.url,
    adminToken: app.token(['admin:write']),
    client: { client_id: clientId, client_secret: clientSecret },
    userGuid,
    profileId,
    scopes: [`${typeName}:north`, `${typeName}:south`],
    idToken: app.idToken({ sub: userGuid }),
    accessScopeGuids: await newScopes(app.sql, 3),
    application: newApplicationBody(),
  };
}

(isInstalled ? describe : describe.skip)('a client generated from the description', () => {
  beforeAll(async () => {
    app = await startRestApp();
    await generate();
  });

  it.each(Object.keys(generators))('a client that %s generates compiles, and uses every operation', async (name) => {
    const load = createRequire(import.meta.url);
    const { callAll } = load(join(place, 'generated/dist/callers', `${name}.js`)) as { callAll: CallAll };
    const answers = await callAll(await newWorld());
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const described = Object.values(paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(
      answers
        .map(([operationId]) => operationId)
        .filter((id) => !id.includes(','))
        .sort(),
    ).toEqual(described.filter((id) => id !== calledByProviders).sort());
    const expected = (operationId: string) => (operationId === 'verifyRequest' ? 204 : 200);
    expect(answers.filter(([operationId, status]) => status !== expected(operationId))).toEqual([]);
    expect(Object.fromEntries(answers.map(([operationId, , seen]) => [operationId, seen ?? undefined]))).toMatchObject({
      createApplication: 'Gate',
      listApplications: [1, expect.stringMatching(/^\d+$/)],
      getApplication: 'Gate',
      createAccessScopes: 3,
      updateAccessScopes: 'x',
      listAccessScopes: 3,
      issueToken: 'Bearer',
      'issueToken, form': 'Bearer',
      listProfiles: true,
      validateToken: true,
      introspectToken: true,
      verifyRequest: true,
      evaluateAccess: true,
      evaluateAccesses: [true, false],
      getDecisionPointMetadata: true,
      revokeToken: 'success',
      getMetadata: true,
      getConfiguration: true,
      getApiMetadata: true,
      getGraphqlMetadata: true,
      getVerifyMetadata: true,
      getKeys: true,
    });
  });
});
