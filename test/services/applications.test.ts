/** Applications and mappings behind every face: permission first, changes by name, what somebody else changed is kept. */
import { randomUUID } from 'node:crypto';
import type { Permission } from '../../src/auth/caller.js';
import type { Context } from '../../src/context.js';
import { Application } from '../../src/entities/Application.js';
import { GatehouseError } from '../../src/errors.js';
import { createApplication, updateApplication } from '../../src/services/catalogue/applications.js';
import {
  createMappings,
  deleteMapping,
  deleteMappings,
  scopeMappings,
  typeMappings,
  updateMappings,
} from '../../src/services/catalogue/mappings.js';
import * as version from '../../src/services/read/listRecords.js';
import * as listing from '../../src/services/read/listRecords.js';
import { listedShape } from '../../src/services/read/listShape.js';
import { newApplication, newApplicationBody, newScopes } from '../rest/restApp.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
let context: Context;
beforeAll(async () => {
  app = await startTestApp();
  context = app.context;
});
afterAll(() => app.close());

const as = (...permissions: Permission[]): Context => ({
  ...context,
  caller: {
    kind: 'user',
    sub: randomUUID(),
    profileId: 'p',
    roleId: 'r',
    permissions: new Set(permissions),
  },
});
const codeOf = (asked: () => unknown) =>
  Promise.resolve()
    .then(asked)
    .then(
      () => 'fine',
      (error) => (error instanceof GatehouseError ? error.code : error),
    );

const guid = randomUUID();
const query = { shape: listedShape(Application) };
const writes: [string, (context: Context) => unknown][] = [
  ['createApplication', (c) => createApplication(c, {})],
  ['updateApplication', (c) => updateApplication(c, guid, {})],
  ['createMappings', (c) => createMappings(c, scopeMappings, guid, [])],
  ['updateMappings', (c) => updateMappings(c, typeMappings, guid, [])],
  ['deleteMappings', (c) => deleteMappings(c, scopeMappings, guid, [])],
  ['deleteMapping', (c) => deleteMapping(c, scopeMappings, guid, guid)],
];
const reads: [string, (context: Context) => unknown][] = [
  ['listApplications', (c) => listing.listApplications(c, query)],
  ['listMappings', (c) => listing.listMappings(c, 1, query)],
  ['listMappingsByKey', (c) => listing.listMappingsByKey(c, [1])],
  ['countApplications', (c) => listing.countApplications(c, query)],
  ['countMappings', (c) => listing.countMappings(c, 1, query)],
  ['getApplication', (c) => listing.getApplication(c, guid)],
  ['catalogueVersion', (c) => version.catalogueVersion(c)],
  ['catalogueVersionFor', (c) => version.catalogueVersionFor(c, guid)],
];

it.each(writes)('%s needs admin:write, whoever asks it', async (_name, ask) => {
  expect(await codeOf(() => ask({ ...context, caller: { kind: 'anonymous' } }))).toBe('UNAUTHENTICATED');
  expect(await codeOf(() => ask(as('admin:read', 'admin:security')))).toBe('FORBIDDEN');
  expect(['BAD_USER_INPUT', 'NOT_FOUND']).toContain(await codeOf(() => ask(as('admin:write'))));
});

it.each(reads)('%s needs admin:read, whoever asks it', async (_name, ask) => {
  expect(await codeOf(() => ask({ ...context, caller: { kind: 'anonymous' } }))).toBe('UNAUTHENTICATED');
  expect(await codeOf(() => ask(as('admin:security')))).toBe('FORBIDDEN');
  expect(['fine', 'NOT_FOUND']).toContain(await codeOf(() => ask(as('admin:read'))));
});

describe('updateApplication', () => {
  const row = async (guid: string) =>
    (
      await context.sql.rows<Record<string, unknown>>('select * from applications where application_guid = $1', [guid])
    )[0]!;

  it('changes what is present, clears with null, leaves the rest, and raises the revision', async () => {
    const { applicationGuid } = await createApplication(
      context,
      newApplicationBody({ description: 'x', isIframe: true }),
    );
    const before = await row(applicationGuid);
    await updateApplication(context, `{${applicationGuid.toUpperCase()}}`, {
      description: null,
      name: 'New',
      isActive: false,
    });
    expect(await row(applicationGuid)).toEqual({
      ...before,
      description: null,
      name: 'New',
      is_active: false,
      revision: 2,
      modified_by: context.config.systemUserGuid,
      modified_date: expect.any(String),
    });
  });

  it('to what it is already changes nothing', async () => {
    const { applicationGuid } = await createApplication(context, newApplicationBody());
    const before = await row(applicationGuid);
    await updateApplication(context, applicationGuid, { name: 'Gate', description: null });
    await updateApplication(context, applicationGuid, {});
    expect(await row(applicationGuid)).toEqual(before);
  });

  it('is refused when somebody else changed it since', async () => {
    const { applicationGuid } = await createApplication(context, newApplicationBody());
    await updateApplication(context, applicationGuid, { name: 'A' }, 1);
    expect(await codeOf(() => updateApplication(context, applicationGuid, { name: 'B' }, 1))).toBe('CONFLICT');
    expect((await row(applicationGuid)).name).toBe('A');
  });

  it.each([
    { name: null },
    { name: '' },
    { createdBy: guid },
    { applicationGuid: guid },
    { revision: 5 },
    { isActive: null },
  ])('refuses %j', async (input) => {
    const { applicationGuid } = await createApplication(context, newApplicationBody());
    const error = await updateApplication(context, applicationGuid, input).catch((error) => error);
    expect([error.code, Object.keys(error.more.problems)]).toEqual(['BAD_USER_INPUT', Object.keys(input)]);
  });
});

it('mappings to access scope types are made, changed and removed by the same rules', async () => {
  const { application_guid } = await newApplication(context.sql);
  await newScopes(context.sql, 1);
  await newScopes(context.sql, 1);
  const types = await context.sql.rows<{ guid: string }>(
    "select access_scope_type_guid guid from access_scope_types where name <> 'admin'",
  );
  const items = types.map(({ guid: accessScopeTypeGuid }) => ({ accessScopeTypeGuid }));
  const keys = await createMappings(context, typeMappings, application_guid, items);
  expect(keys).toHaveLength(2);
  expect(await updateMappings(context, typeMappings, application_guid, [{ ...items[1], state: 'off' }])).toEqual([
    keys[1],
  ]);
  expect(
    await context.sql.rows('select state, revision from access_scope_type_applications_mappers order by 1'),
  ).toEqual([
    { state: 'active', revision: 1 },
    { state: 'off', revision: 2 },
  ]);
  expect(await codeOf(() => createMappings(context, typeMappings, application_guid, items))).toBe('CONFLICT');
  expect(await codeOf(() => createMappings(context, typeMappings, application_guid, [{ accessScopeGuid: guid }]))).toBe(
    'BAD_USER_INPUT',
  );
  expect(await deleteMappings(context, typeMappings, application_guid, items)).toHaveLength(2);
  expect(await codeOf(() => deleteMappings(context, typeMappings, application_guid, items))).toBe('NOT_FOUND');
});
