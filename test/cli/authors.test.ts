/** Who ran a command and why, and commands that only say what they would do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newRole, newUser } from '../support/records.js';
import { openCommands } from './commands.js';

let app: TestApp;
let folder: string;
let commands: ReturnType<typeof openCommands>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-authors-'));
  app = await startTestApp();
  commands = openCommands();
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

function gatehouse(...words: string[]) {
  const settings = {
    PATH: process.env.PATH,
    DATABASE_URL: app.database.url,
    BCRYPT_COST: '4',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ISSUER_URL: app.url,
  };
  return commands(words, settings, folder);
}

const write = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};
const changeSets = () =>
  app.context.sql.rows<{ actor: string; note: string | null; face: string }>(
    'select actor, note, face from change_sets order by change_set_id',
  );
const rolesFile = (...names: string[]) => ({ roles: names.map((name) => ({ roleId: name, name })) });

it('an import records its note and the user who ran it, named by guid, e-mail address or full name', async () => {
  const ada = await newUser(app.context, { first_name: 'Ada', last_name: 'Author', email: 'Ada.Author@example.com' });
  for (const [index, name] of [ada.user_guid, 'ada.author@EXAMPLE.com', 'ada author'].entries()) {
    const file = write('roles.json', rolesFile(`by-author-${index}`));
    const note = `reason ${index}`;
    expect(await gatehouse('import', file, '--note', note, '--as', name)).toMatchObject({ code: 0, stdout: '' });
    expect((await changeSets()).at(-1)).toEqual({ actor: ada.user_guid, note, face: 'cli' });
  }
});

it('an author is found by a guid in braces, and however the name is spaced and its letters are composed', async () => {
  const zoe = await newUser(app.context, {
    first_name: 'Zo\u00EB',
    last_name: 'Writer',
    email: 'zo\u00EB@example.com',
  });
  const names = [
    `{${zoe.user_guid.toUpperCase()}}`,
    ' Zo\u00EB   Writer ',
    'zoe\u0308 writer',
    'ZOE\u0308@example.com',
  ];
  for (const [index, name] of names.entries()) {
    const file = write('roles.json', rolesFile(`by-zoe-${index}`));
    expect(await gatehouse('import', file, '--as', name)).toMatchObject({ code: 0 });
    expect((await changeSets()).at(-1)).toEqual({ actor: zoe.user_guid, note: null, face: 'cli' });
  }
});

it('an author without a name is refused, also where a user has none', async () => {
  await newUser(app.context, { first_name: null, last_name: null, email: null });
  const before = await changeSets();
  for (const name of ['', '  ']) {
    const { code, stderr } = await gatehouse('import', write('roles.json', rolesFile('by-nobody')), '--as', name);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--as needs a name.')]);
  }
  expect(await changeSets()).toEqual(before);
});

it('a token, which has no note, is issued to no author whom no record names', async () => {
  const count = () => app.context.sql.rows('select token_guid from tokens');
  const before = await count();
  const { code, stdout, stderr } = await gatehouse('admin-token', '--as', 'the night shift');
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('No user is called the night shift')]);
  expect(await count()).toEqual(before);
});

it('an author who is no user is named in the note', async () => {
  const { systemUserGuid: actor } = app.context.config;
  for (const [words, note] of [
    [['--as', 'the night shift'], 'by the night shift'],
    [['--note', 'new roles', '--as', 'nobody@example.com'], 'new roles (by nobody@example.com)'],
  ] as const) {
    const file = write('roles.json', rolesFile(`for ${note}`));
    const { code, stderr } = await gatehouse('import', file, ...words);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^No user is called .*: the note has the name\.$/m)]);
    expect((await changeSets()).at(-1)).toEqual({ actor, note, face: 'cli' });
  }
});

it('a dry run of an import counts what the import would do, and changes nothing', async () => {
  await newRole(app.context);
  const before = await changeSets();
  const people = write('people.csv', 'email,firstName,lastName\nnew.person@example.com,New,Person\n');
  const roles = write('roles.json', rolesFile('dry-one', 'dry-two'));
  const [ofCsv, ofJson] = [
    await gatehouse('import', people, '--csv', '--dry-run'),
    await gatehouse('import', roles, '--dry-run'),
  ];
  for (const [{ code, stderr }, created] of [
    [ofCsv, 1],
    [ofJson, 2],
  ] as const) {
    expect([code, stderr]).toEqual([0, expect.stringMatching(`^Would import .*: ${created} created, 0 updated`)]);
    expect(stderr).toContain('This was a dry run: nothing was changed.');
  }
  expect(await changeSets()).toEqual(before);
  expect(await app.context.sql.rows("select from roles where role_id like 'dry-%'")).toEqual([]);
  const refused = await gatehouse('import', write('bad.json', { roles: [{ roleId: 'x' }] }), '--dry-run');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('roles[0].name')]);
  expect(await gatehouse('import', roles)).toMatchObject({ code: 0, stderr: expect.stringContaining('2 created') });
});

it('a dry run of any other command that changes something changes nothing, and prints no secret', async () => {
  const { clientId } = await newClient(app.context);
  const role = await newRole(app.context);
  const state = async () => [
    await changeSets(),
    await app.context.sql.rows('select * from clients order by client_id'),
    await app.context.sql.rows('select kid, state from signing_keys order by kid'),
    await app.context.sql.rows('select * from connectors'),
    await app.context.sql.rows('select audit_event_id from audit_events order by audit_event_id'),
  ];
  const before = await state();
  const [key] = await app.context.sql.rows<{ kid: string }>(
    "select kid from signing_keys where state = 'next' limit 1",
  );
  for (const words of [
    ['client', 'create', 'dry', '--name', 'Dry'],
    ['client', 'rotate-secret', clientId],
    ['client', 'deactivate', clientId],
    ['client', 'harden', clientId],
    ['connector', 'create', 'dry', '--idpname', 'x', '--role', role],
    ['sessions', 'end', '--since', '2020-01-01T00:00:00Z'],
    ['keys', 'rotate'],
    ['keys', 'revoke', '--', key!.kid],
  ]) {
    const dryRun = words.includes('--')
      ? [...words.slice(0, 2), '--dry-run', ...words.slice(2)]
      : [...words, '--dry-run'];
    const { code, stdout, stderr } = await gatehouse(...dryRun);
    expect([words, code, stderr]).toEqual([
      words,
      0,
      expect.stringContaining('This was a dry run: nothing was changed.'),
    ]);
    // the id of a key, and a number of sessions, are no secrets
    if (words[0] === 'client' || words[0] === 'connector') expect([words, stdout]).toEqual([words, '']);
  }
  expect(await state()).toEqual(before);
  await app.context.sql.rows('select 1');
});

it('each command that changes something takes a note and an author', async () => {
  const ada = await newUser(app.context, { email: 'operator@example.com' });
  for (const words of [
    ['client', 'create', 'noted', '--name', 'Noted'],
    ['client', 'rotate-secret', 'noted'],
    ['client', 'harden', 'noted'],
    ['client', 'deactivate', 'noted'],
    ['keys', 'rotate'],
  ]) {
    const { code, stderr } = await gatehouse(
      ...words,
      '--note',
      `why ${words.join(' ')}`,
      '--as',
      'operator@example.com',
    );
    expect([words, code, stderr.includes('Error')]).toEqual([words, 0, false]);
    expect((await changeSets()).at(-1)).toEqual({ actor: ada.user_guid, note: `why ${words.join(' ')}`, face: 'cli' });
  }
  const before = await changeSets();
  await gatehouse('admin-token', '--as', 'operator@example.com');
  expect(await changeSets()).toEqual(before);
  const [event] = await app.context.sql.rows<{ actor: string; action: string }>(
    'select actor, action from audit_events order by audit_event_id desc limit 1',
  );
  expect(event).toEqual({ actor: ada.user_guid, action: 'issue' });
});

it('a note that is too long is refused before anything is done', async () => {
  const file = write('roles.json', rolesFile('with a long note'));
  const { code, stderr } = await gatehouse('import', file, '--note', 'x'.repeat(1_001));
  expect([code, stderr]).toEqual([1, expect.stringContaining('The note')]);
});
