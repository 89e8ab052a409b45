/** Who and what a proposal is about belongs to it, and nobody approves what gives access to themselves or without a right. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/context.js';
import { describe as describeRecord } from '../../../src/entities/description.js';
import { User } from '../../../src/entities/User.js';
import { applyDueProposals } from '../../../src/modules/governance/proposals/dueProposals.js';
import { judgeProposal } from '../../../src/modules/governance/proposals/judge.js';
import { getProposal } from '../../../src/modules/governance/proposals/storedProposals.js';
import { reservedScopeKeys } from '../../../src/services/adminScopes/reservedNames.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { newConnector } from '../../support/connectors.js';
import {
  insert,
  letAdminister,
  linkProfile,
  newApplication,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';
import { elapse, untilBlockedOrDone } from '../../support/until.js';

const issuer = (more: object = {}) => ({
  issuer: 'https://names.example',
  audience: 'gatehouse-test',
  idpname: 'names',
  subject: 'idpid' as const,
  ...more,
});
let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph();
  context = { ...graph.app.context, config: { ...graph.app.context.config, idTokenIssuers: [issuer()] } };
});
afterAll(() => graph?.close());

const fields = `proposalGuid revision state title problems since { kind text by names }`;
const propose = `mutation ($changes: [ChangeInput!]!, $applyAt: DateTime) {
  proposeChanges(changes: $changes, note: "x", applyAt: $applyAt) { ${fields} } }`;
const approve = `mutation ($guid: UUID!, $revision: Int!, $applyAt: DateTime) {
  approveProposal(proposalGuid: $guid, ifRevision: $revision, applyAt: $applyAt) { ${fields} } }`;
const read = `query ($guid: UUID!) { proposal(proposalGuid: $guid) { ${fields} } }`;
const updateUser =
  'mutation ($guid: UUID!, $input: UpdateUserInput!) { updateUser(userGuid: $guid, input: $input) { revision } }';
const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';

/** The next reader tries a proposal again, as after each change. */
const tryAgain = () => newRole(context);

const newDan = () =>
  newUser(context, {
    first_name: 'Dan',
    last_name: 'Doe',
    email: 'dan@example.org',
    idpname: 'names',
    idpid: randomUUID(),
  });
const proposed = async (changes: object[], more: object = {}) =>
  (await graph.data(propose, { changes, ...more }, graph.token(['admin:read']))).proposeChanges;
const readAgain = async (guid: string) => (await graph.data(read, { guid })).proposal;
const codeOf = async (query: string, variables: object, token?: string) =>
  (await graph.ask(query, variables, token)).json.errors?.[0]?.extensions?.code;
/** A person with admin:write, whom the database knows by name. */
async function newWriter() {
  const { user_guid: guid } = await newUser(context, { first_name: 'Wanda', last_name: 'Writer' });
  return { guid, token: graph.token(['admin:read', 'admin:write'], { sub: guid }) };
}
const giveScope = (profileId: string, key: 'read' | 'write' | 'security') => letAdminister(context.sql, profileId, key);
const holders = async (profileId: string): Promise<number> =>
  (await context.sql.rows('select from user_profiles where profile_id = $1', [profileId])).length;
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
async function whenDue(guid: string) {
  await context.sql.rows("update proposals set apply_at = now() - interval '1 second' where proposal_guid = $1", [
    guid,
  ]);
  await applyDueProposals({ ...graph.app.context, face: 'schedule' }, new AbortController().signal);
  return readAgain(guid);
}

async function newGrant() {
  const dan = await newDan();
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  return { dan, profileId, roleId, changes: [{ assignProfile: { userGuid: dan.user_guid, profileId, roleId } }] };
}

it('a scheduled proposal fails when the person became another one, and says who exchanged what', async () => {
  const { dan, profileId, changes } = await newGrant();
  await giveScope(profileId, 'security');
  const { proposalGuid: guid, revision } = await proposed(changes);
  expect((await graph.data(approve, { guid, revision, applyAt: soon() })).approveProposal.state).toBe('SCHEDULED');
  const writer = await newWriter();
  await graph.data(updateUser, { guid: dan.user_guid, input: { idpid: randomUUID() } }, writer.token);
  const proposal = await whenDue(guid);
  expect([proposal.state, await holders(profileId)]).toEqual(['FAILED', 0]);
  expect(proposal.problems.$.join(' ')).toMatch(/1 person was changed since: idpid\. Dan Doe.* By Wanda Writer/);
});

/** A value of each field that says who a person is. */
const identities: Record<string, unknown> = {
  idpname: 'other',
  idpid: randomUUID(),
  userName: 'mallory',
  firstName: 'Mallory',
  lastName: 'Moe',
  email: 'mallory@example.org',
};
it.each(
  Object.entries(identities),
)('another %s of the person is another revision, and since says who changed it', async (name, value) => {
  const { dan, changes } = await newGrant();
  const { proposalGuid: guid, revision } = await proposed(changes);
  const writer = await newWriter();
  await graph.data(updateUser, { guid: dan.user_guid, input: { [name]: value } }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  const proposal = await readAgain(guid);
  expect(proposal.revision).toBe(revision + 1);
  expect(proposal.since).toEqual([
    expect.objectContaining({ kind: 'USERS_UPDATED', by: writer.guid, text: `1 person was changed since: ${name}.` }),
  ]);
  const { firstName = 'Dan', lastName = 'Doe' } = { [name]: value } as Record<string, string>;
  expect(proposal.title).toContain(` to ${firstName} ${lastName}`);
  expect(await codeOf(approve, { guid, revision: proposal.revision })).toBeUndefined();
});

it('other personal data of the person are no other revision', async () => {
  const { dan, changes } = await newGrant();
  const { proposalGuid: guid, revision } = await proposed(changes);
  const others = describeRecord(User).fields.filter(
    ({ name, create, type }) => create && type === 'string' && !(name in identities) && name !== 'emailSubscriptions',
  );
  for (const { name } of others)
    await graph.data(updateUser, {
      guid: dan.user_guid,
      input: { [name]: name === 'languagePreference' ? 'de' : 'x' },
    });
  expect(await readAgain(guid)).toMatchObject({ revision, since: [] });
});

it('since names who changed the person or the texts that the changes would overwrite', async () => {
  const { user_guid: userGuid } = await newDan();
  const translationGroup = randomUUID();
  const texts = (texts: Record<string, string>) => ({
    setTranslations: {
      translationGroup,
      translations: Object.entries(texts).map(([languageCode, translatedText]) => ({
        fieldName: 'name',
        languageCode,
        translatedText,
      })),
    },
  });
  await graph.data(apply, { changes: [texts({ de: 'eins' })] });
  const proposals = await Promise.all(
    [
      texts({ de: 'zwei' }),
      { translation: { translationGroup, fieldName: 'name', languageCode: 'de', from: 'eins', to: 'zwei' } },
      { updateUser: { userGuid, input: { department: 'mine', telephone: '1' } } },
    ].map((change) => proposed([change])),
  );
  const writer = await newWriter();
  const changed = { updateUser: { userGuid, input: { department: 'theirs', telephone: '2' } } };
  await graph.data(apply, { changes: [texts({ de: 'drei', fr: 'trois' }), changed] }, writer.token);
  const seen = await Promise.all(proposals.map(({ proposalGuid }) => readAgain(proposalGuid)));
  const textsChanged = [
    { kind: 'TRANSLATIONS_ADDED', text: '1 text was added since.', by: writer.guid },
    { kind: 'TRANSLATIONS_UPDATED', text: '1 text was changed since.', by: writer.guid },
  ].map((entry) => expect.objectContaining(entry));
  expect(seen.map(({ since }) => since)).toEqual([
    expect.arrayContaining(textsChanged),
    expect.arrayContaining(textsChanged),
    [
      expect.objectContaining({
        kind: 'USERS_UPDATED',
        text: '1 person was changed since: department, telephone.',
        by: writer.guid,
      }),
    ],
  ]);
});

it('a connector that exchanges the person is named, and a scheduled approval fails', async () => {
  const {
    scim,
    idpname,
    guid: connectorGuid,
    connectorId,
  } = await newConnector(context, graph.app.url, `okta-${randomUUID().slice(0, 8)}`);
  const { profileId, roleId } = await newGrant();
  const dan = await newUser(context, { first_name: 'Dan', last_name: 'Doe', idpname, idpid: 'dan' });
  const changes = [{ assignProfile: { userGuid: dan.user_guid, profileId, roleId } }];
  const [open, scheduled] = [await proposed(changes), await proposed(changes)];
  await graph.data(approve, { guid: scheduled.proposalGuid, revision: scheduled.revision, applyAt: soon() });
  const exchange = { Operations: [{ op: 'replace', path: 'externalId', value: 'mallory' }] };
  expect((await scim('PATCH', `/Users/${dan.user_guid}`, exchange)).status).toBeLessThan(300);
  const proposal = await readAgain(open.proposalGuid);
  expect(proposal.revision).toBe(open.revision + 1);
  expect(proposal.since).toContainEqual(
    expect.objectContaining({ by: connectorGuid, text: '1 person was changed since: idpid.' }),
  );
  const failed = await whenDue(scheduled.proposalGuid);
  expect([failed.state, failed.problems.$.join(' ')]).toEqual([
    'FAILED',
    expect.stringContaining(`By the connector ${connectorId}`),
  ]);
});

it('whoever gains counts, also when the changes name only the profile', async () => {
  const dan = await newDan();
  const profileId = await newProfile(context);
  await linkProfile(context, dan.user_id, profileId, 'member');
  const changes = [{ setProfileAccessScopes: { profileId, accessScopeGuids: [[...reservedScopeKeys.keys()][0]] } }];
  const { proposalGuid: guid, revision } = await proposed(changes);
  const writer = await newWriter();
  await graph.data(updateUser, { guid: dan.user_guid, input: { idpid: randomUUID() } }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  const { since } = await readAgain(guid);
  expect(since).toContainEqual(
    expect.objectContaining({ by: writer.guid, text: '1 person was changed since: idpid.' }),
  );
});

it.each([
  [
    'is another person',
    ({ userGuid }) => ({ updateUser: { userGuid, input: { idpid: randomUUID() } } }),
    'USERS_UPDATED',
  ],
  [
    'comes to it',
    ({ otherGuid, profileId, roleId }) => ({ assignProfile: { userGuid: otherGuid, profileId, roleId } }),
    'USER_PROFILES_ADDED',
  ],
] as [
  string,
  (world: Record<string, string>) => object,
  string,
][])('a holder who %s, of a profile of which an access scope ends later, is another revision', async (_what, changeOf, kind) => {
  const { dan, profileId, roleId } = await newGrant();
  await linkProfile(context, dan.user_id, profileId, roleId);
  const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  await context.sql.rows("update profile_access_scopes set valid_until = '2090-01-01' where profile_id = $1", [
    profileId,
  ]);
  const { proposalGuid: guid, revision } = await proposed([
    { assignAccessScope: { profileId, accessScopeGuid: scope.access_scope_guid, validUntil: null } },
  ]);
  const writer = await newWriter();
  const { user_guid: otherGuid } = await newDan();
  const change = changeOf({ userGuid: dan.user_guid, otherGuid, profileId, roleId });
  await graph.data(apply, { changes: [change] }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  expect((await readAgain(guid)).since).toContainEqual(expect.objectContaining({ kind, by: writer.guid }));
});

it.each([
  ['whom the changes name', ({ grant }) => grant],
  ['who gains by a mapping', ({ mapping }) => mapping],
] as [
  string,
  (world: Record<string, object>) => object,
][])('an exchange of a person %s, which another transaction is about to commit, is seen by the approval', async (_what, changeOf) => {
  const { dan, profileId, changes } = await newGrant();
  const { profileId: heldId, roleId } = await newGrant();
  await linkProfile(context, dan.user_id, heldId, roleId);
  const scope = await newScope(context, await newScopeType(context), heldId, { access_scope_key: 'k' });
  const { application_guid: applicationGuid } = await newApplication(context);
  const mapping = { mapping: { applicationGuid, accessScopeGuid: scope.access_scope_guid, from: null, to: 'active' } };
  const { proposalGuid: guid, revision } = await proposed([changeOf({ grant: changes[0]!, mapping })]);
  let approval: Promise<string | undefined> = Promise.resolve(undefined);
  await context.sql.transaction(async ({ rows }) => {
    await rows('update users set idpid = $2 where user_id = $1', [dan.user_id, randomUUID()]);
    approval = codeOf(approve, { guid, revision });
    await untilBlockedOrDone(context.sql, approval);
    // the approval looks whether the two wait for each other, once: later it would be the exchange that finds out, and fails
    await elapse(1_100);
  });
  expect(await approval).toBe('CONFLICT');
  expect(await holders(profileId)).toBe(0);
});

it('somebody who comes to the profile while the approval computes its effect is seen by the approval', async () => {
  const { dan } = await newGrant();
  const { profileId: heldId, roleId } = await newGrant();
  await linkProfile(context, dan.user_id, heldId, roleId);
  const scope = await newScope(context, await newScopeType(context), heldId, { access_scope_key: 'k' });
  const { application_guid: applicationGuid } = await newApplication(context);
  const mapping = { applicationGuid, accessScopeGuid: scope.access_scope_guid, from: null, to: 'active' };
  const { proposalGuid: guid, revision } = await proposed([{ mapping }]);
  let approval: Promise<string | undefined> = Promise.resolve(undefined);
  await context.sql.transaction(async ({ rows }) => {
    // the approval waits for those who gain when it has computed who that is
    await rows('select from users where user_id = $1 for update', [dan.user_id]);
    approval = codeOf(approve, { guid, revision });
    await untilBlockedOrDone(context.sql, approval);
    await linkProfile(context, (await newDan()).user_id, heldId, roleId);
  });
  expect(await approval).toBe('CONFLICT');
  expect((await readAgain(guid)).state).toBe('OPEN');
});

it('a scheduled proposal that fails because of people whom the changes do not name says what changed, and who changed it', async () => {
  const { dan, profileId, roleId } = await newGrant();
  await linkProfile(context, dan.user_id, profileId, roleId);
  const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  const { application_guid: applicationGuid } = await newApplication(context);
  const { proposalGuid: guid, revision } = await proposed([
    { mapping: { applicationGuid, accessScopeGuid: scope.access_scope_guid, from: null, to: 'active' } },
  ]);
  await graph.data(approve, { guid, revision, applyAt: soon() });
  const writer = await newWriter();
  await graph.data(updateUser, { guid: dan.user_guid, input: { idpid: randomUUID() } }, writer.token);
  const { state, problems } = await whenDue(guid);
  expect([state, problems.$.join(' ')]).toEqual([
    'FAILED',
    expect.stringMatching(/1 person was changed since: idpid\. Dan Doe.* By Wanda Writer/),
  ]);
});

it('the same change of the person, made by somebody else before, is not hidden by the proposed one', async () => {
  const dan = await newDan();
  const changes = [{ updateUser: { userGuid: dan.user_guid, input: { idpid: 'next' } } }];
  const { proposalGuid: guid, revision } = await proposed(changes);
  await graph.data(updateUser, { guid: dan.user_guid, input: { idpid: randomUUID() } });
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
});

it.each([
  [
    'the name of the profile',
    'PROFILES_UPDATED',
    ({ profileId }) => ({ updateProfile: { profileId, input: { name: 'Other' } } }),
  ],
  [
    'the owner of the profile',
    'PROFILES_UPDATED',
    ({ profileId }) => ({ updateProfile: { profileId, input: { ownerProfileId: profileId } } }),
  ],
  [
    'the group of the profile',
    'PROFILES_UPDATED',
    ({ profileId }) => ({ updateProfile: { profileId, input: { externalGroup: profileId } } }),
  ],
  ['the name of the role', 'ROLES_UPDATED', ({ roleId }) => ({ updateRole: { roleId, input: { name: 'Owner' } } })],
] as [
  string,
  string,
  (grant: { profileId: string; roleId: string }) => object,
][])('another value of %s is another revision, and since names it', async (_what, kind, changeOf) => {
  const grant = await newGrant();
  const { proposalGuid: guid, revision } = await proposed(grant.changes);
  const writer = await newWriter();
  await graph.data(apply, { changes: [changeOf(grant)] }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  const proposal = await readAgain(guid);
  expect(proposal.revision).toBe(revision + 1);
  expect(proposal.since).toContainEqual(expect.objectContaining({ kind, by: writer.guid }));
});

it('another entry of the issuer by which the person signs in is another revision', async () => {
  const { changes } = await newGrant();
  const { proposalGuid: guid } = await proposed(changes);
  const judged = async (own: Context) => {
    await tryAgain();
    const { revision, since } = await judgeProposal(own, await getProposal(own, guid));
    return { revision, kinds: since.map(({ kind }) => kind) };
  };
  const restarted = (more: object): Context => ({
    ...context,
    config: { ...context.config, idTokenIssuers: [issuer(more)] },
  });
  const first = await judged(context);
  const other = await judged(restarted({ issuer: 'https://mallory.example' }));
  expect(other).toEqual({ revision: first.revision + 1, kinds: ['ID_TOKEN_ISSUERS_UPDATED'] });
  const bySubject = await judged(restarted({ issuer: 'https://mallory.example', subject: 'userGuid' }));
  expect(bySubject.revision).toBe(other.revision + 1);
  // when it was proposed, there was no such issuer
  expect(
    (await judged(restarted({ issuer: 'https://mallory.example', subject: 'userGuid', maxAgeSeconds: 60 }))).revision,
  ).toBe(bySubject.revision);
});

it.each([
  ['makes a person', () => ({ createUser: { input: { idpname: 'names', idpid: randomUUID() } } })],
  ['makes a person of any issuer', () => ({ createUser: { input: { idpid: randomUUID() } } })],
  ['moves a person to another issuer', (userGuid) => ({ updateUser: { userGuid, input: { idpname: 'names' } } })],
] as [
  string,
  (userGuid: string) => object,
][])('a proposal that %s is about the entry of the issuer by which the person will sign in', async (_what, changeOf) => {
  const { user_guid: userGuid } = await newUser(context, { idpname: 'elsewhere', idpid: randomUUID() });
  const { proposalGuid: guid } = await proposed([changeOf(userGuid)]);
  const judged = async (more: object) => {
    await tryAgain();
    const own: Context = { ...context, config: { ...context.config, idTokenIssuers: [issuer(more)] } };
    return (await judgeProposal(own, await getProposal(own, guid))).revision;
  };
  const first = await judged({});
  expect(await judged({})).toBe(first);
  expect(await judged({ issuer: 'https://mallory.example' })).toBe(first + 1);
});

it.each([
  ['name of the person', ({ userGuid }) => ({ updateUser: { userGuid, input: { lastName: 'Moe' } } }), 'USERS_UPDATED'],
  [
    'name of the profile',
    ({ profileId }) => ({ updateProfile: { profileId, input: { name: 'x' } } }),
    'PROFILES_UPDATED',
  ],
  ['name of the role', ({ roleId }) => ({ updateRole: { roleId, input: { name: 'x' } } }), 'ROLES_UPDATED'],
  [
    'name of the application',
    ({ applicationGuid }) => ({ updateApplication: { applicationGuid, input: { name: 'x' } } }),
    'APPLICATIONS_UPDATED',
  ],
  [
    'entry of the access scope',
    ({ accessScopeGuid }) => ({ updateAccessScope: { accessScopeGuid, input: { accessScopeKey: 'secret' } } }),
    'ACCESS_SCOPES_UPDATED',
  ],
] as [
  string,
  (world: Record<string, string>) => object,
  string,
][])('an undo is about the records of its change set: another %s is another revision', async (_what, changeOf, kind) => {
  const { dan, profileId, roleId } = await newGrant();
  await linkProfile(context, dan.user_id, profileId, roleId);
  const { access_scope_guid: accessScopeGuid } = await newScope(context, await newScopeType(context), undefined, {
    access_scope_key: 'k',
  });
  const { application_guid: applicationGuid } = await newApplication(context);
  const cell = { applicationGuid, accessScopeGuid };
  await graph.data(apply, { changes: [{ mapping: { ...cell, from: null, to: 'active' } }] });
  const taken = [
    { unassignProfile: { userGuid: dan.user_guid, profileId, roleId } },
    { mapping: { ...cell, from: 'active', to: null } },
  ];
  const { changeSetGuid } = (await graph.data(apply, { changes: taken })).applyChanges;
  const { proposalGuid: guid, revision } = await proposed([{ undoChangeSet: { changeSetGuid } }]);
  const writer = await newWriter();
  const change = changeOf({ userGuid: dan.user_guid, profileId, roleId, ...cell });
  await graph.data(apply, { changes: [change] }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  const proposal = await readAgain(guid);
  expect(proposal.revision).toBe(revision + 1);
  expect(proposal.since).toContainEqual(expect.objectContaining({ kind, by: writer.guid }));
  expect(await codeOf(approve, { guid, revision: proposal.revision })).toBeUndefined();
});

describe('what is given opens something else since', () => {
  const until = '2090-01-01T00:00:00.000Z';
  const given: [
    string,
    object,
    object | undefined,
    (world: { grant: Record<string, string>; accessScopeGuid: string; otherRoleId: string }) => object,
  ][] = [
    [
      'a profile for somebody who is blocked',
      { is_blocked: true },
      undefined,
      ({ grant }) => ({ assignProfile: grant }),
    ],
    [
      'a profile for longer',
      {},
      { valid_until: until },
      ({ grant }) => ({ assignProfile: { ...grant, validUntil: null } }),
    ],
    [
      'a profile in another role',
      {},
      {},
      ({ grant, otherRoleId }) => ({ assignProfile: { ...grant, roleId: otherRoleId } }),
    ],
    [
      'an access scope for longer',
      {},
      {},
      ({ grant: { profileId }, accessScopeGuid }) => ({
        assignAccessScope: { profileId, accessScopeGuid, validUntil: null },
      }),
    ],
  ];
  it.each(given)('%s is another revision, once', async (_what, person, link, changeOf) => {
    const { user_guid: userGuid, user_id } = await newUser(context, {
      idpname: 'names',
      idpid: randomUUID(),
      ...person,
    });
    const [profileId, roleId, otherRoleId] = [
      await newProfile(context),
      await newRole(context),
      await newRole(context),
    ];
    const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
    const { access_scope_guid: accessScopeGuid } = scope;
    await context.sql.rows('update profile_access_scopes set valid_until = $2 where profile_id = $1', [
      profileId,
      until,
    ]);
    if (link) await insert(context.sql, 'user_profiles', { user_id, profile_id: profileId, role_id: roleId, ...link });
    const { application_guid: applicationGuid } = await newApplication(context);
    const grant = { userGuid, profileId, roleId };
    // it has another number in each trial
    const made = { name: 'New', ...icons, applicationGuid: randomUUID() };
    const changes = [
      changeOf({ grant, accessScopeGuid, otherRoleId }),
      { createApplication: { input: made } },
      { mapping: { applicationGuid: made.applicationGuid, accessScopeGuid, from: null, to: 'active' } },
    ];
    const { proposalGuid: guid, revision } = await proposed(changes);
    await tryAgain();
    expect((await readAgain(guid)).revision).toBe(revision);
    const mapping = { applicationGuid, accessScopeGuid, from: null, to: 'active' };
    const writer = await newWriter();
    await graph.data(apply, { changes: [{ mapping }] }, writer.token);
    expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
    const proposal = await readAgain(guid);
    expect(proposal.revision).toBe(revision + 1);
    expect(proposal.since).toContainEqual(
      expect.objectContaining({ by: writer.guid, text: '1 mapping was added since.' }),
    );
    expect(await codeOf(approve, { guid, revision: revision + 1 })).toBeUndefined();
  });
});

it('a proposal of the version before keeps its revision, and its approval', async () => {
  const [open, scheduled] = [await newGrant(), await newGrant()];
  const { proposalGuid: guid, revision } = await proposed(open.changes);
  const later = await proposed(scheduled.changes);
  await graph.data(approve, { guid: later.proposalGuid, revision: later.revision, applyAt: soon() });
  await context.sql.rows(
    'update proposals set subject = null, approver_has_right = null where proposal_guid = any($1)',
    [[guid, later.proposalGuid]],
  );
  await tryAgain();
  expect((await readAgain(guid)).revision).toBe(revision);
  expect(await codeOf(approve, { guid, revision })).toBeUndefined();
  expect((await whenDue(later.proposalGuid)).state).toBe('APPLIED');
});

it.each([
  { accessScopeKey: 'every-secret' },
  { accessScopeKey: null, concreteId: 7 },
  { isWildcard: true },
])('another entry of an access scope that nobody has yet is another revision: %j', async (input) => {
  const scope = await newScope(context, await newScopeType(context), undefined, { access_scope_key: 'harmless' });
  const accessScopeGuid = scope.access_scope_guid;
  const { application_guid: applicationGuid } = await newApplication(context);
  const mapping = { applicationGuid, accessScopeGuid, from: null, to: 'active' };
  const { proposalGuid: guid, revision } = await proposed([{ mapping }]);
  const writer = await newWriter();
  await graph.data(apply, { changes: [{ updateAccessScope: { accessScopeGuid, input } }] }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  expect((await readAgain(guid)).since).toEqual([
    expect.objectContaining({ kind: 'ACCESS_SCOPES_UPDATED', by: writer.guid }),
  ]);
});

it('another name of the type of an access scope that nobody has yet is another entry, and another revision', async () => {
  const type = await newScopeType(context);
  const { access_scope_guid: accessScopeGuid } = await newScope(context, type, undefined, { access_scope_key: 'k' });
  const { application_guid: applicationGuid } = await newApplication(context);
  const { proposalGuid: guid, revision } = await proposed([
    { mapping: { applicationGuid, accessScopeGuid, from: null, to: 'active' } },
  ]);
  const [{ guid: accessScopeTypeGuid } = { guid: '' }] = await context.sql.rows<{ guid: string }>(
    'select access_scope_type_guid::text as guid from access_scope_types where access_scope_type_id = $1',
    [type],
  );
  const writer = await newWriter();
  const renamed = { updateAccessScopeType: { accessScopeTypeGuid, input: { name: `t${randomUUID()}` } } };
  await graph.data(apply, { changes: [renamed] }, writer.token);
  expect(await codeOf(approve, { guid, revision })).toBe('CONFLICT');
  expect((await readAgain(guid)).since).toEqual([
    expect.objectContaining({ kind: 'ACCESS_SCOPE_TYPES_UPDATED', by: writer.guid }),
  ]);
});

it('since says that there are older changes, also when none of the newer ones concerns the proposal', async () => {
  const { dan, changes } = await newGrant();
  const { proposalGuid: guid, revision } = await proposed(changes);
  await graph.data(updateUser, { guid: dan.user_guid, input: { idpid: randomUUID() } });
  const { user_guid: other } = await newUser(context);
  await context.sql.rows(
    `insert into change_sets (actor, face, occurred_at) select $1, 'graphql', clock_timestamp() from generate_series(1, 501)`,
    [other],
  );
  const proposal = await readAgain(guid);
  expect(proposal.revision).toBe(revision + 1);
  expect(proposal.since).toEqual([expect.objectContaining({ kind: 'MORE', names: [] })]);
});

it('since names a grant that has ended by itself, before the schedule removes it', async () => {
  const { dan, profileId, roleId, changes } = await newGrant();
  const otherId = await newProfile(context);
  await linkProfile(context, dan.user_id, otherId, roleId);
  const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  await context.sql.rows(
    'insert into profile_access_scopes (profile_id, access_scope_id, created_by) values ($1, $2, $3)',
    [otherId, scope.access_scope_id, systemUser],
  );
  const { proposalGuid: guid, revision } = await proposed(changes);
  await context.sql.transaction(async ({ rows }) => {
    // as if it had had this end before
    await rows('set local session_replication_role = replica');
    await rows('update user_profiles set valid_until = now() where profile_id = $1', [otherId]);
  });
  await tryAgain();
  const proposal = await readAgain(guid);
  expect(proposal.revision).toBe(revision + 1);
  expect(proposal.since).toEqual([
    expect.objectContaining({ kind: 'USER_PROFILES_ENDED', text: '1 grant of a profile was ended since.' }),
  ]);
});

describe('since names the change whenever the revision rises', () => {
  interface World {
    profileId: string;
    scopeGuid: string;
    applicationGuid: string;
    openedGuid: string;
    typeGuid: string;
  }
  const cases: [string, string, (world: World) => object][] = [
    [
      'another application is mapped to a scope of the profile',
      'ACCESS_SCOPE_APPLICATIONS_MAPPERS_ADDED',
      ({ applicationGuid, scopeGuid }) => ({
        mapping: { applicationGuid, accessScopeGuid: scopeGuid, from: null, to: 'active' },
      }),
    ],
    [
      'another application is mapped to the type of the scope',
      'ACCESS_SCOPE_TYPE_APPLICATIONS_MAPPERS_ADDED',
      ({ applicationGuid, typeGuid }) => ({
        mapping: { applicationGuid, accessScopeTypeGuid: typeGuid, from: null, to: 'active' },
      }),
    ],
    [
      'a mapping is removed',
      'ACCESS_SCOPE_APPLICATIONS_MAPPERS_REMOVED',
      ({ openedGuid, scopeGuid }) => ({
        mapping: { applicationGuid: openedGuid, accessScopeGuid: scopeGuid, from: 'active', to: null },
      }),
    ],
    [
      'an opened application is deactivated',
      'APPLICATIONS_UPDATED',
      ({ openedGuid }) => ({ updateApplication: { applicationGuid: openedGuid, input: { isActive: false } } }),
    ],
    [
      'a scope is deactivated',
      'ACCESS_SCOPES_UPDATED',
      ({ scopeGuid }) => ({ updateAccessScope: { accessScopeGuid: scopeGuid, input: { isActive: false } } }),
    ],
    [
      'the type is deactivated',
      'ACCESS_SCOPE_TYPES_UPDATED',
      ({ typeGuid }) => ({ updateAccessScopeType: { accessScopeTypeGuid: typeGuid, input: { isActive: false } } }),
    ],
    [
      'a scope is taken from the profile',
      'PROFILE_ACCESS_SCOPES_REMOVED',
      ({ profileId }) => ({ setProfileAccessScopes: { profileId, accessScopeGuids: [] } }),
    ],
  ];
  it.each(cases)('%s', async (_what, kind, changeOf) => {
    const { profileId, changes } = await newGrant();
    const type = await newScopeType(context);
    const scope = await newScope(context, type, profileId, { access_scope_key: 'k' });
    const [application, opened] = [await newApplication(context), await newApplication(context)];
    const typeStatement =
      'select access_scope_type_guid::text as guid from access_scope_types where access_scope_type_id = $1';
    const [{ guid: typeGuid } = { guid: '' }] = await context.sql.rows<{ guid: string }>(typeStatement, [type]);
    const world = {
      profileId,
      scopeGuid: scope.access_scope_guid,
      applicationGuid: application.application_guid,
      openedGuid: opened.application_guid,
      typeGuid,
    };
    const open = { applicationGuid: world.openedGuid, accessScopeGuid: world.scopeGuid, from: null, to: 'active' };
    await graph.data(apply, { changes: [{ mapping: open }] });
    const { proposalGuid: guid, revision } = await proposed(changes);
    const writer = await newWriter();
    await graph.data(apply, { changes: [changeOf(world)] }, writer.token);
    const proposal = await readAgain(guid);
    expect(proposal.revision).toBe(revision + 1);
    expect(proposal.since).toEqual([expect.objectContaining({ kind, by: writer.guid })]);
  });
});

describe('since names what changes the effect for people whom the changes do not name', () => {
  /** A holder of two profiles, each with an access scope of a type of its own that opens an application of its own. */
  async function newHolder() {
    const dan = await newDan();
    const side = async () => {
      const profileId = await newProfile(context);
      await linkProfile(context, dan.user_id, profileId, 'member');
      const type = await newScopeType(context);
      const { access_scope_guid: scopeGuid } = await newScope(context, type, profileId, { access_scope_key: 'k' });
      const { application_guid: applicationGuid } = await newApplication(context);
      const [{ guid: typeGuid } = { guid: '' }] = await context.sql.rows<{ guid: string }>(
        'select access_scope_type_guid::text as guid from access_scope_types where access_scope_type_id = $1',
        [type],
      );
      const mapping = { applicationGuid, accessScopeGuid: scopeGuid, from: null, to: 'active' };
      await graph.data(apply, { changes: [{ mapping }] });
      return { profileId, scopeGuid, applicationGuid, typeGuid };
    };
    return { dan, own: await side(), other: await side() };
  }
  type Holder = Awaited<ReturnType<typeof newHolder>>;
  const block = ({ dan }: Holder, isBlocked: boolean) => ({
    updateUser: { userGuid: dan.user_guid, input: { isBlocked } },
  });
  const cases: [string, string, (holder: Holder) => object, (holder: Holder) => object][] = [
    [
      'the type of a scope that is taken is renamed',
      'ACCESS_SCOPE_TYPES_UPDATED',
      ({ own }) => ({ setProfileAccessScopes: { profileId: own.profileId, accessScopeGuids: [] } }),
      ({ own }) => ({
        updateAccessScopeType: { accessScopeTypeGuid: own.typeGuid, input: { name: `t${randomUUID()}` } },
      }),
    ],
    [
      'an application that a scope opens, which is put out of use, is deactivated',
      'APPLICATIONS_UPDATED',
      ({ own }) => ({ updateAccessScope: { accessScopeGuid: own.scopeGuid, input: { isActive: false } } }),
      ({ own }) => ({ updateApplication: { applicationGuid: own.applicationGuid, input: { isActive: false } } }),
    ],
    [
      'a profile of a person who is blocked opens another application',
      'ACCESS_SCOPE_APPLICATIONS_MAPPERS_UPDATED',
      (holder) => block(holder, true),
      ({ own }) => ({
        mapping: {
          applicationGuid: own.applicationGuid,
          accessScopeGuid: own.scopeGuid,
          from: 'active',
          to: 'planned',
        },
      }),
    ],
    [
      'another profile of a holder opens the same',
      'ACCESS_SCOPE_APPLICATIONS_MAPPERS_ADDED',
      ({ own }) => ({ setProfileAccessScopes: { profileId: own.profileId, accessScopeGuids: [] } }),
      ({ own, other }) => ({
        mapping: { applicationGuid: own.applicationGuid, accessScopeGuid: other.scopeGuid, from: null, to: 'active' },
      }),
    ],
  ];
  it.each(cases)('%s', async (_what, kind, proposedBy, changedTo) => {
    const holder = await newHolder();
    const { proposalGuid: guid, revision } = await proposed([proposedBy(holder)]);
    const writer = await newWriter();
    await graph.data(apply, { changes: [changedTo(holder)] }, writer.token);
    const proposal = await readAgain(guid);
    expect(proposal.revision).toBe(revision + 1);
    expect(proposal.since).toContainEqual(expect.objectContaining({ kind, by: writer.guid }));
  });
});

describe('nobody approves what gives access to themselves', () => {
  it.each([
    ['the profile', ({ userGuid, profileId, roleId }) => ({ assignProfile: { userGuid, profileId, roleId } })],
    [
      'the profile, among others',
      ({ userGuid, otherGuid, profileId, roleId }) => ({
        assignProfiles: { userGuids: [otherGuid, userGuid], profileId, roleId },
      }),
    ],
    [
      'an application by a mapping',
      ({ applicationGuid, heldScopeGuid }) => ({
        mapping: { applicationGuid, accessScopeGuid: heldScopeGuid, from: null, to: 'active' },
      }),
    ],
    [
      'a scope of a held profile',
      ({ heldId, scopeGuid, heldScopeGuid }) => ({
        setProfileAccessScopes: { profileId: heldId, accessScopeGuids: [heldScopeGuid, scopeGuid] },
      }),
    ],
    [
      'a scope of a held profile that is out of use yet',
      ({ heldId, idleScopeGuid }) => ({ assignAccessScope: { profileId: heldId, accessScopeGuid: idleScopeGuid } }),
    ],
    [
      'a later end of a grant',
      ({ userGuid, endingId, roleId }) => ({
        assignProfile: { userGuid, profileId: endingId, roleId, validUntil: '2099-01-01T00:00:00Z' },
      }),
    ],
    [
      'a grant without an end',
      ({ userGuid, endingId, roleId }) => ({
        assignProfiles: { userGuids: [userGuid], profileId: endingId, roleId, validUntil: null },
      }),
    ],
    [
      'a held profile in another role',
      ({ userGuid, endingId }) => ({ assignProfile: { userGuid, profileId: endingId, roleId: 'member' } }),
    ],
    [
      'a later end of a scope of a held profile',
      ({ endingId, endingScopeGuid }) => ({
        assignAccessScope: { profileId: endingId, accessScopeGuid: endingScopeGuid, validUntil: null },
      }),
    ],
  ] as [string, (world: Record<string, string>) => object][])('%s', async (_what, changeOf) => {
    const owner = await newUser(context);
    const heldId = await newProfile(context);
    await linkProfile(context, owner.user_id, heldId, 'owner');
    const { profileId, roleId, dan } = await newGrant();
    const endingId = await newProfile(context);
    await linkProfile(context, owner.user_id, endingId, roleId);
    const application = await newApplication(context);
    await context.sql.rows('update profiles set owner_profile_id = $2 where profile_id = any($1)', [
      [profileId, endingId],
      heldId,
    ]);
    await context.sql.rows('update applications set owner_profile_id = $2 where application_guid = $1', [
      application.application_guid,
      heldId,
    ]);
    const type = await newScopeType(context);
    const endingScope = await newScope(context, type, endingId, { access_scope_key: 'ending' });
    for (const table of ['user_profiles', 'profile_access_scopes'])
      await context.sql.rows(`update ${table} set valid_until = '2090-01-01' where profile_id = $1`, [endingId]);
    const change = changeOf({
      userGuid: owner.user_guid,
      otherGuid: dan.user_guid,
      profileId,
      roleId,
      heldId,
      endingId,
      endingScopeGuid: endingScope.access_scope_guid,
      applicationGuid: application.application_guid,
      heldScopeGuid: (await newScope(context, type, heldId, { access_scope_key: 'held' })).access_scope_guid,
      scopeGuid: (await newScope(context, type, undefined, { access_scope_key: 'new' })).access_scope_guid,
      idleScopeGuid: (await newScope(context, type, undefined, { access_scope_key: 'idle', is_active: false }))
        .access_scope_guid,
    });
    const { proposalGuid: guid, revision } = await proposed([change]);
    const asOwner = graph.token(['admin:read'], { sub: owner.user_guid, profileId: heldId });
    const asKeeper = graph.token(undefined, { sub: owner.user_guid });
    for (const token of [asOwner, asKeeper])
      for (const applyAt of [null, soon()])
        expect(await codeOf(approve, { guid, revision, applyAt }, token)).toBe('FORBIDDEN');
    expect((await readAgain(guid)).state).toBe('OPEN');
    expect(await codeOf(approve, { guid, revision })).toBeUndefined();
  });
});

describe('nobody approves what makes their own sign-in that of another person', () => {
  const setId = (userGuid: string, idpid: string) => ({ updateUser: { userGuid, input: { idpid } } });
  it.each([
    ['another person takes their id', ['own', 'other'], 'FORBIDDEN'],
    ['their id alone changes', ['own'], 'FORBIDDEN'],
    ['the id of another person alone changes', ['other'], undefined],
  ] as const)('%s', async (_what, whose, refusal) => {
    const id = randomUUID();
    const own = (await newUser(context, { idpname: 'names', idpid: id })).user_guid;
    const changesOf = {
      own: setId(own, randomUUID()),
      other: setId((await newDan()).user_guid, whose.length > 1 ? id : randomUUID()),
    };
    const { proposalGuid: guid, revision } = await proposed(whose.map((one) => changesOf[one]));
    const token = graph.token(undefined, { sub: own });
    for (const applyAt of [soon(), null]) {
      expect(await codeOf(approve, { guid, revision, applyAt }, token)).toBe(refusal);
      if (!refusal) return;
    }
    expect((await readAgain(guid)).state).toBe('OPEN');
    expect(await codeOf(approve, { guid, revision })).toBeUndefined();
  });
});

it('a person approves what takes their own access, or ends it sooner', async () => {
  const { user_guid: userGuid, user_id } = await newUser(context);
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  await linkProfile(context, user_id, profileId, roleId);
  const token = graph.token(undefined, { sub: userGuid });
  const grant = { userGuid, profileId, roleId };
  for (const change of [
    { assignProfile: { ...grant, validUntil: '2099-01-01T00:00:00Z' } },
    { assignProfile: { ...grant, validUntil: '2090-01-01T00:00:00Z' } },
    { unassignProfile: grant },
  ]) {
    const { proposalGuid: guid, revision } = await proposed([change]);
    expect(await codeOf(approve, { guid, revision }, token)).toBeUndefined();
  }
});

describe('a scheduled proposal fails at its time if its approver has lost the right', () => {
  it.each([
    [
      'the profile was taken',
      ({ user_id }) => context.sql.rows('delete from user_profiles where user_id = $1', [user_id]),
    ],
    [
      'the profile lost the scope',
      ({ heldId }) => context.sql.rows('delete from profile_access_scopes where profile_id = $1', [heldId]),
    ],
    [
      'the grant has ended',
      ({ user_id }) => context.sql.rows('update user_profiles set valid_until = now() where user_id = $1', [user_id]),
    ],
  ] as [string, (world: { user_id: number; heldId: string }) => Promise<unknown>][])('%s', async (_what, lose) => {
    const { user_id, user_guid } = await newUser(context);
    const heldId = await newProfile(context);
    await giveScope(heldId, 'write');
    await linkProfile(context, user_id, heldId, 'member');
    const token = graph.token(['admin:read', 'admin:write'], { sub: user_guid, profileId: heldId });
    const [lost, kept] = [await newGrant(), await newGrant()];
    const [first, second] = [await proposed(lost.changes), await proposed(kept.changes)];
    for (const { proposalGuid: guid, revision } of [first, second])
      await graph.data(approve, { guid, revision, applyAt: soon() }, token);
    expect((await whenDue(second.proposalGuid)).state).toBe('APPLIED');
    await lose({ user_id, heldId });
    const failed = await whenDue(first.proposalGuid);
    expect([failed.state, await holders(lost.profileId)]).toEqual(['FAILED', 0]);
    expect(failed.problems).toEqual({ $: [expect.stringContaining('lost the right')] });
  });

  it('the approver keeps admin:write and has lost admin:security, which the changes need since', async () => {
    const { user_id, user_guid } = await newUser(context);
    const heldId = await newProfile(context);
    for (const key of ['write', 'security'] as const) await giveScope(heldId, key);
    await linkProfile(context, user_id, heldId, 'member');
    const profileId = await newProfile(context);
    const changes = [{ updateProfile: { profileId, input: { externalGroup: `group-${profileId}` } } }];
    const { proposalGuid: guid, revision } = await proposed(changes);
    await graph.data(approve, { guid, revision, applyAt: soon() }, graph.token(undefined, { sub: user_guid }));
    await context.sql.rows(
      `delete from profile_access_scopes has using access_scopes scope
       where has.access_scope_id = scope.access_scope_id and profile_id = $1 and access_scope_key = 'security'`,
      [heldId],
    );
    await giveScope(profileId, 'read');
    expect((await whenDue(guid)).state).toBe('FAILED');
    expect(
      await context.sql.rows('select from profiles where profile_id = $1 and external_group is not null', [profileId]),
    ).toEqual([]);
  });

  it('the owner of the profile was removed', async () => {
    const owner = await newUser(context);
    const ownerProfileId = await newProfile(context);
    await linkProfile(context, owner.user_id, ownerProfileId, 'owner');
    const { profileId, changes } = await newGrant();
    await context.sql.rows('update profiles set owner_profile_id = $2 where profile_id = $1', [
      profileId,
      ownerProfileId,
    ]);
    const { proposalGuid: guid, revision } = await proposed(changes);
    await graph.data(
      approve,
      { guid, revision, applyAt: soon() },
      graph.token(['admin:read'], { sub: owner.user_guid }),
    );
    await context.sql.rows('delete from user_profiles where user_id = $1', [owner.user_id]);
    expect((await whenDue(guid)).state).toBe('FAILED');
    expect(await holders(profileId)).toBe(0);
  });
});
