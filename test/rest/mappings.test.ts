/** Bulk creation, change and deletion of mappings: all or nothing, in the order asked, however many at the same moment. */
import { randomUUID } from 'node:crypto';
import { untilBlocked } from '../support/until.js';
import { newApplication, newMapping, newScopes, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
let scopes: string[];
beforeAll(async () => {
  app = await startRestApp();
  scopes = await newScopes(app.sql, 10_001);
});
afterAll(() => app.close());

const target = async () => {
  const { application_id, application_guid } = await newApplication(app.sql);
  const path = `/api/applications/${application_guid}/accessScopes`;
  const call = (method: string, body: unknown, end = '') => app.call(method, path + end, { body: body as object });
  const rows = () =>
    app.sql.rows<Record<string, unknown>>(
      'select m.*, s.access_scope_guid guid from access_scope_applications_mappers m join access_scopes s using (access_scope_id) where application_id = $1 order by 1',
      [application_id],
    );
  return { application_id, path, call, rows };
};
const items = (guids: string[], more: object = {}) => guids.map((accessScopeGuid) => ({ accessScopeGuid, ...more }));
const guidsOf = (json: { accessScope: { accessScopeGuid: string } }[]) =>
  json.map(({ accessScope }) => accessScope.accessScopeGuid);
const shuffled = (guids: string[]) => [...guids].sort((a, b) => (a.slice(9) < b.slice(9) ? -1 : 1));
const events = async () => Number((await app.sql.rows<{ n: string }>('select count(*) n from audit_events'))[0]!.n);

describe('a bulk', () => {
  it.each([1, 10_000])('of %i is made, changed and removed, answered in the order asked', async (count) => {
    const { call, rows } = await target();
    const asked = shuffled(scopes.slice(0, count));
    const before = await events();
    const made = await call('POST', items(asked));
    expect([made.status, made.json.length]).toEqual([200, count]);
    expect(guidsOf(made.json)).toEqual(asked);
    const changed = await call('PATCH', items([...asked].reverse(), { state: 'off' }));
    expect(guidsOf(changed.json)).toEqual([...asked].reverse());
    expect(
      new Set((await rows()).map(({ state, revision, modified_by }) => `${state} ${revision} ${modified_by}`)),
    ).toEqual(new Set([`off 2 ${app.caller}`]));
    expect((await call('POST', items(asked), ':delete')).status).toBe(200);
    expect(await rows()).toEqual([]);
    expect(await events()).toBe(before + 3 * count);
  });

  it.each(['POST', 'PATCH', 'POST:delete'])('of 10,001 is 413, whatever is in it: %s', async (operation) => {
    const { call, rows } = await target();
    const [method = '', end] = operation.split(/(?=:)/);
    expect((await call(method, items(scopes), end)).status).toBe(413);
    expect(
      (
        await call(
          method,
          Array.from({ length: 10_001 }, () => 1),
          end,
        )
      ).status,
    ).toBe(413);
    expect(await rows()).toEqual([]);
  });

  it('of nothing is []', async () => {
    const { call } = await target();
    expect((await call('POST', [])).json).toEqual([]);
    expect((await call('PATCH', [])).json).toEqual([]);
    expect((await call('POST', [], ':delete')).status).toBe(200);
  });

  it('whose 500th item is bad writes nothing', async () => {
    const { call, rows, application_id } = await target();
    const good = items(scopes.slice(0, 499));
    const bad = async (method: string, item: object, end = '') => {
      const { status, json } = await call(method, [...good, item, ...items([scopes[600]!])], end);
      return [status, Object.keys(json.errors)];
    };
    expect(await bad('POST', { accessScopeGuid: 'x' })).toEqual([400, ['[499].accessScopeGuid']]);
    expect(await bad('POST', { accessScopeGuid: randomUUID() })).toEqual([404, ['[499].accessScopeGuid']]);
    expect(await rows()).toEqual([]);
    await newMapping(app.sql, application_id, scopes[500]!);
    expect(await bad('POST', { accessScopeGuid: scopes[500] })).toEqual([409, ['[499].accessScopeGuid']]);
    expect(await rows()).toHaveLength(1);
    for (const guid of scopes.slice(0, 499)) await newMapping(app.sql, application_id, guid);
    const before = await rows();
    expect((await bad('PATCH', { accessScopeGuid: scopes[501], state: 'off' }))[0]).toBe(404);
    expect((await bad('POST', { accessScopeGuid: scopes[501] }, ':delete'))[0]).toBe(404);
    expect(await rows()).toEqual(before);
  });

  it.each([
    'POST',
    'PATCH',
    'POST:delete',
  ])('that names one scope twice is 400, in whatever spelling: %s', async (operation) => {
    const { call } = await target();
    const [method = '', end] = operation.split(/(?=:)/);
    const [a, b] = scopes as [string, string];
    const { status, json } = await call(method, items([a, b, a.toUpperCase(), `{${b}}`]), end);
    expect([status, Object.keys(json.errors)]).toEqual([400, ['[2].accessScopeGuid', '[3].accessScopeGuid']]);
  });

  it('tells all faults of all items at once', async () => {
    const { call } = await target();
    const { status, json } = await call('POST', [
      {},
      { accessScopeGuid: scopes[0], state: '', x: 1 },
      null,
      'x',
      { accessScopeGuid: scopes[0], state: null, individualExternalLink: 5 },
    ]);
    expect([status, Object.keys(json.errors).sort()]).toEqual([
      400,
      [
        '[0].accessScopeGuid',
        '[1].state',
        '[1].x',
        '[2]',
        '[3]',
        '[4].accessScopeGuid',
        '[4].individualExternalLink',
        '[4].state',
      ].sort(),
    ]);
    for (const body of ['{}', 'null', '"x"', '5'])
      expect(Object.keys((await call('POST', body)).json.errors)).toEqual(['$']);
  });

  it('made twice at the same moment succeeds once, the other is 409', async () => {
    for (let round = 0; round < 5; round++) {
      const { call, rows } = await target();
      const asked = scopes.slice(0, 300);
      const answers = await Promise.all([call('POST', items(asked)), call('POST', items(shuffled(asked)))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await rows()).toHaveLength(300);
    }
  });

  it('whose access scope somebody removes meanwhile is 404, not an error of ours', async () => {
    const { call, rows } = await target();
    const [scope] = await newScopes(app.sql, 1);
    let answer: ReturnType<typeof call> | undefined;
    await app.sql.transaction(async (sql) => {
      await sql.rows('delete from access_scopes where access_scope_guid = $1', [scope]);
      answer = call('POST', items([scope!]));
      await untilBlocked(app.sql);
    });
    expect((await answer)?.status).toBe(404);
    expect(await rows()).toEqual([]);
  });

  it('and deletions at the same moment never meet in a deadlock', async () => {
    const { call, rows } = await target();
    await call('POST', items(scopes.slice(0, 200)));
    const answers = await Promise.all([
      call('POST', items(scopes.slice(0, 200)), ':delete'),
      call('PATCH', items(shuffled(scopes.slice(0, 200)), { state: 'off' })),
      call('POST', items(shuffled(scopes.slice(0, 200))), ':delete'),
      call('POST', items(scopes.slice(150, 250))),
    ]);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    expect([0, 100]).toContain((await rows()).length);
  });
});

describe('an item', () => {
  it.each([
    [{ state: 'x' }, 200],
    [{ state: '😀'.repeat(50) }, 200],
    [{ state: 'x'.repeat(51) }, 400],
    [{ state: '' }, 400],
    [{ state: null }, 400],
    [{ state: 1 }, 400],
    [{ individualExternalLink: null }, 200],
    [{ individualExternalLink: '' }, 200],
    [{ individualExternalLink: '😀'.repeat(512) }, 200],
    [{ individualExternalLink: 'x'.repeat(513) }, 400],
    [{ individualExternalLink: 'a\0' }, 400],
    [{ State: 'x' }, 400],
    [{ accessScopeId: 1 }, 400],
    [{ applicationId: 1 }, 400],
  ])('with %j is answered %i, to create and to change', async (more, status) => {
    const { call, application_id } = await target();
    expect((await call('POST', items([scopes[0]!], more))).status).toBe(status);
    if (status === 400) await newMapping(app.sql, application_id, scopes[0]!);
    const changed = await call('PATCH', items([scopes[0]!], more));
    expect(changed.status).toBe(status);
    if (status === 200) expect(changed.json[0]).toMatchObject(more);
    if (status === 200) expect((await call('POST', items([scopes[0]!], more), ':delete')).status).toBe(400);
  });

  it('is active where no state is given', async () => {
    const { call } = await target();
    expect((await call('POST', items([scopes[0]!]))).json[0]).toMatchObject({
      state: 'active',
      individualExternalLink: null,
      modifiedDate: null,
      modifiedBy: null,
    });
  });

  it('that exists already is 409', async () => {
    const { call } = await target();
    await call('POST', items([scopes[0]!]));
    expect((await call('POST', items([scopes[0]!.toUpperCase()]))).status).toBe(409);
  });
});

describe('PATCH', () => {
  it('leaves what is absent, clears what is null, and moves nothing else', async () => {
    const { call, rows, application_id } = await target();
    for (const guid of scopes.slice(0, 3))
      await newMapping(app.sql, application_id, guid, { state: 'old', individual_external_link: 'https://x' });
    const before = await rows();
    await call('PATCH', [
      { accessScopeGuid: scopes[0], individualExternalLink: null },
      { accessScopeGuid: scopes[1], state: 'new' },
    ]);
    const stamp = { modified_by: app.caller, modified_date: expect.any(String), revision: 2 };
    expect(await rows()).toEqual([
      { ...before[0], individual_external_link: null, ...stamp },
      { ...before[1], state: 'new', ...stamp },
      before[2],
    ]);
  });

  it('that changes nothing leaves modifiedDate, the audit and the catalogue alone', async () => {
    const { call, rows, application_id } = await target();
    await newMapping(app.sql, application_id, scopes[0]!);
    const version = () => app.sql.rows('select version from catalogue_version');
    const before = [await rows(), await events(), await version()];
    expect((await call('PATCH', [{ accessScopeGuid: scopes[0] }])).status).toBe(200);
    expect(
      (await call('PATCH', [{ accessScopeGuid: scopes[0], state: 'active', individualExternalLink: null }])).json[0]
        .modifiedDate,
    ).toBeNull();
    expect([await rows(), await events(), await version()]).toEqual(before);
  });
});

it('a deletion removes one mapping and no other', async () => {
  const { path, call, rows } = await target();
  await call('POST', items(scopes.slice(0, 3)));
  expect((await app.call('DELETE', `${path}/%7B${scopes[1]!.toUpperCase()}%7D`)).status).toBe(200);
  expect((await rows()).map(({ guid }) => guid)).toEqual([scopes[0], scopes[2]]);
  const other = await target();
  expect((await app.call('DELETE', `${other.path}/${scopes[0]}`)).status).toBe(404);
});
