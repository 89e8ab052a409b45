/** Clients that others wrote: what the odata-query library builds is understood as it is. */
import buildQueryModule from 'odata-query';
import { newApplication, newMapping, newScopes, type RestApp, startRestApp, system } from './restApp.js';

type Build = (options: object) => string;
const buildQuery = ((buildQueryModule as unknown as { default?: Build }).default ??
  buildQueryModule) as unknown as Build;

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
  const scopes = await newScopes(app.sql, 2);
  for (const [index, name] of ['a', "b'c", 'd&e', '100%'].entries()) {
    const { application_id } = await newApplication(app.sql, {
      name,
      created_by: index ? system : app.caller,
      created_date: new Date(Date.UTC(2024, index)),
    });
    if (index % 2) await newMapping(app.sql, application_id, scopes[0]!);
  }
});
afterAll(() => app.close());

it.each([
  [{ filter: { name: "b'c" } }, ["b'c"]],
  [{ filter: { name: { startswith: 'd&' } } }, ['d&e']],
  [{ filter: { name: { contains: '%' } } }, ['100%']],
  [{ filter: { name: { in: ['a', '100%'] } } }, ['a', '100%']],
  [{ filter: { not: { name: 'a' } } }, ["b'c", 'd&e', '100%']],
  [{ filter: { or: [{ name: 'a' }, { and: [{ isActive: true }, { applicationId: { gt: 3 } }] }] } }, ['a', '100%']],
  [{ filter: { createdDate: { ge: new Date(Date.UTC(2024, 2)) } } }, ['d&e', '100%']],
  [{ filter: { description: null } }, ['a', "b'c", 'd&e', '100%']],
  [{ filter: { 'createdByNavigation/firstName': 'Grace' } }, ['a']],
  [{ filter: { 'tolower(name)': 'a' } }, ['a']],
  [
    { filter: { accessScopeApplicationsMappers: { any: { state: 'active', accessScope: { name: 'Scope 1' } } } } },
    ["b'c", '100%'],
  ],
  [{ orderBy: ['createdDate desc', 'name'], top: 2 }, ['100%', 'd&e']],
  [{ orderBy: 'name', skip: 1, top: 1 }, ['a']],
  [{ select: ['name', 'applicationId'], expand: ['translations', 'createdByNavigation'] }, ['a', "b'c", 'd&e', '100%']],
])('%j', async (options, names) => {
  const query = buildQuery(options);
  for (const form of [query, `?options=${encodeURIComponent(decodeURIComponent(query.slice(1)))}`]) {
    const { status, json } = await app.call('GET', `/api/applications${form}`);
    expect([form, status, json.errors]).toEqual([form, 200, undefined]);
    expect(json.map(({ name }: { name: string }) => name)).toEqual(names);
  }
});

it('$count is told in a header', async () => {
  const { headers, json } = await app.call('GET', `/api/applications${buildQuery({ count: true, top: 1 })}`);
  expect([headers.get('x-total-count'), json.length]).toEqual(['4', 1]);
});
