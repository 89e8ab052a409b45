/** The constraints of the create request: each at its bound and one past it, in code points. */
import { newApplicationBody, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
});
afterAll(() => app.close());

const create = (body: unknown) => app.call('POST', '/api/applications', { body: body as object });
const required = { name: 255, iconDefault: 512, iconHover: 512, appType: 50, renderingMode: 50, linkType: 50 };
const optional = { description: 255, globalExternalLink: 512, translationGroup: 50 };
const flags = ['isTokenExchangeRequired', 'isIFrame'];

const expectFaults = async (body: unknown, names: string[]) => {
  const { status, json } = await create(body);
  expect([status, Object.keys(json.errors ?? {}).sort()]).toEqual([400, names.sort()]);
  for (const messages of Object.values(json.errors)) expect(messages).toEqual([expect.any(String)]);
  expect(json.title).toBe('One or more validation errors occurred.');
};

describe.each(Object.entries({ ...required, ...optional }))('%s', (name, max) => {
  it.each(['x', '😀', 'é'])(`may have ${max} characters and no more: %s`, async (character) => {
    const { status, json } = await create(newApplicationBody({ [name]: character.repeat(max) }));
    expect([status, json[name]]).toEqual([200, character.repeat(max)]);
    await expectFaults(newApplicationBody({ [name]: character.repeat(max + 1) }), [name]);
  });

  it.each([1, true, {}, [], ['x']])('is a string: not %j', (value) =>
    expectFaults(newApplicationBody({ [name]: value }), [name]));

  it.each(['\0', 'a\0b', '\ud800', '\udc00x'])('holds nothing that no database can: %j', (value) =>
    expectFaults(newApplicationBody({ [name]: value }), [name]));
});

it.each(Object.keys(required))('%s must be there, not null and not empty', async (name) => {
  const { [name]: _, ...without } = newApplicationBody() as Record<string, unknown>;
  for (const body of [without, newApplicationBody({ [name]: null }), newApplicationBody({ [name]: '' })])
    await expectFaults(body, [name]);
  expect((await create(newApplicationBody({ [name]: ' ' }))).json[name]).toBe(' ');
});

it.each(Object.keys(optional))('%s may be absent, null or empty', async (name) => {
  expect((await create(newApplicationBody())).json[name]).toBeNull();
  expect((await create(newApplicationBody({ [name]: null }))).json[name]).toBeNull();
  expect((await create(newApplicationBody({ [name]: '' }))).json[name]).toBe('');
});

it.each(flags)('%s is true, false, null or absent', async (name) => {
  const answered = name === 'isIFrame' ? 'isIframe' : name;
  for (const value of [true, false, null])
    expect((await create(newApplicationBody({ [name]: value }))).json[answered]).toBe(value);
  for (const value of ['true', 0, 1, {}]) await expectFaults(newApplicationBody({ [name]: value }), [name]);
});

it.each([
  'isIframe',
  'isActive',
  'applicationId',
  'applicationGuid',
  'createdBy',
  'Name',
  'x',
  '',
  '__proto__',
  'constructor',
  'translations',
])('an extra property is refused by its own name: %j', (name) =>
  expectFaults(JSON.stringify(newApplicationBody()).replace('}', `,${JSON.stringify(name)}:null}`), [name]));

it('all faults are told at once', () =>
  expectFaults({ name: '', appType: 'x'.repeat(51), linkType: 5, isIFrame: 'x', extra: 1 }, [
    'name',
    'iconDefault',
    'iconHover',
    'appType',
    'renderingMode',
    'linkType',
    'isIFrame',
    'extra',
  ]));

it.each([[], null, 'x', 5, true, [newApplicationBody()]])('a body that is no object is refused: %j', (body) =>
  expectFaults(JSON.stringify(body), ['$']));

it('nothing refused is written; what is written says who, when, and is audited with the catalogue raised', async () => {
  const state = async () =>
    (
      await app.sql.rows<{ applications: string; events: string; version: string }>(
        'select (select count(*) from applications) applications, (select count(*) from audit_events) events, version from catalogue_version',
      )
    )[0]!;
  const before = await state();
  await create({ ...newApplicationBody(), extra: 1 });
  expect(await state()).toEqual(before);
  const { json } = await create(newApplicationBody());
  expect(await state()).toEqual({
    applications: String(+before.applications + 1),
    events: String(+before.events + 1),
    version: String(+before.version + 1),
  });
  const [event] = await app.sql.rows(
    'select actor, action, subject_type, subject_id from audit_events order by audit_event_id desc limit 1',
  );
  expect(event).toEqual({
    actor: app.caller,
    action: 'create',
    subject_type: 'Application',
    subject_id: json.applicationGuid,
  });
});
