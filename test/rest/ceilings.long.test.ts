/** What a request of the REST face costs at most, accepted and refused: SECURITY.md has the ceilings. */
import fc from 'fast-check';
import { type Ceiling, expectWithin, searchWithin } from '../support/costCeiling.js';
import {
  newApplication,
  newApplicationBody,
  newApplications,
  newScopes,
  type RestApp,
  startRestApp,
} from './restApp.js';

const applications = 300;
const mappings = 20;
let app: RestApp;
let guid: string;
let scopes: string[];
beforeAll(async () => {
  app = await startRestApp({ DATABASE_STATEMENT_TIMEOUT_MS: '60000' });
  scopes = await newScopes(app.sql, 2_000);
  await newApplications(app.sql, applications, scopes.slice(0, mappings));
  guid = (await newApplication(app.sql)).application_guid;
  await app.sql.rows('analyze');
});
afterAll(() => app?.close());

/** An error of any kind; what is in it comes from us. */
const refused: Ceiling = { cpu: 150, loopDelay: 75, databaseCpu: 150, statements: 4, bytesOut: 65_536, memory: 100 };
/** A list of so many applications: 8 MB. */
const listed: Ceiling = { cpu: 1_500, loopDelay: 250, databaseCpu: 2_000, statements: 5, memory: 100 };
const bulk: Ceiling = { cpu: 4_000, loopDelay: 1_000, statements: 40, bytesOut: 8_000_000, memory: 300 };

const list = (options: string) => async () =>
  (await app.call('GET', `/api/applications?${new URLSearchParams({ options })}`)).text;

it('lists of any options cost a bounded part of what they give', async () => {
  const any = (depth: number) =>
    `accessScopeApplicationsMappers/any(m: ${'('.repeat(depth)}m/state eq 'x'${')'.repeat(depth)})`;
  const terms = fc.constantFrom(
    `contains(tolower(name),'a')`,
    `trim(toupper(name)) ne 'x'`,
    `startswith(createdByNavigation/firstName,'G')`,
    any(1),
    `accessScopeApplicationsMappers/any(m: contains(tolower(m/accessScope/accessScopeType/name),'q'))`,
    `applicationId in (1,2,3)`,
  );
  const filters = fc.array(terms, { minLength: 1, maxLength: 12 }).map((all) => `$filter=${all.join(' or ')}`);
  await searchWithin(
    app,
    {
      requests: filters,
      regressions: [
        '$orderby=createdByNavigation/lastName desc,name,appType&$count=true',
        '$expand=accessScopeApplicationsMappers/accessScope/accessScopeType/createdByNavigation',
        `$filter=${Array(15).fill(`accessScopeApplicationsMappers/any(m: contains(tolower(m/accessScope/name),'zz'))`).join(' or ')}`,
        `$filter=name in (${Array(90).fill(`'x'`).join(',')})`,
        '$skip=299&$top=1',
      ],
      runs: 8,
      what: (options) => options.slice(0, 100),
    },
    (options) => list(options)(),
    listed,
  );
});

it('options that are refused cost next to nothing, however long', async () => {
  const long = 15_000;
  await searchWithin(
    app,
    {
      requests: fc.string({ maxLength: 2_000 }).map((text) => `$filter=${text}`),
      regressions: [
        `$filter=${'('.repeat(long)}`,
        `$filter=${'not '.repeat(long / 4)}true`,
        `$filter=name eq '${"''".repeat(long / 2)}`,
        `$filter=name in (${'1,'.repeat(long / 2)}1)`,
        `$orderby=${'name,'.repeat(long / 5)}name`,
        `$select=${'name,'.repeat(long / 5)}x`,
        `$expand=${'createdByNavigation/'.repeat(long / 20)}x`,
        `$top=${'9'.repeat(long)}`,
      ],
      runs: 20,
      what: (options) => options.slice(0, 60),
    },
    (options) => list(options)(),
    refused,
  );
});

const post = (body: string) => async () =>
  (await app.call('POST', `/api/applications/${guid}/accessScopes`, { body })).text;

it('bulks that are refused cost what their bytes do, and say at most 64 KiB', async () => {
  const mebibytes = 7.9 * 1024 * 1024;
  const filled = (open: string, item: string, close: string) =>
    open + item.repeat(Math.floor((mebibytes - open.length - close.length) / item.length)) + close;
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',')}}`;
  const worst: Record<string, string> = {
    'an array of arrays': filled('[', '[],', '[]]'),
    'items without anything': `[${Array(10_000).fill('{}').join(',')}]`,
    'items that all are wrong': `[${Array(10_000).fill('{"accessScopeGuid":"x","state":1,"y":2}').join(',')}]`,
    'unknown members': `[${members(500_000)}]`,
    'a member with a long name': `[{"${'n'.repeat(mebibytes - 100)}":1}]`,
    'the same scope each time': `[${Array(10_000).fill(`{"accessScopeGuid":"${scopes[0]}"}`).join(',')}]`,
    'scopes that are not there': `[${Array.from({ length: 10_000 }, (_, n) => `{"accessScopeGuid":"00000000-0000-4000-8000-${String(n).padStart(12, '0')}"}`).join(',')}]`,
    'nesting without end': `${'['.repeat(mebibytes / 2)}${']'.repeat(mebibytes / 2)}`,
    'filled items': `[${Array(10_000)
      .fill(
        `{"accessScopeGuid":"${scopes[0]}","state":"${'s'.repeat(50)}","individualExternalLink":"${'l'.repeat(600)}"}`,
      )
      .join(',')}]`,
    'text that is no JSON': filled('["', 'x', ''),
  };
  for (const [what, body] of Object.entries(worst)) {
    await expectWithin(app, what, post(body), {
      ...refused,
      cpu: 1_000,
      loopDelay: 600,
      memory: 250,
      statements: 8,
    });
  }
});

it('a bulk of two thousand costs what it makes', async () => {
  const items = JSON.stringify(scopes.map((accessScopeGuid) => ({ accessScopeGuid })));
  const makeAndRemove = async () => {
    const made = await post(items)();
    await app.call('POST', `/api/applications/${guid}/accessScopes:delete`, { body: items });
    return made;
  };
  await expectWithin(app, 'a bulk', makeAndRemove, bulk);
});

it('single records, read, made and refused', async () => {
  const single: Ceiling = { cpu: 100, loopDelay: 50, databaseCpu: 100, statements: 12, bytesOut: 65_536 };
  const path = `/api/applications/${guid}`;
  await expectWithin(app, 'one', async () => (await app.call('GET', path)).text, single);
  const large = { ...newApplicationBody(), description: 'x'.repeat(250_000) };
  for (const body of [newApplicationBody(), large, { name: 1, x: 2 }])
    await expectWithin(
      app,
      'a creation',
      async () => (await app.call('POST', '/api/applications', { body })).text,
      single,
    );
  await expectWithin(app, 'no such path', async () => (await app.call('GET', `/${'x'.repeat(12_000)}`)).text, single);
});
