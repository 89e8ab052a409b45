/** Which texts a key and the name of a type may have: by GraphQL, by import, and what only looks like `admin`. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../src/context.js';
import { planFile } from '../../src/modules/catalogueFile/applyFile.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { reservedTypeGuid } from '../../src/services/adminScopes/guard.js';
import { looksLikeAdmin } from '../../src/services/adminScopes/reservedNames.js';
import {
  createAccessScope,
  createAccessScopeType,
  updateAccessScope,
  updateAccessScopeType,
} from '../../src/services/catalogue/accessScopes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newScope, newScopeType } from '../support/records.js';

let app: TestApp;
let context: Context;
beforeAll(async () => {
  app = await startTestApp();
  context = app.context;
});
afterAll(() => app?.close());

const unseen = [
  'a\u200bb',
  'a\u00adb',
  '\ufeffab',
  'a\u202eb',
  'a\u2066b',
  'a\u0007b',
  'a\u0085b',
  'a\u007fb',
  'a\u034fb',
  'a\u3164b',
  'a\ufe0fb',
  'a\u2800b',
  'a\u{e0041}b',
];
const ofOldSystems = ['a b', 'a\tb', 'a\u00a0b', 'a\u3000b', 'a"b', "a'b", 'a’b', '«a»', 'a\\b', 'a`b', ' ', 'ab\n'];
const fine = ['plain', 'größe', 'ключ', '鍵', 'مفتاح', 'κλειδί', 'a:b', 'a.b-c_d~e/f', '%24', 'नमस्ते', 'é', '🦉'];

const codeAndPaths = async (work: Promise<unknown>): Promise<[string, string[]] | 'fine'> =>
  work.then(
    () => 'fine' as const,
    (error) => [error.code, Object.keys(error.more?.problems ?? {})] as [string, string[]],
  );
const guidOfType = async (): Promise<string> => {
  const accessScopeTypeGuid = randomUUID();
  await createAccessScopeType(context, { accessScopeTypeGuid, name: `type-${accessScopeTypeGuid}` });
  return accessScopeTypeGuid;
};

it.each([...unseen, ...ofOldSystems])('a new key and a new name of a type are not %j', async (text) => {
  const accessScopeTypeGuid = await guidOfType();
  const scope = { accessScopeTypeGuid, name: 'Scope', accessScopeKey: text };
  expect(await codeAndPaths(createAccessScope(context, scope))).toEqual(['BAD_USER_INPUT', ['accessScopeKey']]);
  const { accessScopeGuid } = await createAccessScope(context, { ...scope, accessScopeKey: 'fine' });
  const changed = updateAccessScope(context, accessScopeGuid, { accessScopeKey: text });
  expect(await codeAndPaths(changed)).toEqual(['BAD_USER_INPUT', ['accessScopeKey']]);
  expect(await codeAndPaths(createAccessScopeType(context, { name: text }))).toEqual(['BAD_USER_INPUT', ['name']]);
  const renamed = updateAccessScopeType(context, accessScopeTypeGuid, { name: text });
  expect(await codeAndPaths(renamed)).toEqual(['BAD_USER_INPUT', ['name']]);
});

it.each(fine)('letters of any script are fine: %j', async (text) => {
  const accessScopeTypeGuid = await guidOfType();
  const scope = { accessScopeTypeGuid, name: 'Scope', accessScopeKey: text };
  expect(await codeAndPaths(createAccessScope(context, scope))).toBe('fine');
  if (text.includes(':')) return;
  expect(await codeAndPaths(createAccessScopeType(context, { name: text }))).toBe('fine');
});

it('an old key stays while something else of the scope changes', async () => {
  const accessScopeKey = 'an old "key"';
  const type = await newScopeType(context);
  const { access_scope_guid } = await newScope(context, type, undefined, { access_scope_key: accessScopeKey });
  for (const input of [{ name: 'Another' }, { name: 'Third', accessScopeKey }])
    expect(await codeAndPaths(updateAccessScope(context, access_scope_guid, input))).toBe('fine');
});

describe('the key *, which APIs read as every scope of the type', () => {
  it.each([true, false])('is no new scope’s, nor a changed one’s (isWildcard %s)', async (isWildcard) => {
    const accessScopeTypeGuid = await guidOfType();
    const scope = { accessScopeTypeGuid, name: 'Scope', isWildcard };
    const refused = ['BAD_USER_INPUT', ['accessScopeKey']];
    expect(await codeAndPaths(createAccessScope(context, { ...scope, accessScopeKey: '*' }))).toEqual(refused);
    const { accessScopeGuid } = await createAccessScope(context, { ...scope, accessScopeKey: 'fine' });
    for (const input of [{ accessScopeKey: '*' }, { accessScopeKey: '*', isWildcard: !isWildcard }])
      expect(await codeAndPaths(updateAccessScope(context, accessScopeGuid, input))).toEqual(refused);
  });

  it('stays an old scope’s while other fields of it change, but does not come to another type', async () => {
    const type = await newScopeType(context);
    const { access_scope_guid: guid } = await newScope(context, type, undefined, { access_scope_key: '*' });
    for (const input of [{ name: 'Another' }, { isActive: false }, { isWildcard: true }, { accessScopeKey: '*' }])
      expect(await codeAndPaths(updateAccessScope(context, guid, input))).toBe('fine');
    const moved = updateAccessScope(context, guid, { accessScopeTypeGuid: await guidOfType() });
    expect(await codeAndPaths(moved)).toEqual(['BAD_USER_INPUT', ['accessScopeKey']]);
    expect(await codeAndPaths(updateAccessScope(context, guid, { accessScopeKey: 'mended' }))).toBe('fine');
  });

  it('is taken by an import with a warning at its path, once, and refused in a managed file', async () => {
    const [accessScopeTypeGuid, accessScopeGuid] = [randomUUID(), randomUUID()];
    const file = {
      accessScopeTypes: [{ accessScopeTypeGuid, name: `type-${accessScopeTypeGuid}` }],
      accessScopes: [{ accessScopeGuid, accessScopeTypeGuid, name: 'Every', accessScopeKey: '*' }],
    };
    expect(await codeAndPaths(planFile(context, file))).toEqual(['BAD_USER_INPUT', ['accessScopes[0].accessScopeKey']]);
    const warned: string[][] = [];
    const onWarnings = (found: Record<string, string[]>) => warned.push(Object.keys(found));
    for (const name of ['Every', 'Renamed']) {
      file.accessScopes[0]!.name = name;
      await importFile(context, file, { onWarnings });
    }
    expect(warned).toEqual([['accessScopes[0].accessScopeKey']]);
    // one that is there is the catalogue's, and its other fields are managed as others are
    file.accessScopes[0]!.name = 'Managed';
    expect(await codeAndPaths(planFile(context, file))).toBe('fine');
  });
});

const importing = (accessScopeKey: string, name = `type-${randomUUID()}`) => {
  const accessScopeTypeGuid = randomUUID();
  return codeAndPaths(
    importFile(context, {
      accessScopeTypes: [{ accessScopeTypeGuid, name }],
      accessScopes: [{ accessScopeGuid: randomUUID(), accessScopeTypeGuid, name: 'Scope', accessScopeKey }],
    }),
  );
};

it.each([...ofOldSystems, ...fine])('an import takes an old key: %j', async (key) => {
  expect(await importing(key)).toBe('fine');
});

it('an import warns of keys of old systems, and of users whom none of several issuers can name', async () => {
  const accessScopeTypeGuid = randomUUID();
  const scopes = ['plain', 'a b', 'a"b'].map((accessScopeKey) => ({
    accessScopeGuid: randomUUID(),
    accessScopeTypeGuid,
    name: 'Scope',
    accessScopeKey,
  }));
  const file = {
    accessScopeTypes: [{ accessScopeTypeGuid, name: `type-${accessScopeTypeGuid}` }],
    accessScopes: scopes,
    users: [{ userGuid: randomUUID() }, { userGuid: randomUUID(), idpname: 'guids' }],
  };
  let warnings: Record<string, string[]> = {};
  const onWarnings = (found: Record<string, string[]>) => {
    warnings = found;
  };
  await importFile(context, file, { onWarnings });
  expect(Object.keys(warnings).sort()).toEqual([
    'accessScopes[1].accessScopeKey',
    'accessScopes[2].accessScopeKey',
    'users[0].idpname',
  ]);
  expect(warnings['users[0].idpname']).toEqual([expect.stringContaining('set idpname to guids or names')]);
  warnings = {};
  await importFile(context, file, { onWarnings });
  expect(warnings).toEqual({});
});

it.each(unseen)('an import refuses what nobody sees, by its path: %j', async (text) => {
  expect(await importing(text)).toEqual(['BAD_USER_INPUT', ['accessScopes[0].accessScopeKey']]);
  expect(await importing('fine', text)).toEqual(['BAD_USER_INPUT', ['accessScopeTypes[0].name']]);
});

const alike = [
  'admin',
  'ADMIN',
  'Admin',
  'aDmIn',
  'аdmin',
  'admіn',
  'αdmin',
  'ΑDΜΙΝ',
  'аԁміп',
  'ａｄｍｉｎ',
  'ＡＤＭＩＮ',
  'ádmin',
  'ạḍṃịṇ',
  'a\u0301d\u0327min',
  'a\u200bdmin',
  'admin\ufeff',
  '\u202eadmin',
  'ad\u00admin',
  '𝐚𝐝𝐦𝐢𝐧',
  '𝔞𝔡𝔪𝔦𝔫',
  'ⓐⓓⓜⓘⓝ',
  '🄰🄳🄼🄸🄽',
  'ᴀᴅᴍɪɴ',
  'admın',
  'ADMİN',
  'adm1n',
  'admln',
  'adrnin',
  'ađmin',
];
const unlike = [
  'administration',
  'admins',
  'adm',
  'domain',
  'amdin',
  'madmin',
  'ad',
  'min',
  'user',
  'админы',
  'a-dmin',
];

it.each(alike)('%j looks like admin and is no other type’s name, by no way', async (name) => {
  expect(looksLikeAdmin(name)).toBe(true);
  expect(await codeAndPaths(createAccessScopeType(context, { name }))).toEqual(['BAD_USER_INPUT', ['name']]);
  const guid = await guidOfType();
  expect(await codeAndPaths(updateAccessScopeType(context, guid, { name }))).toEqual(['BAD_USER_INPUT', ['name']]);
  expect(await importing('key', name)).toEqual(['BAD_USER_INPUT', ['accessScopeTypes[0].name']]);
});

it.each(unlike)('%j does not', async (name) => {
  expect(looksLikeAdmin(name)).toBe(false);
  expect(await codeAndPaths(createAccessScopeType(context, { name }))).toBe('fine');
});

it('the reserved type keeps its name, to the letter', async () => {
  for (const name of ['Admin', 'ADMIN', 'other'])
    expect(await codeAndPaths(updateAccessScopeType(context, reservedTypeGuid, { name }))).toEqual([
      'BAD_USER_INPUT',
      ['name'],
    ]);
  expect(await codeAndPaths(updateAccessScopeType(context, reservedTypeGuid, { name: 'admin' }))).toBe('fine');
});
