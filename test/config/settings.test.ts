/** Every setting: absent it has its default, and what it can't take is told in one line that names it. */

import express from 'express';
import { describeUnknown, loadConfig } from '../../src/config/loadConfig.js';
import type { Setting } from '../../src/config/parsers.js';
import { OperatorError } from '../../src/errors.js';
import { settings } from '../../src/modules/settings.js';

const all = Object.values(settings) as Setting<unknown>[];
const wrong = [
  'no such thing',
  '-1',
  '1e9',
  '0x10',
  '99999999999999999999',
  '{}',
  '[]',
  '/',
  'http://',
  '\n',
  'a\0b',
  'x'.repeat(100_000),
];
/** Any text is one: names, folders, scopes, hosts. */
const anyText = new Set(all.filter(({ env }) => takes(env, wrong)).map(({ env }) => env));

function faultOf(env: string, value: string): string | undefined {
  try {
    loadConfig({ [env]: value });
    return undefined;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message;
  }
}
function takes(env: string, values: string[]): boolean {
  return values.every((value) => faultOf(env, value) === undefined);
}

it('without any, each has its default', () => {
  expect(() => loadConfig({})).not.toThrow();
  expect(() => loadConfig(Object.fromEntries(all.map(({ env }) => [env, ''])))).not.toThrow();
});

it('those that take any text are these alone', () => {
  expect([...anyText].toSorted()).toMatchSnapshot();
});

describe.each(all.map(({ env }) => env).filter((env) => !anyText.has(env)))('%s', (env) => {
  it('takes a value or says in one line what it must be, and repeats no value', () => {
    for (const value of wrong) {
      const fault = faultOf(env, value);
      if (fault === undefined) continue;
      expect(fault).toMatch(new RegExp(`^Bad settings:\\n  - ${env} must be [^\\n]{3,300}\\.$`));
      if (value.length > 20) expect(fault).not.toContain(value);
    }
  });
});

it.each([
  '0.0.0.0/0',
  '::/0',
  '0.0.0.0/1,128.0.0.0/1',
  '128.0.0.0/2 192.0.0.0/2 0.0.0.0/2',
  '10.0.0.1/0',
  '::ffff:0:0/96',
  '::ffff:10.0.0.0/90',
  '::/1',
  '2000::/3',
  '2000::/4,3000::/4',
  'loopback,0.0.0.0/0',
])('TRUST_PROXY=%s is refused: with most addresses trusted, a caller could choose its own', (value) => {
  expect(faultOf('TRUST_PROXY', value)).toContain('TRUST_PROXY must be the addresses of your proxies, not most');
});

it.each([
  'fe80::1%br-lan',
  'fe80::1%eth0.5/64',
  '::10.0.0.1',
  '64:ff9b::10.0.0.1',
  '10.0.0.1/',
])('TRUST_PROXY=%s, which the HTTP library cannot read, is refused as a setting', (value) => {
  expect(() => express().set('trust proxy', [value])).toThrow();
  expect(faultOf('TRUST_PROXY', value)).toContain('TRUST_PROXY must be no, a number of hops, or addresses');
});

it.each([
  'no',
  '0',
  '2',
  'loopback',
  'uniquelocal, linklocal',
  '10.0.0.10,10.0.0.11',
  '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
  '0.0.0.0/1',
  '2001:db8::/32,fd00::/8',
  '::1',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  '0:0:0:0:0:ffff:10.0.0.1',
])('TRUST_PROXY=%s is taken by the settings and by the HTTP library', (value) => {
  const { trustProxy } = loadConfig({ TRUST_PROXY: value });
  expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
});

it.each([
  ['ID_TOKEN_ISSUERS', `'[{"issuer":"https://idp.example","audience":"a","idpname":"i","subject":"idpid"}]'`],
  ['ID_TOKEN_ISSUERS', `"[]"`],
  ['ISSUER_URL', '"https://auth.example"'],
  ['PORT', "'4000'"],
  ['NODE_ENV', '"production"'],
  ['PORT', '`4000`'],
  ['PORT', '“4000”'],
  ['PORT', '„4000“'],
  ['AUDIENCES', "'GRID,IOT'"],
  ['MAPPING_ACTIVE_STATES', "'active'"],
  ['ADMIN_READ_SCOPES', '"a:b"'],
  ['ADMIN_AUDIENCE', '"admin"'],
  ['NO_PROXY', '"10.0.0.0/8"'],
  ['HOST', '"127.0.0.1"'],
])('%s in quotes that a file kept is refused with the advice to leave them out', (env, value) => {
  expect(faultOf(env, value)).toMatch(/It has quotes around it, which .* did not remove: write it without them\.$/);
  expect(faultOf(env, value.slice(1)) ?? '').not.toContain('quotes');
});

it.each([
  ['[{"issuer":"https://a.example"', 'must be JSON (line 1, column 31: a comma or } is expected, but it ends here)'],
  ['[{\n"issuer":"https://a.example"\n"audience":"x"}]', 'must be JSON (line 3, column 1: a comma or } is expected)'],
  [
    '[{"issuer":"https://a.example","issuer":"https://b.example","audience":"x","idpname":"n","subject":"idpid"}]',
    'has a fault: line 1, column 32: "issuer" appears twice in this object',
  ],
])('ID_TOKEN_ISSUERS %s is refused with the place of the mistake', (value, fault) => {
  expect(faultOf('ID_TOKEN_ISSUERS', value)).toContain(fault);
});

it.each([
  ['issuer', 'https://u:canary@idp.example'],
  ['issuer', 'https://canary@idp.example'],
  ['issuer', 'https://idp.example/?token=canary'],
  ['issuer', 'https://idp.example/#canary'],
  ['issuer', 'ftp://idp.example/canary'],
  ['issuer', 'canary'],
  ['jwksUri', 'https://:canary@idp.example/keys'],
  ['jwksUri', 'file:///canary'],
])('a provider has an http(s) address without a password, and its refusal does not show it: %s %s', (member, address) => {
  const entry = { issuer: 'https://idp.example', audience: 'a', idpname: 'i', subject: 'idpid', [member]: address };
  const fault = faultOf('ID_TOKEN_ISSUERS', JSON.stringify([entry]));
  expect(fault).toMatch(/ID_TOKEN_ISSUERS has a fault: \[0\]\.\w+: an http\(s\) address without user /);
  expect(fault).toContain(`[0].${member}:`);
  expect(fault).not.toContain('canary');
});

it('a provider with keys in the settings may have a name for an address: nothing is fetched from it', () => {
  const entry = { issuer: 'urn:idp', audience: 'a', idpname: 'i', subject: 'idpid' };
  const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA' }] };
  expect(faultOf('ID_TOKEN_ISSUERS', JSON.stringify([{ ...entry, jwks }]))).toBeUndefined();
  expect(faultOf('ID_TOKEN_ISSUERS', JSON.stringify([entry]))).toContain('an http(s) address');
});

it('a list of states that has none would close every application: it is refused', () => {
  expect(faultOf('MAPPING_ACTIVE_STATES', ',')).toContain('at least one state');
});

it('an address with a password is refused, and is not shown', () => {
  for (const env of ['ISSUER_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
    const fault = faultOf(env, 'https://:canary@auth.example');
    expect(fault).toMatch(/must be an http\(s\) address/);
    expect(fault).not.toContain('canary');
  }
});

it.each([
  'https://auth.example"',
  'https://auth.example/a b',
  'https://auth.example/<a>',
  'https://auth.example/a\\b',
])('an address with a character that no address has is refused: %s', (value) => {
  for (const env of ['ISSUER_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    expect(faultOf(env, value)).toMatch(/must be an http\(s\) address/);
});

it.each([
  ['audiance', 'did you mean audience?'],
  ['Issuer', 'did you mean issuer?'],
  ['jwks_uri', 'did you mean jwksUri?'],
  ['authorisedParties', 'did you mean authorizedParties?'],
  ['colour', 'the members are issuer, audience, idpname, subject, '],
])('an unknown member of ID_TOKEN_ISSUERS is named with what was meant: %s, %s', (member, hint) => {
  const known = ['issuer', 'audience', 'idpname', 'subject'].filter((name) => !hint.includes(`${name}?`));
  const entry = { ...Object.fromEntries(known.map((name) => [name, 'https://idp.example'])), [member]: 'x' };
  expect(faultOf('ID_TOKEN_ISSUERS', JSON.stringify([entry]))).toContain(
    `ID_TOKEN_ISSUERS has a fault: [0].${member}: there is no member of this name; ${hint}`,
  );
});

it('what must be one of some words is told these words', () => {
  for (const { env } of all) expect(faultOf(env, 'no such thing') ?? '').not.toMatch(/, \.|of \./);
  expect(faultOf('DPOP_NONCE', 'perhaps')).toContain('DPOP_NONCE must be one of yes, no.');
});

it('an issuer made of the base path is no longer than a given one may be', () => {
  const basePath = (length: number) => `/${'x'.repeat(length - 1)}`;
  const host = 'http://127.0.0.1:4000'.length;
  expect(faultOf('BASE_PATH', basePath(80 - host))).toBeUndefined();
  expect(faultOf('BASE_PATH', basePath(81 - host))).toMatch(/ISSUER_URL be set: an issuer has at most 80 characters/);
  const issued = { BASE_PATH: basePath(100), ISSUER_URL: 'https://gatehouse.example' };
  expect(() => loadConfig(issued)).not.toThrow();
});

it('all bad ones are named together', () => {
  const bad = all
    .filter(({ env }) => !anyText.has(env))
    .map(({ env }) => [env, wrong.find((value) => faultOf(env, value))!]);
  expect(bad.every(([, value]) => value)).toBe(true);
  const faults = (() => {
    try {
      return loadConfig(Object.fromEntries(bad)) && '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  for (const [env] of bad) expect(faults).toContain(`  - ${env} must be `);
});

it.each([
  ['TOKEN_POLCY', 'TOKEN_POLICY'],
  ['token_policy', 'TOKEN_POLICY'],
  ['DATABASE_REPLICA_URL', 'DATABASE_REPLICA_URLS'],
  ['KEY_ENCRYPTION_KEYS', 'KEY_ENCRYPTION_KEY'],
  ['KEY_ENCRYPTION_KEY_FILES', 'KEY_ENCRYPTION_KEY_FILE'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['ISSUERURL', 'ISSUER_URL'],
])('%s, which is not a setting, is named with the one that is meant: %s', (name, meant) => {
  expect(describeUnknown({ [name]: 'x' })).toEqual([
    `${name} is not a setting and has no effect: did you mean ${meant}?`,
  ]);
});

it('settings of earlier versions are named, and nothing else that the environment has', () => {
  const retired = ['GRAPHIQL', 'GRAPHQL_DEPTH_MAX', 'DATABASE_STREAMS_MAX', 'SLOW_STATEMENT_MS'];
  const environment = { ...Object.fromEntries(retired.map((name) => [name, 'x'])), GRAPHQL_TOKENS_MAX: '', PATH: '/' };
  const others = {
    GATEHOUSE_PORT: 'tcp://10.0.0.1:4000',
    HTTP_PROXY: 'x',
    https_proxy: 'x',
    HOME: '/',
    NODE_PATH: '/',
    TOKEN_POLICY: 'hardened',
    TOKEN_POLICIES: 'x',
  };
  const sentences = describeUnknown({ ...environment, ...others });
  expect(sentences.map((sentence) => sentence.split(' ')[0]).sort()).toEqual(retired.sort());
  expect(describeUnknown(Object.fromEntries(all.map(({ env }) => [env, 'x'])))).toEqual([]);
  expect(() => loadConfig(environment)).not.toThrow();
});

it.each([
  [1, { databaseTokenPoolMax: 1, databaseStreamsMax: 1, databaseWaitingMax: 50 }],
  [2, { databaseTokenPoolMax: 1, databaseStreamsMax: 1, databaseWaitingMax: 100 }],
  [6, { databaseTokenPoolMax: 3, databaseStreamsMax: 1, databaseWaitingMax: 300 }],
  [20, { databaseTokenPoolMax: 8, databaseStreamsMax: 6, databaseWaitingMax: 1_000 }],
  [100, { databaseTokenPoolMax: 40, databaseStreamsMax: 30, databaseWaitingMax: 5_000 }],
])('%i connections are divided among the token endpoints, lists and the rest', (connections, limits) => {
  expect(loadConfig({ DATABASE_POOL_MAX: String(connections) })).toMatchObject(limits);
});
