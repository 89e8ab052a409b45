/** Settings that hold a secret can be in files; what is wrong with one is said without its content. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/loadConfig.js';
import type { Setting } from '../../src/config/parsers.js';
import { settings } from '../../src/modules/settings.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (content: string | Buffer): string => {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  return path;
};
const secrets = (Object.values(settings) as Setting<unknown>[]).filter(({ secret }) => secret).map(({ env }) => env);
const url = 'postgresql://gatehouse:hidden@db.example.com/gatehouse';

it('each setting that holds a secret is read from its file, without the line end', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const issuers = '[{"issuer":"https://idp.example.com","audience":"a","idpname":"n","subject":"idpid"}]';
  const values: Record<string, string> = {
    ID_TOKEN_ISSUERS: issuers,
    KEY_ENCRYPTION_KEY: key,
    HTTPS_PROXY: 'http://user:hidden@proxy.example:3128',
  };
  expect(secrets).toEqual(expect.arrayContaining(['DATABASE_URL', 'ID_TOKEN_ISSUERS', 'KEY_ENCRYPTION_KEY']));
  for (const env of secrets) {
    const value = values[env] ?? url;
    expect(loadConfig({ [`${env}_FILE`]: write(`${value}\n`) })).toEqual(loadConfig({ [env]: value }));
  }
});

it('a file that cannot be used is named, never its content', () => {
  const faultOf = (path: string, more: object = {}) => {
    try {
      loadConfig({ DATABASE_URL_FILE: path, ...more });
      return undefined;
    } catch (error) {
      return (error as Error).message.replace('Bad settings:\n  - ', '');
    }
  };
  const missing = join(folder, 'missing');
  expect(faultOf(missing)).toBe(`DATABASE_URL_FILE names ${missing}, which can't be read (ENOENT).`);
  expect(faultOf('secret')).toBe('DATABASE_URL_FILE names secret, which is not an absolute path.');
  expect(faultOf(folder)).toBe(`DATABASE_URL_FILE names ${folder}, which is not a file.`);
  const path = write('\n');
  expect(faultOf(path)).toBe(`DATABASE_URL_FILE names ${path}, which is empty.`);
  writeFileSync(path, Buffer.of(0xff));
  expect(faultOf(path)).toBe(`DATABASE_URL_FILE names ${path}, which is not text in UTF-8.`);
  write('hidden');
  expect(faultOf(path)).toBe(`DATABASE_URL in ${path} must be a postgresql:// address with the name of a database.`);
  write(Buffer.alloc(1024 * 1024 + 1, 'a'));
  expect(faultOf(path)).toBe(`DATABASE_URL_FILE names ${path}, which is larger than 1 MB.`);
  write(url);
  expect(faultOf(path, { DATABASE_URL: url })).toBe('DATABASE_URL_FILE must not be set beside DATABASE_URL.');
  expect(faultOf(path)).toBeUndefined();
});
