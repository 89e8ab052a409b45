/** Production starts on nothing that is only fit for development, and says all of it at once. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config/loadConfig.js';
import { cautions } from '../../src/config/production.js';

const good = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://gatehouse:canary-password@db.example/gatehouse?sslmode=verify-full',
  ISSUER_URL: 'https://auth.example',
  TOKEN_POLICY: 'documented',
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
  ID_TOKEN_ISSUERS: JSON.stringify([{ issuer: 'https://idp.example', audience: 'a', idpname: 'i', subject: 'idpid' }]),
};

/** The settings that a start names, in order. */
function namedBy(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    return [...(error as Error).message.matchAll(/^ {2}- ([A-Z_]+)/gm)].map(([, name]) => name!);
  }
}

it('names every insecure default together', () => {
  expect(namedBy({ NODE_ENV: 'production', ADMIN_AUTH: 'none' })).toEqual([
    'DATABASE_URL',
    'ID_TOKEN_ISSUERS',
    'KEY_ENCRYPTION_KEY',
    'ISSUER_URL',
    'TOKEN_POLICY',
    'ADMIN_AUTH',
  ]);
});

it('a start and a command end at once, tell every one on standard error, and open nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'production-'));
  const environment = { PATH: process.env.PATH, NODE_ENV: 'production', ADMIN_AUTH: 'none', DATA_DIR: folder };
  for (const [file, ...words] of [['main.js'], ['cli.js', 'keys', 'list']] as const) {
    const program = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      env: environment,
      encoding: 'utf8',
    });
    expect([file, status, stdout]).toEqual([file, 1, '']);
    const text = file === 'main.js' ? JSON.parse(stderr).msg : stderr;
    const named = [...text.matchAll(/^ {2}- ([A-Z_]+)/gm)].map(([, name]) => name);
    expect(named).toEqual([
      'DATABASE_URL',
      'ID_TOKEN_ISSUERS',
      'KEY_ENCRYPTION_KEY',
      'ISSUER_URL',
      'TOKEN_POLICY',
      'ADMIN_AUTH',
    ]);
  }
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it('a start in production without TOKEN_POLICY says in a sentence what each choice means', () => {
  const lines = (environment: object): string[] => {
    try {
      loadConfig({ ...good, ...environment });
      return [];
    } catch (error) {
      return (error as Error).message.split('\n').slice(1);
    }
  };
  expect(lines({ TOKEN_POLICY: undefined })).toEqual([
    '  - TOKEN_POLICY must be set in production:',
    ...['documented', 'rehearsal', 'hardened'].map((policy) => expect.stringMatching(`^ {6}${policy}: .{40,}\\.$`)),
  ]);
  for (const policy of ['documented', 'rehearsal', 'hardened']) expect(lines({ TOKEN_POLICY: policy })).toEqual([]);
  // development has a default
  expect(loadConfig({}).tokenPolicy).toBe('documented');
});

it.each([
  'Production',
  'PRODUCTION',
  'prod',
  'production ',
  'live',
  'staging',
])('NODE_ENV=%s is refused, rather than taken for development', (value) => {
  expect(namedBy({ ...good, NODE_ENV: value })).toEqual(['NODE_ENV']);
  expect(namedBy({ NODE_ENV: value })).toEqual(['NODE_ENV']);
});

it.each([
  'DATABASE_URL',
  'ID_TOKEN_ISSUERS',
  'KEY_ENCRYPTION_KEY',
  'ISSUER_URL',
  'TOKEN_POLICY',
])('refuses to be without %s', (name) => {
  expect(namedBy({ ...good, [name]: '' })).toEqual([name]);
  expect(namedBy(good)).toEqual([]);
});

it('names bad settings beside the missing ones, each once', () => {
  expect(namedBy({ NODE_ENV: 'production', PORT: 'x', ISSUER_URL: 'ftp://x', CORS_ORIGINS: 'app.example' })).toEqual([
    'PORT',
    'ISSUER_URL',
    'CORS_ORIGINS',
    'DATABASE_URL',
    'ID_TOKEN_ISSUERS',
    'KEY_ENCRYPTION_KEY',
    'TOKEN_POLICY',
  ]);
});

it('never repeats a value that may be secret', () => {
  const environment = {
    ...good,
    KEY_ENCRYPTION_KEY: 'canary-key',
    DATABASE_URL: 'mysql://canary',
    ID_TOKEN_ISSUERS: '[{"canary',
  };
  expect(() => loadConfig(environment)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('canary') }),
  );
});

it('keeps a closed network open on the operator’s word alone', () => {
  expect(namedBy({ ...good, ADMIN_AUTH: 'none' })).toEqual(['ADMIN_AUTH']);
  expect(namedBy({ ...good, ADMIN_AUTH: 'none', ADMIN_AUTH_NONE_ACCEPTED: 'yes' })).toEqual([]);
});

it('warns of what an operator chose against good advice', () => {
  const chosen = { CLIENT_FAILURE_LIMIT: '0', BCRYPT_COST: '4', KEY_ROTATION_DAYS: '0', CORS_ORIGINS: '*' };
  const named = cautions(loadConfig({ ...good, ...chosen, ISSUER_URL: 'http://auth.example' }));
  expect(named.map((line) => /^[A-Z_]+/.exec(line)?.[0])).toEqual([
    'ISSUER_URL',
    'CLIENT_FAILURE_LIMIT',
    'BCRYPT_COST',
    'KEY_ROTATION_DAYS',
    'CORS_ORIGINS',
  ]);
  expect(cautions(loadConfig({ ...good, WORKERS: '4' }))).toEqual([expect.stringMatching(/^LIMITER_STORE=memory/)]);
  expect(cautions(loadConfig(good))).toEqual([]);
});

it.each([
  'app.example',
  'https://app.example/',
  'https://app.example/path',
  'https://APP.example',
  'https://user@app.example',
  'https://app.example:443',
  'null',
  'ftp://app.example',
  'https://*.example',
])('CORS_ORIGINS=%s is refused', (origin) => {
  expect(namedBy({ CORS_ORIGINS: origin })).toEqual(['CORS_ORIGINS']);
  expect(namedBy({ ADMIN_CORS_ORIGINS: origin })).toEqual(['ADMIN_CORS_ORIGINS']);
});

it('no setting lets pages of any origin administer, and without a token it warns of those that may', () => {
  expect(namedBy({ ADMIN_CORS_ORIGINS: '*' })).toEqual(['ADMIN_CORS_ORIGINS']);
  const open = { ADMIN_AUTH: 'none', ADMIN_AUTH_NONE_ACCEPTED: 'yes', ADMIN_CORS_ORIGINS: 'https://admin.example' };
  expect(cautions(loadConfig({ ...good, ...open }))).toEqual([
    expect.stringMatching(/^ADMIN_AUTH=none/),
    expect.stringMatching(/^ADMIN_CORS_ORIGINS/),
  ]);
});
