/** Who is calling: one header form, and no permission that wasn't given. */
import { allPermissions, hasPermission, permissionsOf, presentedToken } from '../../src/auth/caller.js';

const none = { adminReadScopes: [], adminWriteScopes: [] };
const permitted = (scopes: string[], legacy: { adminReadScopes: string[]; adminWriteScopes: string[] } = none) =>
  [...permissionsOf(scopes, legacy)].sort();

describe('the Authorization header', () => {
  it.each([
    'Bearer abc.DEF-_~+/1=',
    'bearer abc.DEF-_~+/1=',
    'BEARER   abc.DEF-_~+/1=',
  ])('%s brings its token', (header) => expect(presentedToken(header)?.token).toBe('abc.DEF-_~+/1='));

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'abc',
    'Basic abc',
    'Bearerabc',
    'Bearer a b',
    'Bearer a,b',
    'Bearer =',
    'Bearer a=b',
    ' Bearer a',
    'Bearer\ta',
    'Bearer é',
  ])('%j brings none', (header) => expect(presentedToken(header)?.token).toBeUndefined());
});

describe('the scopes of a token', () => {
  it('permit reading, or changing with reading; security alone permits neither', () => {
    expect(permitted(['admin:read'])).toEqual(['admin:read']);
    expect(permitted(['admin:write'])).toEqual(['admin:read', 'admin:write']);
    expect(permitted(['admin:security'])).toEqual(['admin:security']);
    expect(permitted(['admin:security', 'admin:write'])).toEqual(['admin:read', 'admin:security', 'admin:write']);
  });

  it('permit nothing otherwise: no wildcard, no other case, no prefix', () => {
    expect(
      permitted(['admin:*', 'ADMIN:read', 'admin:readx', ' admin:read', 'admin', '*', '', 'app:admin:read']),
    ).toEqual([]);
  });

  it('permit what the settings say for legacy scopes, and never security', () => {
    const legacy = { adminReadScopes: ['web:look'], adminWriteScopes: ['web:edit'] };
    expect(permitted(['web:look'], legacy)).toEqual(['admin:read']);
    expect(permitted(['web:edit'], legacy)).toEqual(['admin:read', 'admin:write']);
    expect(permitted(['admin:*'], { adminReadScopes: ['admin:*'], adminWriteScopes: ['admin:*'] })).toEqual([]);
    expect(permitted(['admin:read'], { adminReadScopes: ['x'], adminWriteScopes: ['admin:security'] })).toEqual([
      'admin:read',
    ]);
  });
});

it('an anonymous caller has no permission, the system those it was given', () => {
  expect(hasPermission({ kind: 'anonymous' }, 'admin:read')).toBe(false);
  expect(hasPermission({ kind: 'system', sub: 's', permissions: allPermissions }, 'admin:security')).toBe(true);
  expect(hasPermission({ kind: 'system', sub: 's', permissions: new Set() }, 'admin:read')).toBe(false);
});
