/** If-Match and If-None-Match at the administration over REST: no change is made over one that its author has not seen (RFC 9110 §13). */
import { untilBlocked } from '../support/until.js';
import {
  newApplication,
  newApplicationBody,
  newMapping,
  newScopes,
  type RestApp,
  startRestApp,
  system,
} from './restApp.js';

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
});

interface World {
  path: string;
  scopes: string[];
  /** What the database has of the application, and how many applications there are. */
  state(): Promise<unknown>;
}
async function newWorld(): Promise<World> {
  const { application_id, application_guid } = await newApplication(app.sql);
  const scopes = await newScopes(app.sql, 4);
  for (const scope of scopes.slice(0, 2)) await newMapping(app.sql, application_id, scope);
  const state = () =>
    app.sql.rows(
      `select (select count(*)::integer from applications) as applications, array_agg(s.access_scope_guid || m.state order by m.access_scope_id)
       from access_scope_applications_mappers m join access_scopes s using (access_scope_id) where application_id = $1`,
      [application_id],
    );
  return { path: `/api/applications/${application_guid}/accessScopes`, scopes, state };
}

type Change = [
  what: string,
  list: (world: World) => string,
  method: string,
  path: (world: World) => string,
  body?: (world: World) => unknown,
];
const mappings = ({ path }: World) => path;
const changes: Change[] = [
  ['PATCH', mappings, 'PATCH', mappings, ({ scopes }) => [{ accessScopeGuid: scopes[0], state: 'changed' }]],
  ['POST', mappings, 'POST', mappings, ({ scopes }) => [{ accessScopeGuid: scopes[2] }]],
  ['DELETE', mappings, 'DELETE', ({ path, scopes }) => `${path}/${scopes[1]}`],
  [
    'the bulk delete',
    mappings,
    'POST',
    ({ path }) => `${path}:delete`,
    ({ scopes }) => [{ accessScopeGuid: scopes[0] }],
  ],
  [
    'the creation of an application',
    () => '/api/applications',
    'POST',
    () => '/api/applications',
    () => newApplicationBody(),
  ],
];

describe.each(changes)('%s', (_what, list, method, path, body) => {
  const call = (world: World, headers: Record<string, string>) =>
    app.call(method, path(world), { headers, ...(body && { body: body(world) }) });
  const etagOf = async (world: World) => (await app.call('GET', list(world))).headers.get('etag')!;

  it('with an If-Match that is false answers 412 and changes nothing, in a dry run too', async () => {
    const world = await newWorld();
    const stale = await etagOf(world);
    await app.call('POST', '/api/applications', { body: newApplicationBody() });
    const before = await world.state();
    for (const [ifMatch, more] of [
      ['"nope"', {}],
      ['nope', {}],
      ['', {}],
      [stale, {}],
      [`"a", ${stale}`, {}],
      [stale, { prefer: 'dry-run' }],
    ] as const) {
      const answer = await call(world, { 'if-match': ifMatch, ...more });
      expect([ifMatch, answer.status, answer.headers.get('content-type')]).toEqual([
        ifMatch,
        412,
        'application/problem+json',
      ]);
      expect(answer.json).toMatchObject({ status: 412, title: 'Precondition Failed', traceId: expect.any(String) });
    }
    expect(await world.state()).toEqual(before);
  });

  it('with an If-Match that is true is made: the tag, its strong spelling, one of a list, and any', async () => {
    for (const write of [
      (etag: string) => etag,
      (etag: string) => etag.replace('W/', ''),
      (etag: string) => `W/"other, with a comma",${etag} , "last"`,
      () => '*',
    ]) {
      const world = await newWorld();
      const before = await world.state();
      const answer = await call(world, { 'if-match': write(await etagOf(world)) });
      expect(answer.status).toBe(200);
      expect(await world.state()).not.toEqual(before);
    }
  });

  it('with an If-None-Match that is false answers 412 and changes nothing', async () => {
    const world = await newWorld();
    const before = await world.state();
    for (const tag of ['*', await etagOf(world)])
      expect((await call(world, { 'if-none-match': tag })).status).toBe(412);
    expect(await world.state()).toEqual(before);
    expect((await call(world, { 'if-none-match': '"another"' })).status).toBe(200);
  });
});

it('of many changes at the same moment that saw the same list, one is made', async () => {
  const world = await newWorld();
  const etag = (await app.call('GET', world.path)).headers.get('etag')!;
  const headers = { 'if-match': etag };
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, index) =>
      app.call('PATCH', world.path, { headers, body: [{ accessScopeGuid: world.scopes[0], state: `s${index}` }] }),
    ),
    ...world.scopes
      .slice(2)
      .map((accessScopeGuid) => app.call('POST', world.path, { headers, body: [{ accessScopeGuid }] })),
    app.call('DELETE', `${world.path}/${world.scopes[1]}`, { headers }),
    app.call('POST', '/api/applications', { body: newApplicationBody() }),
  ]);
  const made = answers.slice(0, -1).filter(({ status }) => status === 200);
  expect(answers.at(-1)!.status).toBe(200);
  expect(made.length).toBeLessThanOrEqual(1);
  expect(answers.slice(0, -1).every(({ status }) => status === 200 || status === 412)).toBe(true);
});

it('a change of another record that is not committed yet is waited for, and counts', async () => {
  const world = await newWorld();
  const etag = (await app.call('GET', world.path)).headers.get('etag')!;
  let answer: Promise<{ status: number }> | undefined;
  await app.context.orm.em.fork().transactional(async (em) => {
    const run = (text: string) => em.getConnection().execute(text, [], 'run', em.getTransactionContext());
    await run('update catalogue_version set version = version + 1');
    answer = app.call('PATCH', world.path, {
      headers: { 'if-match': etag },
      body: [{ accessScopeGuid: world.scopes[0], state: 'late' }],
    });
    await untilBlocked(app.sql);
  });
  expect((await answer!).status).toBe(412);
});

it('a refusal that does not depend on the condition comes first', async () => {
  const world = await newWorld();
  const headers = { 'if-match': '"nope"' };
  const unknown = `/api/applications/${system}/accessScopes`;
  expect((await app.call('PATCH', unknown, { headers, body: [{ accessScopeGuid: world.scopes[0] }] })).status).toBe(
    404,
  );
  expect((await app.call('PATCH', world.path, { headers, body: [{}] })).status).toBe(400);
  expect((await app.call('PATCH', world.path, { headers, body: [], scopes: ['admin:read'] })).status).toBe(403);
  // what the body names is looked up only afterwards
  const body = [{ accessScopeGuid: world.scopes[0] }];
  expect((await app.call('POST', world.path, { headers, body })).status).toBe(412);
});

it('a read with an If-Match that is false answers 412, and If-Match comes before If-None-Match', async () => {
  const { path } = await newWorld();
  const one = path.replace('/accessScopes', '');
  for (const list of [path, `${path}?$top=1`, '/api/applications']) {
    const etag = (await app.call('GET', list)).headers.get('etag')!;
    for (const method of ['GET', 'HEAD']) {
      const ask = async (headers: Record<string, string>) => (await app.call(method, list, { headers })).status;
      const refused = await app.call(method, list, { headers: { 'if-match': '"nope"' } });
      expect([refused.status, refused.headers.get('etag')]).toEqual([412, null]);
      expect(await ask({ 'if-match': '"nope"', 'if-none-match': etag })).toBe(412);
      expect(await ask({ 'if-match': `"nope", ${etag}` })).toBe(200);
      expect(await ask({ 'if-match': '*' })).toBe(200);
      expect(await ask({ 'if-match': etag, 'if-none-match': etag })).toBe(304);
    }
  }
  expect((await app.call('GET', one, { headers: { 'if-match': '"nope"' } })).status).toBe(412);
  expect((await app.call('GET', one, { headers: { 'if-match': '*' } })).status).toBe(200);
});

it('a list that is found by a last sign-in has no ETag: it is never 304, and an If-Match with a tag is false', async () => {
  const { path } = await newWorld();
  const signIn = (day: string) =>
    app.sql.rows('update users set last_login_date = $1::timestamptz where user_guid = $2', [day, app.caller]);
  await app.call('POST', '/api/applications', { body: newApplicationBody() });
  for (const option of ['$filter', '%24filter'])
    for (const list of [path, '/api/applications']) {
      await signIn('2020-01-01');
      const found = `${list}?${option}=createdByNavigation/lastLoginDate gt 2025-01-01&$select=createdDate`;
      const before = await app.call('GET', found);
      const etag = before.headers.get('etag') ?? '"that of none"';
      await signIn('2026-01-01');
      const again = await app.call('GET', found, { headers: { 'if-none-match': etag } });
      expect([before.status, again.status, again.headers.get('etag')]).toEqual([200, 200, null]);
      expect(again.text === before.text).toBe(list === path);
      const match = async (tag: string) => (await app.call('GET', found, { headers: { 'if-match': tag } })).status;
      expect([await match(etag), await match('*')]).toEqual([412, 200]);
    }
});
