/** APPROVALS: direct changes are refused before anything changes; trials and commands are not. */
import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../../src/config/loadConfig.js';
import { applyChanges } from '../../../src/modules/changes/applyChanges.js';
import { planChanges } from '../../../src/modules/changes/planChanges.js';
import { createApplication } from '../../../src/services/catalogue/applications.js';
import { createClient } from '../../../src/services/people/clients.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { newHolder, newScope, newScopeType } from '../../support/records.js';

const start = (approvals: string): Promise<TestGraph> => startTestGraph({ APPROVALS: approvals });
let all: TestGraph;
let security: TestGraph;
beforeAll(async () => {
  [all, security] = await Promise.all([start('all'), start('security')]);
});
afterAll(() => Promise.all([all?.close(), security?.close()]));

const create = 'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { name } }';
const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean!) { applyChanges(changes: $changes, dryRun: $dryRun) { isDryRun } }`;
const application = () => ({ applicationGuid: randomUUID(), name: 'Direct', ...icons });
const count = async ({ app }: TestGraph): Promise<number> =>
  (await app.context.sql.rows<{ count: number }>('select count(*)::int as count from record_versions'))[0]!.count;
const codeOf = async (graph: TestGraph, query: string, variables: object = {}) =>
  (await graph.ask(query, variables)).json.errors?.[0]?.extensions?.code;

it('all: no face changes anything directly, and tries work', async () => {
  const { app } = all;
  const holder = await newHolder(app.context);
  const scope = await newScope(app.context, await newScopeType(app.context), holder.profileId, {
    access_scope_key: 'a',
  });
  const { applicationGuid } = await createApplication(app.context, application());
  const sets = await all.data('{ changeSets(orderBy: [{ occurredAt: DESC }], first: 1) { nodes { changeSetGuid } } }');
  const before = await count(all);
  const changes = [{ createApplication: { input: application() } }];
  expect(await codeOf(all, create, { input: application() })).toBe('APPROVAL_REQUIRED');
  expect(await codeOf(all, apply, { changes, dryRun: false })).toBe('APPROVAL_REQUIRED');
  expect((await all.data(apply, { changes, dryRun: true })).applyChanges.isDryRun).toBe(true);
  const undo = `mutation ($guid: UUID!, $dryRun: Boolean!) { undoChangeSet(changeSetGuid: $guid, dryRun: $dryRun) { isDryRun } }`;
  const guid = sets.changeSets.nodes[0].changeSetGuid;
  expect(await codeOf(all, undo, { guid, dryRun: false })).toBe('APPROVAL_REQUIRED');
  expect(await codeOf(all, undo, { guid, dryRun: true })).toBeUndefined();
  const headers = { authorization: `Bearer ${all.token()}`, 'api-version': '1.0' };
  const mappings = `/api/applications/${applicationGuid}/accessScopes`;
  const documented = { name: 'Direct', ...icons };
  const item = { accessScopeGuid: scope.access_scope_guid };
  const send = (method: string, path: string, body?: object, more = {}) =>
    fetch(`${app.url}${path}`, {
      method,
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  for (const [method, path, body] of [
    ['POST', '/api/applications', documented],
    ['POST', mappings, [item]],
    ['PATCH', mappings, [{ ...item, state: 'planned' }]],
    ['POST', `${mappings}:delete`, [item]],
    ['DELETE', `${mappings}/${scope.access_scope_guid}`],
  ] as const) {
    const answer = await send(method, path, body);
    expect([method, path, answer.status, ((await answer.json()) as { code?: string }).code]).toEqual([
      method,
      path,
      403,
      'APPROVAL_REQUIRED',
    ]);
  }
  expect((await send('POST', '/api/applications', documented, { prefer: 'dry-run' })).status).toBe(200);
  expect(await count(all)).toBe(before);
});

it('a command changes without approval, and its change set, a log line and a figure say so', async () => {
  const { app } = all;
  const { applicationGuid } = await createApplication(app.context, application());
  const { changeSets } = await all.data(
    '{ changeSets(filter: { isUnapproved: { eq: true } }, orderBy: [{ occurredAt: DESC }], first: 1) { nodes { face isUnapproved events { nodes { subjectId } } } } }',
  );
  expect(changeSets.nodes[0]).toMatchObject({ face: 'cli', events: { nodes: [{ subjectId: applicationGuid }] } });
  expect(app.logged()).toContain('a command changed without approval');
});

it('security: what needs admin:security waits for a second person, and nothing else', async () => {
  expect(await codeOf(security, create, { input: application() })).toBeUndefined();
  const { profileId } = await newHolder(security.app.context);
  const grant = `mutation { setProfileAccessScopes(profileId: "${profileId}", accessScopeGuids: ["ad300000-0000-4000-8000-000000000001"]) { profileId } }`;
  const client = 'mutation { createClient(input: { clientId: "c", name: "C" }) { clientSecret } }';
  const before = await count(security);
  expect(await codeOf(security, grant)).toBe('APPROVAL_REQUIRED');
  expect(await codeOf(security, client)).toBe('APPROVAL_REQUIRED');
  expect((await security.ask(client)).text).toContain(
    'Changes of clients cannot be proposed: make them with bin/gatehouse client.',
  );
  expect(await count(security)).toBe(before);
  // ending sessions gives nobody anything, and must not wait
  expect(await codeOf(security, `mutation { revokeTokens(profileId: "${profileId}") }`)).toBeUndefined();
});

it('a proposal is the way, and its second person applies it', async () => {
  const changes = [{ createApplication: { input: application() } }];
  const propose =
    'mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "x") { proposalGuid revision } }';
  const { proposeChanges } = await all.data(propose, { changes }, all.token(['admin:read']));
  const approve = `mutation { approveProposal(proposalGuid: "${proposeChanges.proposalGuid}", ifRevision: ${proposeChanges.revision}) { state } }`;
  expect((await all.data(approve)).approveProposal.state).toBe('APPLIED');
});

it('an undo is proposed as the only change, and approved by a second person', async () => {
  const { applicationGuid } = await createApplication(all.app.context, application());
  const newest = '{ changeSets(orderBy: [{ occurredAt: DESC }], first: 1) { nodes { changeSetGuid } } }';
  const guid = (await all.data(newest)).changeSets.nodes[0].changeSetGuid;
  const propose =
    'mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "a mistake") { proposalGuid revision title } }';
  const undo = { undoChangeSet: { changeSetGuid: guid } };
  const author = all.token(['admin:read']);
  const both = [undo, { createRole: { input: { roleId: randomUUID(), name: 'R' } } }];
  const { json } = await all.ask(propose, { changes: both }, author);
  expect(json.errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: { 'changes[0].undoChangeSet': ['An undo must be the only change.'] },
  });
  const unknown = { undoChangeSet: { changeSetGuid: randomUUID() } };
  expect((await all.ask(propose, { changes: [unknown] }, author)).json.errors[0].extensions.code).toBe('NOT_FOUND');
  const { proposeChanges } = await all.data(propose, { changes: [undo] }, author);
  expect(proposeChanges.title).toMatch(/^Undo the change set of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  const { approveProposal } = await all.data(
    `mutation { approveProposal(proposalGuid: "${proposeChanges.proposalGuid}", ifRevision: ${proposeChanges.revision}) {
      state changeSet { note undoes { changeSetGuid } } } }`,
  );
  expect(approveProposal).toEqual({
    state: 'APPLIED',
    changeSet: { note: 'a mistake', undoes: { changeSetGuid: guid } },
  });
  expect((await all.data(`{ application(applicationGuid: "${applicationGuid}") { name } }`)).application).toBeNull();
});

it('the proposal of an undo says neither the note of the change set nor the names of clients', async () => {
  const { context } = security.app;
  const propose = `mutation ($changes: [ChangeInput!]!) {
    proposeChanges(changes: $changes, note: "x") { title sentences { text } } }`;
  const reader = security.token(['admin:read']);
  const undoOf = async () => {
    const newest = '{ changeSets(orderBy: [{ occurredAt: DESC }], first: 1) { nodes { changeSetGuid } } }';
    const { changeSetGuid } = (await security.data(newest)).changeSets.nodes[0];
    return { changes: [{ undoChangeSet: { changeSetGuid } }] };
  };
  const made = [{ createRole: { input: { roleId: randomUUID(), name: 'R' } } }];
  await applyChanges(context, planChanges(made), { note: 'a secret' });
  const { title, sentences } = (await security.data(propose, await undoOf(), reader)).proposeChanges;
  expect(title).toMatch(/^Undo the change set of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  expect(sentences).toEqual([{ text: title }]);
  await createClient(context, { clientId: 'hidden', name: 'Hidden' });
  const { json } = await security.ask(propose, await undoOf(), reader);
  expect(json.errors[0].extensions).toMatchObject({
    code: 'CONFLICT',
    problems: { 'changes[0].undoChangeSet': ['Client was changed in fields without history.'] },
  });
});

it('needs callers who can be told apart', () => {
  expect(() => loadConfig({ APPROVALS: 'all', ADMIN_AUTH: 'none' })).toThrow('APPROVALS must be none');
});
