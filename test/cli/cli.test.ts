/** The commands as an operator types them, on a database of the test's own: each at least once by bin/gatehouse. */
import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { readArguments } from '../../src/cli/command.js';
import { commandsFrom } from '../../src/modules/commands.js';
import { readKeys } from '../../src/services/keys/keyStore.js';
import { startProcess } from '../operations/process.js';
import { post, startTestApp, type TestApp } from '../support/app.js';
import { scimOf } from '../support/connectors.js';
import { newRole } from '../support/records.js';
import { renewalBody } from '../support/tokens.js';
import { type Outcome, openCommands } from './commands.js';

const program = fileURLToPath(new URL('../../../bin/gatehouse', import.meta.url));
let app: TestApp;
let folder: string;
let commands: Run;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
  app = await startTestApp({ REFUSAL_RETENTION_DAYS: '7' });
  commands = openCommands();
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Run = ReturnType<typeof openCommands>;

/** Runs in a folder that isn't the project's. */
const runBy =
  (run: Run) =>
  (words: string[], settings: Record<string, string> = {}): Promise<Outcome> => {
    const own = {
      PATH: process.env.PATH,
      DATABASE_URL: app.database.url,
      BCRYPT_COST: '4',
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ISSUER_URL: app.url,
    };
    return run(words, { ...own, ...settings }, folder);
  };
/** The program itself. */
const started = runBy(
  (words, env, cwd) =>
    new Promise((resolve) => {
      execFile(program, words, { cwd, env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    }),
);
const gatehouse = runBy((...command) => commands(...command));

const write = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

describe('admin-token', () => {
  it('is taken by the service of the same DATA_DIR, whose PORT it does not know', async () => {
    const dataDir = join(folder, 'embedded');
    const service = await startProcess({ DATA_DIR: dataDir });
    const { stdout, stderr } = await started(['admin-token'], {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      ISSUER_URL: '',
      PORT: '0',
    });
    expect(stderr).toBe('');
    const { json } = await post(
      `${service.url}/graphql`,
      { query: '{ viewer { permissions } }' },
      { authorization: `Bearer ${stdout.trim()}` },
    );
    expect(json).toMatchObject({ data: { viewer: { permissions: expect.arrayContaining([expect.anything()]) } } });
    await service.kill();
    await removeEmbeddedPostgres(dataDir);
  });

  it('prints a token that the running service takes, and nothing else', async () => {
    const { code, stdout, stderr } = await started(['admin-token']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { json } = await app.post('/validate-token', { token: stdout.trim() });
    expect(json.is_valid).toBe(true);
    expect(json.claims).toMatchObject({
      sub: '00000000-0000-0000-0000-000000000001',
      aud: ['GRID', 'IOT'],
      profileId: expect.any(String),
      roleId: expect.any(String),
      scopes: ['admin:read', 'admin:security', 'admin:write'],
    });
    expect(json.claims.exp - json.claims.iat).toBe(3_600);
  });

  it('takes scopes, minutes and a user', async () => {
    const user = 'DE300000-0000-4000-8000-000000000001';
    const words = ['admin-token', '--scopes', 'admin:write,admin:read', '--minutes', '5', '--user', user];
    const claims = claimsOf((await gatehouse(words)).stdout);
    expect(claims).toMatchObject({ sub: user.toLowerCase(), scopes: ['admin:read', 'admin:write'] });
    expect(claims.exp - claims.iat).toBe(300);
  });

  it('takes a user in braces, as every command takes guids', async () => {
    const guid = 'de300000-0000-4000-8000-000000000001';
    const braced = `{${guid.toUpperCase()}}`;
    expect(claimsOf((await gatehouse(['admin-token', '--user', braced])).stdout).sub).toBe(guid);
    for (const words of [
      ['review', 'export', braced],
      ['stream', 'test', braced],
    ])
      expect((await gatehouse(words)).stderr).toMatch(/not found/);
  });

  it.each([
    ['--scopes', 'admin:*'],
    ['--scopes', 'admin:raed'],
    ['--scopes', 'admin'],
    ['--minutes', '0'],
    ['--minutes', '481'],
    ['--minutes', '1.5'],
    ['--user', 'ada'],
    ['--colour', 'red'],
    ['now'],
  ])('is not misspelt: %s %s', async (...words) => {
    const { code, stdout, stderr } = await gatehouse(['admin-token', ...words]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('bin/gatehouse --help');
  });
});

describe('usage', () => {
  it('prints who used what, and nothing that moves a terminal', async () => {
    expect(await started(['usage'])).toEqual({ code: 0, stdout: 'No such requests are stored.\n', stderr: '' });
    await app.context.sql.rows(
      `insert into usages (client_id, caller, operation, option, media_type, product, first_seen_at, last_seen_at, count, brownouts)
       values (e'por\\x1btal', '', 'POST /token', 'exchange', 'text/json', 'Portal/2.1', '2026-01-02T03:04:00Z', '2026-02-03T04:05:00Z', 7, 1)`,
    );
    const { stdout } = await gatehouse(['usage', '--operation', '/token', '--since', '2026-02-03']);
    expect(stdout).toMatch(
      /^who +operation +option +media type +user agent +first seen +last seen +count +browned out$/m,
    );
    expect(stdout).toContain(
      '"por\\u001btal"  POST /token  exchange  text/json   Portal/2.1  2026-01-02 03:04  2026-02-03 04:05  7      1\n',
    );
    const json = await gatehouse(['usage', '--json', '--operation', '/token']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ operation: 'POST /token', count: 7, brownouts: 1, caller: null }]);
    expect((await gatehouse(['usage', '--client', 'other', '--json'])).stdout).toBe('[]\n');
    for (const since of ['soon', '2026-02-31', '9999-12-31T23:59:59-14:00'])
      expect(await gatehouse(['usage', '--since', since])).toMatchObject({ code: 1, stdout: '' });
    expect((await gatehouse(['usage', '--help'])).stdout).toContain('Example: bin/gatehouse usage --operation');
  });
});

it('what callers sent as their client id moves no terminal, and hides nothing, in usage and explain', async () => {
  const traceId = randomBytes(16).toString('hex');
  const clientId = 'x\x9b2J\u202etxt';
  await app.context.sql.rows(
    `insert into usages (client_id, caller, operation, option, media_type, product, first_seen_at, last_seen_at, count, brownouts)
     values ($1, '', 'GET /moving', '', '', '', now(), now(), 1, 0)`,
    [clientId],
  );
  await app.context.sql.rows(
    `insert into refused_requests (trace_id, occurred_at, reason, detail, client_id)
     values ($1, now(), 'invalidClient', 'no such client', $2)`,
    [traceId, clientId],
  );
  for (const words of [
    ['usage', '--operation', 'moving'],
    ['explain', traceId],
  ]) {
    const { stdout } = await gatehouse(words);
    expect(stdout).toContain('"x\\u{9b}2J\\u{202e}txt"');
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  }
});

describe('client', () => {
  const exchange = (client_id: string, client_secret: string) =>
    app.post('/token', { ...renewalBody('x'), profileId: 'p', client_id, client_secret });
  /** 401 with a body: the client; with an empty one: the renewal token. */
  const isAccepted = async (id: string, secret: string) => (await exchange(id, secret)).text === '';

  it('its secret is all that is printed, works, is rotated and stops', async () => {
    const created = await started(['client', 'create', 'portal', '--name', 'Portal', '--description', 'Ours']);
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/), stderr: '' });
    const first = created.stdout.trim();
    expect(await isAccepted('portal', first)).toBe(true);
    const second = (await gatehouse(['client', 'rotate-secret', 'portal', '--keep-previous-hours', '1'])).stdout.trim();
    expect([await isAccepted('portal', first), await isAccepted('portal', second)]).toEqual([true, true]);
    const third = (await gatehouse(['client', 'rotate-secret', 'portal'])).stdout.trim();
    expect([await isAccepted('portal', second), await isAccepted('portal', third)]).toEqual([false, true]);
    const policy = async () => (await app.context.sql.rows("select policy from clients where client_id = 'portal'"))[0];
    expect((await gatehouse(['client', 'harden', 'portal'])).code).toBe(0);
    expect(await policy()).toEqual({ policy: 'hardened' });
    expect((await gatehouse(['client', 'harden', 'portal', '--undo'])).code).toBe(0);
    expect(await policy()).toEqual({ policy: null });
    expect((await gatehouse(['client', 'deactivate', 'portal'])).code).toBe(0);
    expect(await isAccepted('portal', third)).toBe(false);
  });

  it('of one with keys of its own no secret is printed, and its record has what was asked for; its name may be its id', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const file = write('keys.json', { keys: [publicKey.export({ format: 'jwk' })] });
    const further = ['--jwks', file, '--dpop', '--audiences', 'GRID,IOT', '--may-evaluate', '--may-receive-events'];
    for (const words of [['partner', '--name', 'Partner'], ['depot']]) {
      const { code, stdout } = await gatehouse(['client', 'create', ...words, ...further]);
      expect([code, stdout]).toEqual([0, '']);
    }
    const records = await app.context.sql.rows(
      `select name, jwks is not null as has_keys, dpop_required, allowed_audiences, may_evaluate, may_receive_events from clients
       where client_id in ('partner', 'depot') order by client_id desc`,
    );
    const may = { may_evaluate: true, may_receive_events: true };
    const record = { has_keys: true, dpop_required: true, allowed_audiences: 'GRID IOT', ...may };
    expect(records).toEqual([
      { name: 'Partner', ...record },
      { name: 'depot', ...record },
    ]);
  });

  it.each([
    [['client', 'rotate-secret', 'nobody'], 'The client nobody was not found.'],
    [['client', 'deactivate', 'nobody'], 'The client nobody was not found.'],
    [['client', 'harden', 'nobody'], 'The client nobody was not found.'],
    [['client', 'create', 'x'.repeat(101), '--name', 'X'], 'clientId'],
    [['client', 'create', 'keys', '--name', 'X', '--jwks', 'missing.json'], "missing.json can't be read"],
  ])('%j fails in one sentence', async (words, sentence) => {
    const { code, stdout, stderr } = await gatehouse(words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('a connector', () => {
  it('its token is all that is printed, works at /scim, is rotated with overlap, and stops', async () => {
    await newRole(app.context, 'member');
    const status = async ({ stdout }: Outcome) => (await scimOf(app.url, stdout.trim())('GET', '/Users')).status;
    const created = await started(['connector', 'create', 'entra', '--idpname', 'names', '--role', 'member']);
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(/^gatehouse_scim_[\w-]{43}\n$/), stderr: '' });
    expect(await status(created)).toBe(200);
    const rotated = await gatehouse(['connector', 'rotate', 'entra', '--keep-previous-hours', '1']);
    expect([await status(created), await status(rotated)]).toEqual([200, 200]);
    const listed = await gatehouse(['connector', 'list']);
    expect(listed.stdout).toMatch(/entra {2}names {4}member {2}- {7}valid {2}2\d{3}-/);
    expect(listed.stdout).not.toContain(rotated.stdout.trim());
    expect((await gatehouse(['connector', 'revoke', 'entra'])).code).toBe(0);
    expect([await status(created), await status(rotated)]).toEqual([401, 401]);
  });

  it.each([
    [['connector', 'create', 'a b', '--idpname', 'x', '--role', 'member'], 'connectorId'],
    [['connector', 'create', 'x', '--idpname', 'x', '--role', 'nobody'], 'There is no such role'],
    [
      ['connector', 'create', 'x', '--idpname', 'x', '--role', 'member', '--client', 'nobody'],
      'There is no such client',
    ],
    [['connector', 'create', 'x', '--role', 'member'], '--idpname'],
    [['connector', 'rotate', 'nobody'], 'was not found'],
    [['connector', 'rotate', 'x', '--keep-previous-hours', 'many'], '--keep-previous-hours'],
  ])('%j is refused', async (words, said) => {
    const { code, stdout, stderr } = await gatehouse(words);
    expect([code > 0, stdout]).toEqual([true, '']);
    expect(stderr).toContain(said);
  });
});

it('in a folder that is gone it says so, rather than that the database is away', () => {
  const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" keys list';
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line, program], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('The current folder no longer exists')]);
});

it('compare shadow asks for no address to listen at', () => {
  const addresses = { to: 'https://old.example.com', also: 'http://127.0.0.1:4000' };
  const words = Object.entries(addresses).flatMap(([name, url]) => [`--${name}`, url]);
  const read = readArguments(commandsFrom('/'), ['compare', 'shadow', ...words]);
  expect(read).toMatchObject({ parsed: { options: addresses } });
});

const passwordAddress = 'https://:canary@auth.example';
it.each([
  ['plan', 'x.json', '--url', passwordAddress, '--token-file', 'token'],
  ['compare', 'shadow', '--to', passwordAddress, '--also', 'http://127.0.0.1:4000'],
])('an address with a password is refused without showing it: %s %s', async (...words) => {
  write('x.json', {});
  write('token', 'abc');
  const { code, stdout, stderr } = await gatehouse(words);
  expect([code === 0, stdout]).toEqual([false, '']);
  expect(stderr).toMatch(/^--\w+ must be /);
  expect(stderr).not.toContain('canary');
});

describe('import', () => {
  it("finds the file from the operator's folder and tells what was done, without a bar", async () => {
    const file = write('roles.json', { roles: [{ roleId: 'cli', name: 'By command' }] });
    const stderr = 'Imported roles.json: 1 created, 0 updated, 0 removed, 0 unchanged.\n';
    expect(await started(['import', file])).toEqual({ code: 0, stdout: '', stderr });
    expect((await gatehouse(['import', file])).stderr).toContain('1 unchanged');
  });

  it('counts the records of an export as the import of its file does', async () => {
    const scope = '3f0c8a62-52f5-4c0b-a7f3-5d1c3d0a9a11';
    const type = '3f0c8a62-52f5-4c0b-a7f3-5d1c3d0a9a12';
    const file = write('some.json', {
      accessScopeTypes: [{ accessScopeTypeGuid: type, name: 'counted' }],
      accessScopes: [{ accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'Counted', accessScopeKey: 'one' }],
      profiles: ['counted-1', 'counted-2'].map((profileId) => ({ profileId, name: 'x', accessScopeGuids: [scope] })),
    });
    await gatehouse(['import', file]);
    for (const options of [[], ['--users', '--clients']]) {
      const [, exported] = /^Exported (\d+) records/.exec((await started(['export', ...options, 'all.json'])).stderr)!;
      expect((await gatehouse(['import', 'all.json'])).stderr).toContain(
        `0 created, 0 updated, 0 removed, ${exported} unchanged.`,
      );
    }
  });

  it('names the usual cause of a file that is not UTF-8, and the way out', async () => {
    writeFileSync(
      join(folder, 'latin.csv'),
      Buffer.from('email,firstName,lastName\nx@example.com,J\xfcrgen,M\n', 'latin1'),
    );
    const { code, stderr } = await gatehouse(['import', 'latin.csv', '--csv']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Windows-1252: save it as "CSV UTF-8", or .*iconv/)]);
    for (const [name, mark] of [
      ['wide.csv', '\xff\xfe'],
      ['wide.json', '\xfe\xff'],
      ['unmarked.csv', ''],
      ['unmarked.json', '\0'],
    ] as const) {
      writeFileSync(join(folder, name), Buffer.from(`${mark}e\0m\0`, 'latin1'));
      const wide = await gatehouse(['import', name, ...(name.endsWith('csv') ? ['--csv'] : [])]);
      expect([wide.code, wide.stderr]).toEqual([1, expect.stringContaining('UTF-16')]);
    }
    for (const [name, begin, words] of [
      ['people.xlsx', 'PK\x03\x04\xff', 'a spreadsheet'],
      ['people.csv.gz', '\x1f\x8b\x08\xff', 'compressed'],
    ] as const) {
      writeFileSync(join(folder, name), Buffer.from(begin, 'latin1'));
      expect((await gatehouse(['import', '--csv', name])).stderr).toContain(words);
    }
  });

  it('says what a file has wrong without moving the terminal', async () => {
    writeFileSync(join(folder, 'moving.csv'), 'email,\x1b[2Jname\nmoving@example.com,A\n');
    write('moving.json', { '\x1b[2Jroles': [] });
    for (const words of [
      ['import', '--csv', 'moving.csv'],
      ['import', 'moving.json'],
      ['import', '\x1b[2J.json'],
      ['client', 'rotate-secret', '\x1b[2J'],
      ['\x9b2J'],
    ]) {
      const { code, stderr } = await gatehouse(words);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/\\u\{(1b|9b)\}/);
      expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  it('names the bad row by its path', async () => {
    const file = write('bad.json', {
      clients: [
        { clientId: 'a', name: 'A', clientSecret: 'a' },
        { clientId: 'b', name: 'B', clientSecret: 5 },
      ],
    });
    const { code, stdout, stderr } = await gatehouse(['import', file]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('nothing was written');
    expect(stderr).toContain('clients[1].clientSecret: must be a string');
    expect(await app.context.sql.rows("select 1 from clients where client_id = 'a'")).toEqual([]);
  });

  it('people and their profiles come from CSV, known by e-mail, and a second time nothing changes', async () => {
    const text = [
      '\uFEFFE-Mail;Vorname;Profil;Rolle',
      'csv@example.org;"Ada; ""the first""";csv-a;csv-role',
      'csv@example.org;"Ada; ""the first""";csv-b;csv-role',
      'other-csv@example.org;Bo;;',
    ];
    write('base.json', {
      roles: [{ roleId: 'csv-role', name: 'R' }],
      profiles: ['csv-a', 'csv-b'].map((profileId) => ({ profileId, name: profileId })),
    });
    await gatehouse(['import', 'base.json']);
    writeFileSync(join(folder, 'people.csv'), text.join('\r\n'));
    const map = 'email=E-Mail,firstName=Vorname,profileId=Profil,roleId=Rolle';
    const words = ['import', '--csv', 'people.csv', '--map', map];
    expect((await gatehouse(words)).stderr).toContain('4 created, 0 updated');
    expect((await gatehouse(words)).stderr).toContain('0 created, 0 updated, 0 removed, 4 unchanged');
    const people = await app.context.sql.rows(
      `select first_name, array_agg(profile_id order by profile_id) as profiles from users left join user_profiles using (user_id)
       where email like '%csv@example.org' group by first_name order by first_name`,
    );
    expect(people).toEqual([
      { first_name: 'Ada; "the first"', profiles: ['csv-a', 'csv-b'] },
      { first_name: 'Bo', profiles: [null] },
    ]);
  });

  it('a further row of a person may leave out what an earlier one says', async () => {
    writeFileSync(
      join(folder, 'rows.csv'),
      'email,firstName,lastName\nrows@example.org,Ada,\nrows@example.org,,Berg\n',
    );
    expect((await gatehouse(['import', '--csv', 'rows.csv'])).stderr).toContain('1 created, 0 updated');
    const people = await app.context.sql.rows(
      "select first_name, last_name from users where email = 'rows@example.org'",
    );
    expect(people).toEqual([{ first_name: 'Ada', last_name: 'Berg' }]);
  });

  it.each([
    ['sep=;\r\nemail;firstName;\r\nsep-a@example.org;"A; B";\r\n'],
    ['\uFEFFSEP=\t\r\nemail\t\tfirstName\r\nsep-a@example.org\t\tA; B\r\n'],
    ['"sep=|"\nemail|firstName|\nsep-a@example.org|A; B\n'],
    ['sep=|||\nemail|firstName||\nsep-a@example.org|A; B||\n|||\n \n'],
    ['sep=|\remail| firstName \rsep-a@example.org|A; B\r'],
  ])('what Excel adds is read: the separator in the first line, columns without name and values: %j', async (text) => {
    writeFileSync(join(folder, 'excel.csv'), text);
    expect((await gatehouse(['import', '--csv', 'excel.csv'])).stderr).toMatch(/1 created|1 unchanged/);
    expect(await app.context.sql.rows("select first_name from users where email = 'sep-a@example.org'")).toEqual([
      { first_name: 'A; B' },
    ]);
  });

  it.each([
    ['email,profileId,roleId\nnew@example.org,nowhere,csv-role', [], 'line 2, profileId'],
    ['email,statusId\na@example.org,1\nb@example.org,many', [], 'line 3, statusId'],
    ['email,firstName\nsame@example.org,A\nsame@example.org,B', [], 'line 3: The person differs from that in line 2.'],
    ['email,firstName\na@example.org', [], 'line 2: It has 1 cells; the heading has 2.'],
    ['email\n"a@example.org', [], 'line 2: A quotation mark is not closed'],
    ['firstName\nAda', [], 'A column for userGuid or email is needed.'],
    ['email\na@example.org', ['--map', 'email=E-Mail'], 'The file has no column E-Mail for email.'],
    ['email,shoeSize\na@example.org,41', [], 'line 1: shoeSize is not a property of users.'],
    ['email,firstName,firstName\na@example.org,A,B', [], 'line 1: The file has two columns firstName.'],
    [
      'E-Mail,Name,Name\nnew@example.org,Ada,Lovelace',
      ['--map', 'email=E-Mail,firstName=Name'],
      'The file has two columns Name.',
    ],
    [
      'E-Mail,Name,Name \nnew@example.org,Ada,Lovelace',
      ['--map', 'email=E-Mail,firstName=Name'],
      'The file has two columns Name.',
    ],
    [
      'email,Pre\u0301nom,Pr\u00e9nom\nnew@example.org,Ada,Lovelace',
      ['--map', 'email=email,firstName=Pre\u0301nom'],
      'The file has two columns Pr\u00e9nom.',
    ],
    ['email\na@example.org', ['--map', 'email'], '--map: email needs its column, such as email=Name.'],
    ['e=mail\na@example.org,1', ['--map', 'email=e=mail'], 'line 2: It has 2 cells; the heading has 1.'],
    ['sep=;\nemail;shoeSize\na@example.org;41', [], 'line 2: shoeSize is not a property of users.'],
    ['sep=;\nemail;statusId\na@example.org;x', [], 'line 3, statusId'],
    ['email,\na@example.org,x', [], 'line 2: Cell 2 has a value, and the heading has no name for its column.'],
    ['email,,firstName\na@example.org,', [], 'line 2: It has 2 cells; the heading has 3.'],
    ['email,\na@example.org,,', [], 'line 2: It has 3 cells; the heading has 2.'],
  ])('a mistake in CSV is named by its line, and nothing is written: %j', async (text, words, sentence) => {
    writeFileSync(join(folder, 'wrong.csv'), text);
    const { code, stderr } = await gatehouse(['import', '--csv', 'wrong.csv', ...words]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(1);
    expect(await app.context.sql.rows("select 1 from users where email = 'new@example.org'")).toEqual([]);
  });

  it.each([
    ['no file', undefined, 'there is no such file'],
    ['a comma too many', '{\n  "users": [],\n}', 'line 3, column 1'],
    ['half a file', '{"users": [', 'line 1, column 12: a value or ] is expected, but it ends here'],
    ['nothing', '', 'line 1, column 1'],
    ['another encoding', Buffer.from('{"roles": "é"}', 'latin1'), 'not text in UTF-8'],
  ])('%s is told in one sentence', async (_what, content, sentence) => {
    if (content !== undefined) writeFileSync(join(folder, 'broken.json'), content);
    const { code, stderr } = await gatehouse(['import', content === undefined ? 'none.json' : 'broken.json']);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

it('a rotated key is followed by the running service, and what was signed before stays good', async () => {
  const before = (await gatehouse(['admin-token'])).stdout.trim();
  const listed = (await gatehouse(['keys', 'list'])).stdout;
  const next = /^(\S+) +ES256 +next/m.exec(listed)![1];
  const rotated = await started(['keys', 'rotate']);
  expect(rotated.stdout).toBe(`${next}\n`);
  const after = (await gatehouse(['admin-token'])).stdout.trim();
  expect(JSON.parse(Buffer.from(after.split('.')[0]!, 'base64url').toString()).kid).toBe(next);
  for (const token of [before, after])
    expect((await app.post('/validate-token', { token })).json).toMatchObject({ is_valid: true });
  expect((await gatehouse(['keys', 'list'])).stdout).toMatch(/ES256 +retired/);
});

it('no command changes the algorithm that signs, whatever SIGNING_ALG its shell has', async () => {
  const keys = async () =>
    (await readKeys(app.context.sql)).map(({ kid, alg, state }) => `${alg} ${state} ${kid}`).sort();
  const before = await keys();
  const next = before
    .find((key) => key.startsWith('ES256 next'))!
    .split(' ')
    .at(-1);
  for (const words of [
    ['client', 'create', 'other-shell', '--name', 'Other shell'],
    ['keys', 'list'],
  ]) {
    expect((await gatehouse(words, { SIGNING_ALG: 'EdDSA' })).code).toBe(0);
    expect(await keys()).toEqual(before);
  }
  expect((await gatehouse(['keys', 'rotate'], { SIGNING_ALG: 'EdDSA' })).stdout).toBe(`${next}\n`);
  expect((await keys()).join()).not.toContain('EdDSA');
});

it('a rotation warns when APIs may not know the key yet that signs from now on, and else not', async () => {
  const { sql } = app.context;
  await sql.rows(`update signing_keys set created_at = now() - interval '6 minutes' where state = 'next'`);
  expect((await gatehouse(['keys', 'rotate'])).stderr).not.toContain('five minutes');
  expect((await gatehouse(['keys', 'rotate'])).stderr).toContain('published less than five minutes ago');
});

it('keys revoke ends a key with its tokens, whichever it is, and others sign', async () => {
  const listed = async () => (await gatehouse(['keys', 'list'])).stdout;
  const kidOf = async (state: string, alg = 'ES256') =>
    (await readKeys(app.context.sql)).find((key) => key.alg === alg && key.state === state)!.kid;
  const token = (await gatehouse(['admin-token'])).stdout.trim();
  const [active, next, renewal] = [await kidOf('active'), await kidOf('next'), await kidOf('active', 'HS256')];
  for (const kid of [active, renewal]) {
    const { code, stdout, stderr } = await started(['keys', 'revoke', '--', kid]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`${next} signs.`);
    expect(await listed()).not.toContain(kid);
  }
  await app.context.keys.reload();
  expect((await app.post('/validate-token', { token })).status).toBe(400);
  const later = await kidOf('next');
  await gatehouse(['keys', 'revoke', '--', later]);
  expect([await kidOf('active'), await kidOf('next')]).toEqual([next, expect.not.stringContaining(later)]);
  expect(await kidOf('active', 'HS256')).not.toBe(renewal);
  const after = (await gatehouse(['admin-token'])).stdout.trim();
  await app.context.keys.reload();
  expect((await app.post('/validate-token', { token: after })).status).toBe(200);
  expect((await gatehouse(['keys', 'revoke', 'nobody'])).stderr).toContain('The key nobody was not found.');
});

it.each([
  [['sessions', 'end', '--dry-run', '--since', 'TIME']],
  [['export', '--as-of', 'TIME', 'history.json']],
  [['usage', '--since', 'TIME']],
  [['stream', 'replay', '00000000-0000-4000-8000-000000000001', '--since', 'TIME']],
])('a time that may be meant in TIME_ZONE says its own zone: %j', async (words) => {
  const ask = (time: string) =>
    gatehouse(
      words.map((word) => (word === 'TIME' ? time : word)),
      { TIME_ZONE: 'Europe/Berlin' },
    );
  const refused = await ask('2026-01-02T01:00:00');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('must have an offset such as Z, since TIME_ZONE is Europe/Berlin');
  expect((await ask('2026-01-02T01:00:00+01:00')).stderr).not.toContain('offset');
});

describe('sessions end', () => {
  const renewals = async (times: string[], endsIn = '1 hour') => {
    const rows: { id: string }[] = [];
    for (const time of times) {
      const [row] = await app.context.sql.rows<{ id: string }>(
        `insert into tokens (user_id, profile_id, token, created_at, expires_at)
         values (gen_random_uuid(), 'p', sha256(gen_random_uuid()::text::bytea), $1, now() + $2::interval) returning id`,
        [time, endsIn],
      );
      rows.push(row!);
    }
    return rows.map(({ id }) => id);
  };
  const revoked = async (ids: string[]) =>
    (
      await app.context.sql.rows<{ id: string }>(
        'select id from tokens where id = any($1) and is_revoked order by id',
        [ids],
      )
    ).map(({ id }) => id);

  it('ends those issued or renewed since then, the instant included, and one audit event tells of it', async () => {
    const times = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    const ids = await renewals(times);
    const over = await renewals(times, '-1 hour');
    const first = await started(['sessions', 'end', '--since', '2026-01-02T01:00:00+01:00']);
    expect([first.code, Number(first.stdout) >= 2, first.stderr]).toEqual([0, true, '']);
    expect(await revoked([...ids, ...over])).toEqual(ids.slice(1));
    const events = await app.context.sql.rows<{ detail: { count: number } }>(
      "select detail from audit_events where action = 'revoke' and subject_id like 'issued or renewed since %'",
    );
    expect(events.map(({ detail }) => detail.count)).toEqual([Number(first.stdout)]);
    expect((await gatehouse(['sessions', 'end', '--since', '2026-01-02T00:00:00Z'])).stdout).toBe('0\n');
  });

  it('sessions of the console that were used since then end with them', async () => {
    const times = ['2026-01-01T23:59:59Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    await app.context.sql.rows(
      `insert into console_sessions (session_hash, user_guid, profile_id, issuer, seen_at, ends_at)
       select sha256(seen::text::bytea), gen_random_uuid(), 'p', 'i', seen, now() + interval '1 hour'
       from unnest($1::timestamptz[]) seen`,
      [times],
    );
    expect((await gatehouse(['sessions', 'end', '--since', '2026-01-02T00:00:00Z'])).code).toBe(0);
    const left = await app.context.sql.rows<{ seen_at: string }>(
      "select seen_at from console_sessions where issuer = 'i'",
    );
    expect(left.map(({ seen_at }) => seen_at)).toEqual(['2026-01-01T23:59:59.000Z']);
  });

  it.each(['yesterday', '2026-02-30T00:00:00Z'])('%s is no time, and nothing ends', async (time) => {
    const ids = await renewals(['2026-01-05T00:00:00Z']);
    const { code, stdout, stderr } = await gatehouse(['sessions', 'end', '--since', time]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('since')]);
    expect(await revoked(ids)).toEqual([]);
  });

  it('needs a time', async () => {
    expect((await gatehouse(['sessions', 'end'])).code).toBe(2);
  });
});

it('migrate tells that nothing is left to do', async () => {
  const upToDate = 'The database was up to date already.\n';
  expect(await started(['migrate'])).toEqual({ code: 0, stdout: '', stderr: upToDate });
  const finished = `${upToDate}The previous version left nothing.\n`;
  expect(await gatehouse(['migrate', '--finish'])).toEqual({ code: 0, stdout: '', stderr: finished });
});

describe('explain', () => {
  it('says why a request to the running service was refused, and what to do', async () => {
    const { headers } = await app.post('/revoke', { token: 'x' });
    const traceId = headers.get('trace-id')!;
    for (;;) {
      const { code, stdout, stderr } = await gatehouse(['explain', traceId]);
      // it is written within a second or so
      if (code === 1 && stderr.startsWith('No refusal with this trace id is stored.')) continue;
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        /^No active session has the token .*\n.*\n {2}when +\d{4}-.*Z\n {2}endpoint {2}\/revoke\n {2}cause +no active record has the token\n$/,
      );
      break;
    }
    const bad = await started(['explain', 'x']);
    expect([bad.code, bad.stderr]).toEqual([
      1,
      'A trace id has 32 hexadecimal digits; the whole traceparent does too.\n',
    ]);
  });
});

describe('help', () => {
  it.each([
    [['--help'], /client rotate-secret ID/],
    [['client', '--help'], /client deactivate ID/],
    [['explain', '--help'], /^bin\/gatehouse explain TRACE-ID\n/],
    ...[
      'import',
      'admin-token',
      'client create',
      'client rotate-secret',
      'client harden',
      'client deactivate',
      'keys rotate',
    ].map((words) => [[...words.split(' '), '--help'], new RegExp(`^bin/gatehouse ${words}`)] as [string[], RegExp]),
    [['migrate', '--help'], /^bin\/gatehouse migrate \[--finish\]\n/],
    ...['keys list', 'doctor'].map(
      (words) => [[...words.split(' '), '--help'], new RegExp(`^bin/gatehouse ${words}\n`)] as [string[], RegExp],
    ),
    [['--version'], /^\d+\.\d+\.\d+(-[\w.-]+)?\n$/],
  ])('%j needs neither settings nor database', async (words, expected) => {
    const { code, stdout, stderr } = await started(words, { PORT: 'none', DATABASE_URL: 'none' });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(expected);
  });

  it.each([
    [[]],
    [['frob']],
    [['client']],
    [['client', 'create']],
    [['client', 'create', 'x']],
    [['import']],
  ])('%j is told what there is', async (words: string[]) => {
    const { code, stdout, stderr } = await started(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });
});

it.each<[string, Record<string, string>, RegExp]>([
  ['bad settings', { PORT: 'x', BCRYPT_COST: '99' }, /PORT must be[\s\S]*BCRYPT_COST must be/],
  ['a database that is away', { DATABASE_URL: 'postgresql://127.0.0.1:1/x' }, /can't be reached.*DATABASE_URL/],
  ['another key encryption key', { KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }, /KEY_ENCRYPTION_KEY/],
])('%s: one clear message, no stack', async (_what, settings, message) => {
  const { code, stdout, stderr } = await started(['admin-token'], settings);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
});
