/**
 * What a date without a time means: where something ends, the end of that day in TIME_ZONE, at every door; where a command looks
 * back, the beginning of that day there; elsewhere nothing.
 */
import { randomUUID } from 'node:crypto';
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import type { Context } from '../../src/context.js';
import { endOfDay, isTimeZone, momentAt } from '../../src/entities/endOfDay.js';
import { openSchema } from '../../src/graphql/schema.js';
import { applyFile, planFile } from '../../src/modules/catalogueFile/applyFile.js';
import { readCsvUsers } from '../../src/modules/transfer/csvUsers.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { readMoment } from '../../src/services/records/input.js';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import {
  insert,
  linkProfile,
  newApplication,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../support/records.js';

// Cairo puts its clocks back at the midnight that ends this day, so its last hour is there twice
const zone = 'Africa/Cairo';
const day = '2037-10-29';
const end = '2037-10-29T21:59:59.000Z';

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph({ TIME_ZONE: zone });
  context = graph.app.context;
  await newRole(context, 'member');
});
afterAll(() => graph?.close());

it.each([
  ['2027-12-31', 'UTC', '2027-12-31T00:00:00.000Z'],
  ['2026-12-01', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
  ['2026-12-01', 'America/New_York', '2026-12-01T05:00:00.000Z'],
  // clocks are put forward from the midnight at which this day would begin
  ['2037-09-06', 'America/Santiago', '2037-09-06T04:00:00.000Z'],
  [day, zone, '2037-10-28T21:00:00.000Z'],
  ['2037-10-30', zone, '2037-10-29T22:00:00.000Z'],
  ['2026-12-01T10:00:00+01:00', 'Europe/Berlin', '2026-12-01T09:00:00.000Z'],
])('commands that look back take %s in %s as %s', (text, timeZone, begin) => {
  expect(readMoment('since', text, timeZone)).toBe(begin);
});

it.each([
  ['2027-12-31', 'UTC', '2027-12-31T23:59:59.000Z'],
  ['2026-12-01', 'Asia/Kolkata', '2026-12-01T18:29:59.000Z'],
  ['2026-12-01', 'America/New_York', '2026-12-02T04:59:59.000Z'],
  ['2026-07-01', 'America/New_York', '2026-07-02T03:59:59.000Z'],
  // the clocks go from 23:00 to midnight, and from midnight to 23:00
  ['2027-03-27', 'America/Nuuk', '2027-03-28T00:59:59.000Z'],
  ['2027-10-30', 'America/Nuuk', '2027-10-31T01:59:59.000Z'],
  // from midnight to 1:00, and from 1:00 to midnight
  ['2027-03-27', 'Asia/Beirut', '2027-03-27T21:59:59.000Z'],
  ['2026-10-31', 'America/Havana', '2026-11-01T03:59:59.000Z'],
])('the last second of %s in %s is %s', (date, timeZone, expected) => {
  expect(endOfDay(date, timeZone)).toBe(expected);
});

it('a time of a clock is that moment, and the later one where the clock shows it twice', () => {
  expect(momentAt('2026-12-01', '18:30', 'Asia/Kolkata')).toBe('2026-12-01T13:00:00.000Z');
  expect(momentAt('2026-11-01', '01:30:00', 'America/New_York')).toBe('2026-11-01T06:30:00.000Z');
});

it('only IANA names are time zones', () => {
  expect(['UTC', 'Europe/Berlin', '+02:00', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

const newHolderOf = async () => {
  const user = await newUser(context);
  return { ...user, profileId: await newProfile(context) };
};

const endOf = async (profileId: string) => {
  const rows = await context.sql.rows<{ end: string }>(
    `select to_json(valid_until at time zone 'UTC') #>> '{}' as end from user_profiles where profile_id = $1
     union all select to_json(valid_until at time zone 'UTC') #>> '{}' from profile_access_scopes where profile_id = $1`,
    [profileId],
  );
  return rows.map((row) => new Date(`${row.end}Z`).toISOString());
};

it.each([
  ['as a variable', (of: object) => graph.data(assign, { ...of, end: day })],
  [
    'in the document',
    (of: object) => graph.data(assign.replace(', $end: DateTime', '').replace('$end', `"${day}"`), of),
  ],
])('a mutation takes a day %s', async (_how, send) => {
  const { user_guid: userGuid, profileId } = await newHolderOf();
  await send({ userGuid, profileId });
  expect(await endOf(profileId)).toEqual([end]);
});
const assign = `mutation ($userGuid: UUID!, $profileId: ID!, $end: DateTime) {
  assignProfile(userGuid: $userGuid, profileId: $profileId, roleId: "member", validUntil: $end) { revision } }`;

it('a change set and a proposal take a day in each change that has an end', async () => {
  const { user_guid: userGuid, profileId } = await newHolderOf();
  const { access_scope_guid: accessScopeGuid } = await newScope(context, await newScopeType(context), undefined, {});
  const changes = [
    { assignProfile: { userGuid, profileId, roleId: 'member', validUntil: day } },
    { assignAccessScope: { profileId, accessScopeGuid, validUntil: day } },
    {
      assignProfiles: { userGuids: [(await newUser(context)).user_guid], profileId, roleId: 'member', validUntil: day },
    },
  ];
  const propose = `mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "N") { changes } }`;
  const { proposeChanges: proposal } = await graph.data(propose, { changes });
  const ends = proposal.changes.map((change: object) => Object.values(change)[0].validUntil);
  expect(ends).toEqual([end, end, end]);
  await graph.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', {
    changes,
  });
  expect(await endOf(profileId)).toEqual([end, end, end]);
});

it('a request for access, and a review with its decisions, take a day', async () => {
  const { application_id: applicationId, application_guid: applicationGuid } = await newApplication(context, {
    is_requestable: true,
  });
  const { access_scope_id: scopeId } = await newScope(
    context,
    await newScopeType(context),
    await newProfile(context),
    {},
  );
  await insert(context.sql, 'access_scope_applications_mappers', {
    application_id: applicationId,
    access_scope_id: scopeId,
    state: 'active',
    created_by: systemUser,
  });
  const { user_guid: userGuid, user_id: userId, profileId } = await newHolderOf();
  await linkProfile(context, userId, profileId, 'member');
  const ask = `mutation ($applicationGuid: UUID!, $until: DateTime) {
    requestAccess(applicationGuid: $applicationGuid, reason: "R", until: $until) { requestedUntil } }`;
  const person = graph.token([], { sub: userGuid, profileId });
  // a request is for a year at most
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { requestAccess: request } = await graph.data(ask, { applicationGuid, until: tomorrow }, person);
  expect(request.requestedUntil).toBe(endOfDay(tomorrow, zone));

  const start = `mutation ($profileId: ID!, $dueAt: DateTime!) {
    startReview(name: "R", dueAt: $dueAt, undecided: KEEP, filter: { kinds: [USER_PROFILE], profileIds: [$profileId] }) {
      reviewGuid dueAt items(first: 1) { nodes { itemGuid } } } }`;
  const { startReview: review } = await graph.data(start, { profileId, dueAt: day });
  expect(review.dueAt).toBe(end);
  const decide = `mutation ($items: [ReviewDecisionInput!]!, $reviewGuid: UUID!) {
    decideReviewItems(reviewGuid: $reviewGuid, items: $items) { items(first: 1) { nodes { until } } } }`;
  const items = [{ itemGuid: review.items.nodes[0].itemGuid, decision: 'END_AT', until: day }];
  const { decideReviewItems: decided } = await graph.data(decide, { reviewGuid: review.reviewGuid, items });
  expect(decided.items.nodes).toEqual([{ until: end }]);
});

/** A profile with an access scope and a holder, all of a file. */
function newFile(validUntil: string) {
  const [userGuid, type, scope] = [randomUUID(), randomUUID(), randomUUID()];
  const profileId = `p-${randomUUID().slice(0, 8)}`;
  const catalogue = {
    accessScopeTypes: [{ accessScopeTypeGuid: type, name: `type-${type}` }],
    accessScopes: [{ accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'S', accessScopeKey: 's' }],
    profiles: [{ profileId, name: 'P', accessScopeGuids: [scope], accessScopeEnds: { [scope]: validUntil } }],
  };
  const people = {
    users: [{ userGuid, idpname: 'guids' }],
    userProfiles: [{ userGuid, profileId, roleId: 'member', validUntil }],
  };
  return { catalogue, people, profileId, userGuid };
}

it('an import takes a day in the ends of grants and of tokens', async () => {
  const { catalogue, people, profileId, userGuid } = newFile(day);
  const tokens = [{ token: randomUUID(), userGuid, profileId, createdAt: '2026-01-01', expiresAt: day }];
  await importFile(context, { ...catalogue, ...people, tokens });
  expect(await endOf(profileId)).toEqual([end, end]);
  const [row] = await context.sql.rows<{ made: boolean; ends: boolean }>(
    'select created_at = $2::timestamptz as made, expires_at = $3::timestamptz as ends from tokens where profile_id = $1',
    [profileId, '2026-01-01T00:00:00Z', end],
  );
  expect(row).toEqual({ made: true, ends: true });
});

it('CSV takes a day', async () => {
  const profileId = await newProfile(context);
  const text = `email,profileId,roleId,validUntil\r\n${randomUUID()}@example.org,${profileId},member,${day}\r\n`;
  await importFile(context, (await readCsvUsers(context, text, undefined)).content);
  expect(await endOf(profileId)).toEqual([end]);
});

it("the catalogue's file in git takes a day", async () => {
  const { catalogue, profileId } = newFile(day);
  const file = { managedBy: 'git', ...catalogue };
  await applyFile(context, file, (await planFile(context, file)).hash, {});
  expect(await endOf(profileId)).toEqual([end]);
});

it.each([
  ['a time without an offset, where TIME_ZONE is not UTC', '2037-12-31T12:00:00'],
  ['a day that is on no calendar', '2037-02-30'],
  ['a day in the form of a country', '31.12.2037'],
])('a file with %s is refused', async (_what, validUntil) => {
  const { catalogue, people } = newFile(validUntil);
  await expect(importFile(context, catalogue)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const { catalogue: whole } = newFile(day);
  await expect(importFile(context, { ...whole, ...people })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

it('where nothing ends, the graph refuses a date without a time', async () => {
  const { application_guid: guid } = await newApplication(context);
  const refused = [
    `{ accessOf(applicationGuid: "${guid}", asOf: "${day}") { link } }`,
    `{ users(first: 1, filter: { createdDate: { ge: "${day}" } }) { totalCount } }`,
    `{ userProfiles(first: 1, filter: { validUntil: { ge: "${day}" } }) { totalCount } }`,
    `mutation { createUser(input: { idpname: "guids", invitationDate: "${day}" }) { userGuid } }`,
    `mutation { proposeChanges(note: "N", applyAt: "${day}", changes: []) { title } }`,
  ];
  for (const query of refused)
    expect((await graph.ask(query)).json?.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
});

it('each time that the graph takes is the end of something, or known here as none', () => {
  const found = new Set<string>();
  for (const type of Object.values(openSchema().getTypeMap())) {
    const inputs = isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type)
        ? Object.values(type.getFields()).flatMap(({ args }) => args)
        : [];
    for (const { name, type: of } of inputs) if (getNamedType(of).name === 'DateTime') found.add(name);
  }
  const operators = ['eq', 'ge', 'gt', 'in', 'le', 'lt', 'ne', 'notIn'];
  const others = ['anbacceptanceDate', 'applyAt', 'asOf', 'invitationDate', 'since'];
  expect([...found].sort()).toEqual(['dueAt', 'until', 'validUntil', ...operators, ...others].sort());
});
