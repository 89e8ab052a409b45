/** Who approves a change reads all of it: every field of every kind of change, with names in the place of ids. */
import { randomUUID } from 'node:crypto';
import { getNamedType, getNullableType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { Context } from '../../../src/context.js';
import { sentencesOf, titleOf, titleOfRequest } from '../../../src/modules/changes/title.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import {
  newApplication,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';
import { fill, fillObject, known, membersOf, ownIdOf, preconditions } from './filledChanges.js';

let graph: TestGraph;
let context: Context;
let plants: number;
beforeAll(async () => {
  graph = await startTestGraph({ TIME_ZONE: 'America/New_York' });
  context = graph.app.context;
  const { sql } = context;
  const user = await newUser(context, { first_name: 'Ada', last_name: 'Abebe' });
  known.userGuid = { id: user.user_guid, name: 'Ada Abebe' };
  known.invitedBy = known.assignedCustomerSupportGuid = known.userGuid;
  const application = await newApplication(context, { name: 'Harbour desk' });
  known.applicationGuid = { id: application.application_guid, name: 'Harbour desk' };
  plants = await newScopeType(context, 'Plants');
  const [type] = await sql.rows<{ guid: string }>(
    'select access_scope_type_guid::text as guid from access_scope_types where access_scope_type_id = $1',
    [plants],
  );
  known.accessScopeTypeGuid = { id: type!.guid, name: 'Plants' };
  const scope = await newScope(context, plants, undefined, { name: 'Plant 010' });
  known.accessScopeGuid = { id: scope.access_scope_guid, name: 'Plant 010' };
  await newProfile(context, 'p-audit');
  await newRole(context, 'r-deputy');
  await sql.rows("update profiles set name = 'IT auditor' where profile_id = 'p-audit'");
  await sql.rows("update roles set name = 'Deputy' where role_id = 'r-deputy'");
  known.profileId = known.ownerProfileId = { id: 'p-audit', name: 'IT auditor' };
  known.roleId = { id: 'r-deputy', name: 'Deputy' };
  await sql.rows("insert into change_sets (actor, face) values ($1, 'cli')", [systemUser]);
  const [set] = await sql.rows<{ guid: string; at: string }>(
    `select change_set_guid::text as guid, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
     from change_sets order by change_set_id desc limit 1`,
  );
  known.changeSetGuid = { id: set!.guid, name: set!.at };
});
afterAll(() => graph?.close());

/** Each kind of change with what it requires and one more of its fields. */
function* eachField(): Generator<{ name: string; field: string; change: object; read: string[] }> {
  for (const { name, fields } of membersOf()) {
    const isNew = ownIdOf(name);

    for (const field of fields) {
      // a mapping is of an access scope or of a type
      const scope = field.name === 'accessScopeTypeGuid' ? field.name : 'accessScopeGuid';
      const always = name === 'mapping' ? [scope, 'to'] : [];
      const required = fields.filter((each) => isNonNullType(each.type) || always.includes(each.name));
      const inner = getNamedType(field.type);
      const parts = isInputObjectType(inner)
        ? Object.values(inner.getFields()).filter((part) => !preconditions.has(part.name))
        : [];
      const own = parts.length > 0 ? parts : [undefined];
      for (const part of own) {
        const value: Record<string, unknown> = {};
        const read: string[] = [];
        for (const { name: given, type } of new Set([...required, field])) {
          const nested = getNamedType(type);
          const chosen = isInputObjectType(nested)
            ? fillObject(
                Object.values(nested.getFields()).filter((each) => isNonNullType(each.type) || each === part),
                isNew,
              )
            : fill(given, type, isNew);
          value[given] = isListType(getNullableType(type)) && isInputObjectType(nested) ? [chosen.value] : chosen.value;
          read.push(...chosen.read);
        }
        yield { name, field: part ? `${field.name}.${part.name}` : field.name, change: { [name]: value }, read };
      }
    }
  }
}

it('each field of each kind of change is in its title and in its sentence', async () => {
  const missing: string[] = [];
  let count = 0;
  for (const { name, field, change, read } of eachField()) {
    const title = await titleOf(context, [change]);
    const [sentence] = await sentencesOf(context, [change]);
    for (const text of read)
      if (!title.includes(text) || !sentence!.text.includes(text))
        missing.push(`${name}.${field}: ${text} in ${title}`);
    count++;
  }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

it('no id is read where a name is known', async () => {
  const ids = Object.values(known).map(({ id }) => id);
  for (const { name, field, change } of eachField()) {
    const title = await titleOf(context, [change]);
    if (!ownIdOf(name)) expect([name, field, ids.filter((id) => title.includes(id))]).toEqual([name, field, []]);
  }
});

it('all fields of a kind together are in its sentence', async () => {
  for (const { name, fields } of membersOf()) {
    if (name === 'mapping' || name === 'translation') continue;
    const { value, read } = fillObject(fields, ownIdOf(name));
    const [sentence] = await sentencesOf(context, [{ [name]: value }]);
    expect(read.filter((text) => !sentence!.text.includes(text))).toEqual([]);
  }
});

const grant = (validUntil?: string | null, roleId = 'r-deputy') => ({
  assignProfiles: {
    profileId: 'p-audit',
    roleId,
    validUntil,
    userGuids: Array.from({ length: 1_326 }, () => randomUUID()),
  },
});
// the end of 24 February in New York
const end = '2027-02-25T04:59:59.000Z';

it.each([
  ['one grant', [grant(end)], 'Give IT auditor to 1,326 people as Deputy until 24 February 2027'],
  [
    'an end within a day',
    [grant('2027-02-25T04:00:00.000Z')],
    'Give IT auditor to 1,326 people as Deputy until 24 February 2027, 23:00 America/New_York',
  ],
  ['no end', [grant(null)], 'Give IT auditor to 1,326 people as Deputy without an end'],
  [
    'several ends and roles',
    [grant(end), grant(null, 'r-boss')],
    'Give IT auditor to 2,652 people as Deputy or r-boss until 24 February 2027 or without an end',
  ],
])('the title of grants says role and end: %s', async (_what, changes, title) => {
  expect(await titleOf(context, changes)).toBe(title);
});

it('changes that differ in more than their subject have sentences of their own', async () => {
  const isBlocked = (userGuid: string) => ({ updateUser: { userGuid, input: { isBlocked: true } } });
  const changes = [grant(end), isBlocked(known.userGuid!.id), grant(null), isBlocked(randomUUID())];
  expect(await sentencesOf(context, changes)).toEqual([
    { text: 'Give IT auditor to 1,326 people as Deputy until 24 February 2027', count: 1 },
    { text: expect.stringMatching(/^Update 2 users: Ada Abebe and .{36} \(blocked: yes\)$/), count: 2 },
    { text: 'Give IT auditor to 1,326 people as Deputy without an end', count: 1 },
  ]);
});

it('a proposal is read as its sentences, before and after it was decided', async () => {
  const { user_guid: userGuid } = await newUser(context, { first_name: 'Bo', last_name: 'Chen' });
  const changes = [{ assignProfile: { userGuid, profileId: 'p-audit', roleId: 'r-deputy', validUntil: '2037-02-24' } }];
  const text = 'Give IT auditor to Bo Chen as Deputy until 24 February 2037';
  const propose = `mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "N") {
    proposalGuid revision title sentences { text count } effect { groups(by: CHANGE) { nodes { label } } } } }`;
  const { proposeChanges: proposal } = await graph.data(propose, { changes });
  expect(proposal).toMatchObject({
    title: text,
    sentences: [{ text, count: 1 }],
    effect: { groups: { nodes: [{ label: text }] } },
  });
  const approve = `mutation ($guid: UUID!, $revision: Int!) { approveProposal(proposalGuid: $guid, ifRevision: $revision) {
    state title sentences { text } changeSet { summary } } }`;
  const variables = { guid: proposal.proposalGuid, revision: proposal.revision };
  const { approveProposal: decided } = await graph.data(approve, variables);
  expect(decided).toMatchObject({
    state: 'APPLIED',
    title: text,
    sentences: [{ text }],
    changeSet: { summary: 'IT auditor given to Bo Chen as Deputy until 24 February 2037' },
  });
});

it('a person without a name and an e-mail address is named by the name for SCIM, in titles and in the history', async () => {
  const { user_guid: userGuid } = await newUser(context, { first_name: null, last_name: null, user_name: 'bo.chen' });
  const application = await newApplication(context, { name: 'Desk' });
  await newProfile(context, 'p-called');
  const change = { assignProfile: { userGuid, profileId: 'p-called', roleId: 'r-deputy' } };
  expect(await titleOf(context, [change])).toMatch(/ to bo\.chen as Deputy$/);
  expect(await titleOfRequest(context, userGuid, application.application_guid)).toBe('bo.chen requests Desk');
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { summary } }';
  const { applyChanges } = await graph.data(apply, { changes: [change] });
  expect(applyChanges.summary).toMatch(/ given to bo\.chen as Deputy$/);
});

it('a stored name turns no sentence: what would turn it is shown as unreadable', async () => {
  const { user_guid: userGuid } = await newUser(context, { first_name: '\u202EBo', last_name: '\u2067Chen\u2069' });
  const application = await newApplication(context, { name: 'Desk \u202D' });
  await newProfile(context, 'p-turned');
  await context.sql.rows("update profiles set name = 'crew \u202ErotarepO' where profile_id = 'p-turned'");
  const change = { assignProfile: { userGuid, profileId: 'p-turned', roleId: 'r-deputy' } };
  const text = 'Give crew \uFFFDrotarepO to \uFFFDBo \uFFFDChen\uFFFD as Deputy';
  expect(await titleOf(context, [change])).toBe(text);
  expect((await sentencesOf(context, [change]))[0]!.text).toBe(text);
  expect(await titleOfRequest(context, userGuid, application.application_guid)).toBe(
    '\uFFFDBo \uFFFDChen\uFFFD requests Desk \uFFFD',
  );
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { summary } }';
  const { applyChanges } = await graph.data(apply, { changes: [change] });
  expect(applyChanges.summary).toBe('crew \uFFFDrotarepO given to \uFFFDBo \uFFFDChen\uFFFD as Deputy');
});

// last, because it gives the records other names
it('each field that a change gives a record is in the history of the record', async () => {
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
  const versions = `query ($type: String!, $id: String!) {
    history(subjectType: $type, subjectId: $id, first: 1) { nodes { changes { field after } } } }`;
  const other = await newScopeType(context);
  const told: string[] = [];
  const missing: string[] = [];
  for (const { name, field, change } of eachField()) {
    const [, type] = /^update((?!User)\w+[^s])$/.exec(name) ?? [];
    const [, of] = /^input\.(\w+)$/.exec(field) ?? [];
    if (!type || !of) continue;
    const { input, ...key } = (change as Record<string, { input: Record<string, unknown> }>)[name]!;
    const isFlag = input[of] === true;
    // the access scope is of the known type already
    if (of === 'accessScopeTypeGuid')
      await context.sql.rows('update access_scopes set access_scope_type_id = $1', [other]);
    if (isFlag) await graph.data(apply, { changes: [{ [name]: { ...key, input: { ...input, [of]: false } } }] });
    await graph.data(apply, { changes: [change] });
    const { history } = await graph.data(versions, { type, id: Object.values(key)[0] });
    // a version has the number of a type
    const [kept, value] = of === 'accessScopeTypeGuid' ? ['accessScopeTypeId', plants] : [of, input[of]];
    const found = history.nodes[0].changes.find((each: { field: string }) => each.field === kept);
    if (JSON.stringify(found?.after) !== JSON.stringify(value)) missing.push(`${name}.${of}`);
    told.push(name);
  }
  expect(missing).toEqual([]);
  expect([...new Set(told)]).toEqual([
    'updateAccessScope',
    'updateAccessScopeType',
    'updateApplication',
    'updateProfile',
    'updateRole',
  ]);
});
