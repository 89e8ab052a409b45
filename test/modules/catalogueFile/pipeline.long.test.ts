/** Pipelines plan and apply the catalogue with the ID token of their platform: the files of docs/samples/pipelines, as they stand there. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { makeKey, makeToken } from '../../auth/localProvider.js';
import { type Answer, nowSeconds, startTestApp, type TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const sample = (name: string): string => readFileSync(join(root, 'docs/samples/pipelines', name), 'utf8');

const github = 'https://token.actions.githubusercontent.com';
const gitlab = 'https://gitlab.com';
const cluster = 'https://kubernetes.default.svc.cluster.local';
const main = 'repo:acme/catalogue:ref:refs/heads/main';
const key = makeKey('platform', 'RS256');

/** The claims that the platforms document, with those that every ID token has. */
const tokenOf = (iss: string, sub: string, more: object = {}): string =>
  makeToken(key, {
    iss,
    sub,
    aud: iss === cluster ? ['gatehouse'] : 'gatehouse',
    iat: nowSeconds(),
    nbf: nowSeconds(),
    exp: nowSeconds() + 600,
    jti: 'a2f6c5c1',
    ...more,
  });
const githubToken = (sub = main, more: object = {}) =>
  tokenOf(github, sub, { repository: 'acme/catalogue', ref: 'refs/heads/main', workflow: 'catalogue', ...more });

let app: TestApp;
let folder: string;
beforeAll(async () => {
  const entry = { audience: 'gatehouse', subject: 'idpid', algorithms: ['RS256'], jwks: { keys: [key.jwk] } };
  app = await startTestApp({
    ID_TOKEN_ISSUERS: JSON.stringify([
      { ...entry, issuer: github, idpname: 'github', pipelines: true },
      { ...entry, issuer: gitlab, idpname: 'gitlab', pipelines: true },
      { ...entry, issuer: cluster, idpname: 'cluster', pipelines: true },
      { ...entry, issuer: 'https://people.example', idpname: 'github' },
    ]),
  });
  const users = JSON.parse(sample('pipelines.json'));
  const further = [
    { idpname: 'gitlab', idpid: 'project_path:acme/catalogue:ref_type:branch:ref:main', profileId: 'catalogue' },
    { idpname: 'cluster', idpid: 'system:serviceaccount:gatehouse:catalogue', profileId: 'catalogue-review' },
  ];
  for (const [index, { idpname, idpid, profileId }] of further.entries()) {
    const userGuid = `7a0c5a10-0000-4000-8000-00000000001${index}`;
    users.users.push({ userGuid, firstName: idpname, lastName: 'x', email: `${idpname}@example.com`, idpname, idpid });
    users.userProfiles.push({ userGuid, profileId, roleId: 'pipeline' });
  }
  await importFile(app.context, users);
});
afterAll(() => app?.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-pipeline-'));
});
afterEach(async () => {
  await app.context.sql.rows("delete from applications where managed_by = 'maps'");
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}
/** The only variables are those of the pipeline: no database, no key. */
const run = (program: string, words: string[], variables: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}`, ...variables };
    execFile(program, words, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
/** The image has the command in /app/bin, which is not on its PATH. */
const inImage = (script: string): string => script.replaceAll('/app/bin', join(root, 'bin'));
const gatehouse = (words: string, token = githubToken()) =>
  run(join(root, 'bin/gatehouse'), [...words.split(' '), '--url', app.url], { TOKEN: token });

const guid = '44444444-0000-4000-8000-000000000001';
const application = {
  name: 'Maps',
  iconDefault: 'a',
  iconHover: 'b',
  appType: 'web',
  renderingMode: 'tab',
  linkType: 'x',
};
const file = { managedBy: 'maps', applications: [{ applicationGuid: guid, ...application }] };
const writeFile = (content: object = file) => writeFileSync(join(folder, 'catalogue.yaml'), JSON.stringify(content));
const names = () => app.context.sql.rows("select name, created_by from applications where managed_by = 'maps'");
const graph = (query: string, token: string, profile = 'catalogue', variables: object = {}): Promise<Answer> =>
  app.post('/graphql', { query, variables }, { authorization: `Bearer ${token}`, 'gatehouse-profile': profile });

it('the file for GitHub Actions plans in a pull request and applies on main, as the users of the workloads', async () => {
  const [job] = Object.values(parse(sample('github.yaml')).jobs) as { steps: { run?: string }[] }[];
  const script = job!.steps.find((step) => step.run)!.run!;
  const server = createServer((request, response) => {
    const isMain = request.headers.authorization === 'Bearer of-main';
    const audience = new URL(request.url!, 'http://x').searchParams.get('audience');
    const value = githubToken(isMain ? main : 'repo:acme/catalogue:pull_request', { aud: audience });
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ value }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAtEnd(async () => void server.close());
  const job_ = (event: string, secret: string) =>
    run('sh', ['-e', '-c', inImage(script)], {
      PATH: process.env.PATH!,
      GATEHOUSE_URL: app.url,
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: 'c0ffee',
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
    });
  writeFile();
  expect(await job_('pull_request', 'of-a-pull-request')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(
    `\`\`\`diff\n+ applications ${guid} "Maps"\n\`\`\``,
  );
  expect(await names()).toEqual([]);
  expect(await job_('push', 'of-main')).toMatchObject({ code: 0, stdout: expect.stringContaining('Created 1,') });
  expect(await names()).toEqual([{ name: 'Maps', created_by: '7a0c5a10-0000-4000-8000-000000000002' }]);
  const sets = await app.context.sql.rows(
    'select note, managed_by, face from change_sets order by change_set_id desc limit 1',
  );
  expect(sets).toEqual([{ note: 'c0ffee', managed_by: 'maps', face: 'graphql' }]);
});

it('the file for GitLab applies; that for Kubernetes reports drift from a token in a file', async () => {
  writeFile();
  const script = (parse(sample('gitlab.yaml')).catalogue.script as string[]).join('\n');
  const sub = 'project_path:acme/catalogue:ref_type:branch:ref:main';
  const token = tokenOf(gitlab, sub, { namespace_path: 'acme', project_path: 'acme/catalogue', ref_protected: 'true' });
  const variables = { PATH: process.env.PATH!, GATEHOUSE_URL: app.url, GATEHOUSE_TOKEN: token, CI_COMMIT_SHA: 'beef' };
  // as GitLab's runner starts a shell that has pipefail
  expect(await run('bash', ['--norc', '-e', '-o', 'pipefail', '-c', inImage(script)], variables)).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await names()).toHaveLength(1);
  const [container] = parse(sample('kubernetes.yaml')).spec.jobTemplate.spec.template.spec.containers;
  const command = inImage((container.args as string[])[0]!)
    .replace('/catalogue/catalogue.yaml', 'catalogue.yaml')
    .replace('/var/run/secrets/gatehouse/token', 'token');
  const claims = { 'kubernetes.io': { namespace: 'gatehouse', serviceaccount: { name: 'catalogue' } } };
  writeFileSync(join(folder, 'token'), `${tokenOf(cluster, 'system:serviceaccount:gatehouse:catalogue', claims)}\n`);
  const drift = () => run('sh', ['-c', command], { PATH: process.env.PATH!, GATEHOUSE_URL: app.url });
  expect(await drift()).toEqual({ code: 0, stdout: 'No drift.\n', stderr: '' });
  await app.context.sql.rows("update applications set name = 'By hand' where managed_by = 'maps'");
  expect(await drift()).toMatchObject({ code: 2, stdout: expect.stringContaining('name: "By hand" → "Maps"') });
});

describe('over the network and on the server', () => {
  /** The same command in both ways. */
  async function both(words: string): Promise<[remotely: Ended, locally: Ended]> {
    const [command, ...more] = words.split(' ');
    const remotely = await gatehouse(
      [command, 'catalogue.yaml', '--id-token-env TOKEN --profile catalogue', ...more].join(' '),
    );
    const locally = await run(join(root, 'bin/gatehouse'), [command!, 'catalogue.yaml', ...more], {
      DATABASE_URL: app.database.url,
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ISSUER_URL: app.url,
    });
    // only the command that applies the plan differs
    return [
      {
        ...remotely,
        stdout: remotely.stdout
          .replaceAll(/ --id-token-env TOKEN --profile catalogue/g, '')
          .replaceAll(` --url ${app.url}`, ''),
      },
      locally,
    ];
  }

  it.each([
    ['plan', 2],
    ['plan --json', 2],
    ['plan --markdown', 2],
    ['drift', 2],
    ['plan --prune --take-over', 2],
    [`apply --plan ${'0'.repeat(64)}`, 1],
    ['apply --plan x', 1],
  ])('`%s` exits with %d and prints the same bytes', async (words, code) => {
    writeFile();
    const { hash } = JSON.parse(
      (await gatehouse('plan catalogue.yaml --id-token-env TOKEN --profile catalogue --json')).stdout,
    );
    expect(
      await gatehouse(`apply catalogue.yaml --id-token-env TOKEN --profile catalogue --plan ${hash}`),
    ).toMatchObject({ code: 0 });
    await app.context.sql.rows("update applications set name = 'By hand' where managed_by = 'maps'");
    writeFile({
      ...file,
      applications: [...file.applications, { applicationGuid: guid.replace(/1$/, '2'), ...application }],
    });
    const [remotely, locally] = await both(words);
    // the profile may not read change sets
    const hidden = locally.stdout.replace(/(?<="changedByHand":{"changeSetGuid":)"[^"]+"/, 'null');
    expect(remotely).toEqual({ ...locally, stdout: hidden });
    expect(remotely.code).toBe(code);
    if (words.startsWith('plan --json')) expect(remotely.stdout).toContain('"changedByHand":{');
  });
});

it('faults of the file are named by their places in it, and nothing is changed', async () => {
  writeFile({ ...file, applications: [{ applicationGuid: guid, name: 'Maps' }] });
  const planned = await gatehouse('plan catalogue.yaml --id-token-env TOKEN --profile catalogue');
  expect(planned).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('  applications[0].iconDefault: '),
  });
  expect(planned.stderr).not.toContain('file.');
});

it('of more faults than an answer holds the command says that there are more', async () => {
  writeFile({ ...file, applications: Array.from({ length: 2_000 }, () => 7) });
  const planned = await gatehouse('plan catalogue.yaml --id-token-env TOKEN --profile catalogue');
  expect(planned.stderr).toMatch(
    /^ {2}applications\[0\]: must be an object \(1000 of these.*\n {2}… and perhaps more\n$/m,
  );
});

it('a plan of another catalogue is a CONFLICT, and nothing is applied', async () => {
  writeFile();
  const words = '--id-token-env TOKEN --profile catalogue';
  const { hash } = JSON.parse((await gatehouse(`plan catalogue.yaml ${words} --json`)).stdout);
  writeFile({ ...file, applications: [{ applicationGuid: guid, ...application, name: 'Other maps' }] });
  const applied = await gatehouse(`apply catalogue.yaml ${words} --plan ${hash}`);
  expect(applied).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Plan again.') });
  expect(await names()).toEqual([]);
});

const plan = 'mutation($file: JSON!) { planCatalogue(file: $file) { hash summary { created } } }';
const apply = 'mutation($file: JSON!, $hash: String!) { applyCatalogue(file: $file, hash: $hash) { changeSetGuid } }';

it('a profile that may only read plans, and cannot apply', async () => {
  const token = githubToken('repo:acme/catalogue:pull_request');
  const { json } = await graph(plan, token, 'catalogue-review', { file });
  expect(json.data.planCatalogue.summary.created).toBe(1);
  const { hash } = json.data.planCatalogue;
  const applied = await graph(apply, token, 'catalogue-review', { file, hash });
  expect([applied.status, applied.json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  expect(await names()).toEqual([]);
});

it('a file of a whole catalogue is planned also by a profile that may only read', async () => {
  const many = Array.from({ length: 1_000 }, () => ({
    ...application,
    applicationGuid: randomUUID(),
    description: 'x'.repeat(200),
  }));
  writeFile({ managedBy: 'maps', applications: many });
  const words = 'plan catalogue.yaml --id-token-env TOKEN --profile catalogue-review';
  const planned = await gatehouse(words, githubToken('repo:acme/catalogue:pull_request'));
  expect(planned).toMatchObject({ code: 2, stderr: '', stdout: expect.stringContaining('To create: 1000,') });
});

it('a file that gives an administration scope needs admin:security; one that leaves administrators as they are does not', async () => {
  const security = 'ad300000-0000-4000-8000-000000000003';
  const grants = {
    managedBy: 'maps',
    profiles: [{ profileId: 'catalogue', name: 'Up', accessScopeGuids: [security] }],
  };
  const joins = {
    userProfiles: [{ userGuid: '7a0c5a10-0000-4000-8000-000000000001', profileId: 'catalogue', roleId: 'pipeline' }],
  };
  for (const content of [grants, joins]) {
    const { json } = await graph(plan, githubToken(), 'catalogue', { file: content });
    const { hash } = json.data.planCatalogue;
    const applied = await graph(apply, githubToken(), 'catalogue', { file: content, hash });
    expect([applied.status, applied.json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  }
  const links = "select * from profile_access_scopes where profile_id = 'catalogue'";
  expect(await app.context.sql.rows(links)).toHaveLength(2);
});

const viewer = '{ viewer { user { userGuid } } }';
const codeOf = ({ status, json }: Answer) => [status, json.errors?.[0].extensions.code];

it.each([
  [
    'of an issuer that is not one of pipelines',
    () =>
      makeToken(key, {
        iss: 'https://people.example',
        sub: main,
        aud: 'gatehouse',
        iat: nowSeconds(),
        exp: nowSeconds() + 60,
      }),
    'catalogue',
  ],
  ['of another workload', () => githubToken('repo:acme/other:ref:refs/heads/main'), 'catalogue'],
  ['for another audience', () => githubToken(main, { aud: 'https://github.com/acme' }), 'catalogue'],
  ['that has expired', () => githubToken(main, { exp: nowSeconds() - 60 }), 'catalogue'],
  [
    'of another key',
    () =>
      makeToken(makeKey('platform', 'RS256'), {
        iss: github,
        sub: main,
        aud: 'gatehouse',
        iat: nowSeconds(),
        exp: nowSeconds() + 60,
      }),
    'catalogue',
  ],
  ['for a profile that its user does not hold', () => githubToken(), 'catalogue-review'],
  ['with an empty profile', () => githubToken(), ' '],
] as const)('an ID token %s is 401', async (_, token, profile) => {
  expect(codeOf(await graph(viewer, token(), profile))).toEqual([401, 'UNAUTHENTICATED']);
});

it('a token of before a sign-out at its provider is 401, as at an exchange, and a later one is not', async () => {
  const issuedAt = (iat: number) => githubToken(main, { iat, nbf: iat });
  const now = nowSeconds();
  const [before, after] = [issuedAt(now - 5), issuedAt(now + 1)];
  expect((await graph(viewer, before)).status).toBe(200);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const body = new URLSearchParams({ logout_token: tokenOf(github, main, { iat: now, jti: randomUUID(), events }) });
  expect((await fetch(`${app.url}/backchannel-logout`, { method: 'POST', body })).status).toBe(200);
  expect(codeOf(await graph(viewer, before))).toEqual([401, 'UNAUTHENTICATED']);
  expect(app.logged()).toContain('it was issued before a sign-out at its provider');
  expect((await graph(viewer, after)).status).toBe(200);
  await app.context.sql.rows('delete from provider_sign_outs');
});

it('the right token calls the graph only: without the header, at /api and for a blocked user it is 401', async () => {
  expect((await graph(viewer, githubToken())).json.data.viewer.user.userGuid).toBe(
    '7a0c5a10-0000-4000-8000-000000000002',
  );
  const authorization = `Bearer ${githubToken()}`;
  expect(codeOf(await app.post('/graphql', { query: viewer }, { authorization }))).toEqual([401, 'UNAUTHENTICATED']);
  const headers = { authorization, 'gatehouse-profile': 'catalogue', 'api-version': '1.0' };
  expect((await fetch(`${app.url}/api/applications`, { headers })).status).toBe(401);
  await app.context.sql.rows('update users set is_blocked = true where idpid = $1', [main]);
  expect(codeOf(await graph(viewer, githubToken()))).toEqual([401, 'UNAUTHENTICATED']);
  await app.context.sql.rows('update users set is_blocked = false where idpid = $1', [main]);
  expect(app.logged()).not.toContain(authorization.slice(20));
});

it.each([
  ['plan catalogue.yaml --id-token-env TOKEN', '--id-token-env needs --profile'],
  ['plan catalogue.yaml --id-token-env NONE --profile catalogue', 'The variable NONE is empty or not set'],
  ['plan catalogue.yaml --token-file none', "none can't be read: ENOENT"],
  ['plan catalogue.yaml', '--url needs either --token-file or --id-token-env'],
  ['plan catalogue.yaml --id-token-env TOKEN --profile nobody', 'The service does not accept the token'],
])('%s says what is wrong', async (words, text) => {
  writeFile();
  const { code, stderr, stdout } = await gatehouse(words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(text);
});

it.each([
  [404, 'answers 404 and is not a Gatehouse: check --url.'],
  [302, 'answers 302 and is not a Gatehouse: check --url.'],
  [502, 'answers 502 in place of Gatehouse. Plan again to see what was applied.'],
  [504, 'answers 504 in place of Gatehouse. Plan again to see what was applied.'],
])('the page of a proxy with %i says what to look at', async (status, text) => {
  const server = createServer((_request, response) => response.writeHead(status).end('<h1>Sorry</h1>'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closeAtEnd(async () => void server.close());
  writeFile();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const words = ['apply', 'catalogue.yaml', '--plan', 'a'.repeat(64), '--url', url, '--id-token-env', 'TOKEN'];
  const { code, stderr } = await run(join(root, 'bin/gatehouse'), [...words, '--profile', 'catalogue'], {
    TOKEN: githubToken(),
  });
  expect([code, stderr.trim()]).toEqual([1, `${url}/graphql ${text}`]);
});

it('a token is not sent over http to another machine', async () => {
  writeFile();
  const words = ['plan', 'catalogue.yaml', '--url', 'http://auth.example', '--id-token-env', 'TOKEN', '--profile', 'p'];
  const { code, stderr } = await run(join(root, 'bin/gatehouse'), words, { TOKEN: githubToken() });
  expect([code, stderr]).toEqual([1, expect.stringContaining('--url must begin with https')]);
});
