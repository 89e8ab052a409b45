/** Requests for access: anybody who is signed in asks, another person approves the change by which the fewest others gain. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/context.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import {
  insert,
  linkProfile,
  newApplication,
  newProfile,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph();
  context = graph.app.context;
});
afterAll(() => graph?.close());

const request = (selection = 'proposalGuid state title requestedUntil') =>
  `mutation ($guid: UUID!, $reason: String! = "For the new crew", $until: DateTime) {
    requestAccess(applicationGuid: $guid, reason: $reason, until: $until) { ${selection} } }`;
const own = '{ viewer { requests { proposalGuid state note } requestable { applicationGuid name } } }';
const detail = `query ($guid: UUID!) { proposal(proposalGuid: $guid) {
  revision changes remedies { remedyId text othersGaining isChosen changes } approvers { includesViewer } effect { gains { users } } } }`;
const choose = `mutation ($guid: UUID!, $revision: Int!, $id: ID!) {
  chooseRemedy(proposalGuid: $guid, ifRevision: $revision, remedyId: $id) { revision changes effect { gains { users } } } }`;
const approve = `mutation ($guid: UUID!, $revision: Int!) { approveProposal(proposalGuid: $guid, ifRevision: $revision) { state } }`;

const ask = async (query: string, variables: object, token: string) => (await graph.ask(query, variables, token)).json;
const codeOf = async (query: string, variables: object, token: string) =>
  (await ask(query, variables, token)).errors?.[0]?.extensions?.code;

/** A user whose access token has no administration scope. */
async function newPerson() {
  const { user_id: userId, user_guid: userGuid } = await newUser(context, { first_name: 'Ada', last_name: 'Abebe' });
  const profileId = await newProfile(context);
  await linkProfile(context, userId, profileId, 'member');
  return { userId, userGuid, profileId, token: graph.token([], { sub: userGuid, profileId }) };
}

const newHarbour = (more: object = {}) =>
  newApplication(context, { name: `Harbour ${randomUUID()}`, is_requestable: true, ...more });

/** An application that a new profile opens; `holders` people hold the profile. */
async function newOpened(more: object = {}) {
  const application = await newHarbour(more);
  const profileId = await newProfile(context);
  const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  await insert(context.sql, 'access_scope_applications_mappers', {
    application_id: application.application_id,
    access_scope_id: scope.access_scope_id,
    created_by: systemUser,
  });
  await linkProfile(context, (await newUser(context)).user_id, profileId, 'member');
  return { guid: application.application_guid, profileId, scope };
}

const requestsOf = async (userGuid: string): Promise<number> =>
  (await context.sql.rows('select from proposals where proposed_by = $1', [userGuid])).length;
const soon = () => new Date(Date.now() + 86_400_000).toISOString();

it('a person without administration scopes requests an application, and has it until then when another person approves', async () => {
  const person = await newPerson();
  const { guid, profileId } = await newOpened();
  const before = (await ask(own, {}, person.token)).data.viewer;
  expect(before.requests).toEqual([]);
  expect(before.requestable.map((each: { applicationGuid: string }) => each.applicationGuid)).toContain(guid);
  const until = soon();
  const { requestAccess } = (await ask(request(), { guid, until }, person.token)).data;
  expect(requestAccess).toMatchObject({ state: 'OPEN', requestedUntil: until });
  expect(requestAccess.title).toMatch(/^Ada Abebe requests Harbour /);
  const { requests, requestable } = (await ask(own, {}, person.token)).data.viewer;
  expect(requests).toEqual([{ proposalGuid: requestAccess.proposalGuid, state: 'OPEN', note: 'For the new crew' }]);
  expect(requestable.map((each: { applicationGuid: string }) => each.applicationGuid)).not.toContain(guid);
  const variables = { guid: requestAccess.proposalGuid };
  const { proposal } = await graph.data(detail, variables);
  expect(proposal).toMatchObject({
    changes: [{ assignProfile: { userGuid: person.userGuid, profileId, validUntil: until } }],
    effect: { gains: { users: 1 } },
    approvers: { includesViewer: true },
  });
  const { approveProposal } = await graph.data(approve, { ...variables, revision: proposal.revision });
  expect(approveProposal.state).toBe('APPLIED');
  const links = await context.sql.rows(
    'select profile_id, valid_until from user_profiles where user_id = $1 and profile_id = $2',
    [person.userId, profileId],
  );
  expect(links).toEqual([{ profile_id: profileId, valid_until: until }]);
  expect((await ask(own, {}, person.token)).data.viewer.requests[0].state).toBe('APPLIED');
  expect(await codeOf(request(), { guid }, person.token)).toBe('CONFLICT');
});

it('a request is about the application and the person: another name of one of them is another revision and title', async () => {
  const person = await newPerson();
  const { guid: applicationGuid } = await newOpened();
  // the person opens this one by a mapping, which names nobody
  const { application_id, application_guid: mappedGuid } = await newHarbour({ name: 'Map' });
  const { access_scope_id } = await newScope(context, await newScopeType(context), person.profileId, {});
  const mapping = { application_id, access_scope_id, state: 'planned', created_by: systemUser };
  await insert(context.sql, 'access_scope_applications_mappers', mapping);
  const read = 'query ($guid: UUID!) { proposal(proposalGuid: $guid) { revision title } }';
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
  for (const [asked, change, title] of [
    [applicationGuid, { updateApplication: { applicationGuid, input: { name: 'Vault' } } }, 'Ada Abebe requests Vault'],
    [mappedGuid, { updateUser: { userGuid: person.userGuid, input: { lastName: 'Moe' } } }, 'Ada Moe requests Map'],
  ] as const) {
    const { proposalGuid: guid } = (await ask(request(), { guid: asked }, person.token)).data.requestAccess;
    const { revision } = (await graph.data(read, { guid })).proposal;
    await graph.data(apply, { changes: [change] });
    expect(await codeOf(approve, { guid, revision }, graph.token())).toBe('CONFLICT');
    expect((await graph.data(read, { guid })).proposal).toEqual({ revision: revision + 1, title });
    expect(await codeOf(approve, { guid, revision: revision + 1 }, graph.token())).toBeUndefined();
  }
});

it('nobody approves the own request, through an administration profile either', async () => {
  const person = await newPerson();
  const { guid } = await newOpened();
  const { proposalGuid } = (await ask(request(), { guid }, person.token)).data.requestAccess;
  const administrator = graph.token(undefined, { sub: person.userGuid });
  const { proposal } = await graph.data(detail, { guid: proposalGuid }, administrator);
  expect(proposal.approvers.includesViewer).toBe(false);
  const variables = { guid: proposalGuid, revision: proposal.revision };
  expect(await codeOf(approve, variables, administrator)).toBe('FORBIDDEN');
  const id = proposal.remedies[0].remedyId;
  expect(await codeOf(choose, { ...variables, id }, administrator)).toBe('FORBIDDEN');
});

it('administrators say which applications may be requested, when they make one and later', async () => {
  const icons = { iconDefault: 'i', iconHover: 'h', appType: 'web', renderingMode: 'r', linkType: 'l' };
  const create =
    'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { applicationGuid isRequestable } }';
  const made = async (more: object) =>
    (await graph.data(create, { input: { name: 'A', ...icons, ...more } })).createApplication;
  expect([(await made({})).isRequestable, (await made({ isRequestable: true })).isRequestable]).toEqual([false, true]);
  const { applicationGuid } = await made({});
  const update =
    'mutation ($guid: UUID!) { updateApplication(applicationGuid: $guid, input: { isRequestable: true }) { isRequestable } }';
  expect((await graph.data(update, { guid: applicationGuid })).updateApplication.isRequestable).toBe(true);
});

it.each<[what: string, code: string, wish: () => Promise<object>]>([
  [
    'an application that is not requestable',
    'BAD_USER_INPUT',
    async () => ({ guid: (await newOpened({ is_requestable: false })).guid }),
  ],
  ['an application out of use', 'BAD_USER_INPUT', async () => ({ guid: (await newOpened({ is_active: false })).guid })],
  ['an unknown application', 'BAD_USER_INPUT', async () => ({ guid: randomUUID() })],
  ['no reason', 'BAD_USER_INPUT', async () => ({ guid: (await newOpened()).guid, reason: ' ' })],
  [
    'a reason that is too long',
    'BAD_USER_INPUT',
    async () => ({ guid: (await newOpened()).guid, reason: 'x'.repeat(1_001) }),
  ],
  [
    'an end in the past',
    'BAD_USER_INPUT',
    async () => ({ guid: (await newOpened()).guid, until: '2020-01-01T00:00:00Z' }),
  ],
])('a request with %s is a clear error, and makes nothing', async (_what, code, wish) => {
  const person = await newPerson();
  const { errors } = await ask(request(), await wish(), person.token);
  expect(errors[0].extensions.code).toBe(code);
  expect(Object.values(errors[0].extensions.problems)[0]).toHaveLength(1);
  expect(await requestsOf(person.userGuid)).toBe(0);
});

it('a request for access is refused without a token, for the service itself and for somebody who is no user', async () => {
  const { guid } = await newOpened();
  const { json } = await graph.ask(request(), { guid }, null);
  expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  expect(await codeOf(request(), { guid }, graph.token([], { sub: randomUUID() }))).toBe('BAD_USER_INPUT');
});

it('a second request of the same application, and the 21st open one, are refused, also of several at the same moment', async () => {
  const person = await newPerson();
  const { guid } = await newOpened();
  const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(request(), { guid }, person.token)));
  expect(codes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', undefined]);
  await context.sql.rows(
    `insert into proposals (title, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts, requested_application_guid)
     select title, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts, gen_random_uuid()
     from proposals, generate_series(1, 19) where proposed_by = $1`,
    [person.userGuid],
  );
  const other = await newOpened();
  const { errors } = await ask(request(), { guid: other.guid }, person.token);
  expect(errors[0].message).toBe('You have 20 open requests: withdraw one first.');
  const { requests } = (await ask(own, {}, person.token)).data.viewer;
  const withdraw = `mutation { withdrawProposal(proposalGuid: "${requests[0].proposalGuid}") { state } }`;
  expect((await ask(withdraw, {}, person.token)).data.withdrawProposal).toEqual({ state: 'WITHDRAWN' });
  expect(await codeOf(request(), { guid: other.guid }, person.token)).toBeUndefined();
});

it('the person reads only the own requests and their state', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const { guid } = await newOpened();
  const { proposalGuid } = (await ask(request(), { guid }, person.token)).data.requestAccess;
  expect((await ask(own, {}, other.token)).data.viewer.requests).toEqual([]);
  const withdraw = `mutation { withdrawProposal(proposalGuid: "${proposalGuid}") { state } }`;
  expect(await codeOf(withdraw, {}, other.token)).toBe('NOT_FOUND');
  expect(await codeOf(detail, { guid: proposalGuid }, person.token)).toBe('FORBIDDEN');
  for (const field of [
    'changes',
    'since { text }',
    'effect { gains { users } }',
    'remedies { text }',
    'approvers { permission }',
    'proposedByNavigation { email }',
    'requestedApplication { name }',
  ])
    expect(await codeOf(`{ viewer { requests { ${field} } } }`, {}, person.token)).toBe('FORBIDDEN');
  const second = await newOpened();
  expect(await codeOf(request('changes'), { guid: second.guid }, person.token)).toBe('FORBIDDEN');
  expect(await requestsOf(person.userGuid)).toBe(1);
});

it('the approver chooses another remedy, and approves the effect of that one', async () => {
  const person = await newPerson();
  const { guid, scope } = await newOpened();
  await insert(context.sql, 'access_scope_applications_mappers', {
    application_id: (
      await context.sql.rows<{ id: number }>(
        'select application_id as id from applications where application_guid = $1',
        [guid],
      )
    )[0]!.id,
    access_scope_id: (await newScope(context, await newScopeType(context), person.profileId, { access_scope_key: 'o' }))
      .access_scope_id,
    state: 'planned',
    created_by: systemUser,
  });
  expect(scope).toBeTruthy();
  const { proposalGuid } = (await ask(request(), { guid }, person.token)).data.requestAccess;
  const { proposal } = await graph.data(detail, { guid: proposalGuid });
  const { remedies, revision } = proposal;
  expect(remedies.map(({ isChosen }: { isChosen: boolean }) => isChosen)).toEqual([
    true,
    ...remedies.slice(1).map(() => false),
  ]);
  expect(remedies.length).toBeGreaterThan(1);
  const texts = remedies.map(({ text }: { text: string }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toContainEqual(
    expect.stringMatching(/^Give the profile .* the access scope\. The access scope is Scope\.$/),
  );
  const variables = { guid: proposalGuid, revision, id: remedies[1].remedyId };
  expect(await codeOf(choose, variables, graph.token(['admin:read']))).toBe('FORBIDDEN');
  expect(await codeOf(choose, { ...variables, id: 'none' }, graph.token())).toBe('CONFLICT');
  const { chooseRemedy } = await graph.data(choose, variables);
  expect(chooseRemedy).toMatchObject({ revision: revision + 1, changes: remedies[1].changes });
  expect(await codeOf(approve, { guid: proposalGuid, revision }, graph.token())).toBe('CONFLICT');
  await graph.data(approve, { guid: proposalGuid, revision: revision + 1 });
  expect(await codeOf(request(), { guid }, person.token)).toBe('CONFLICT');
});
