/** Every setting: absent it has its default, and what it can't take is told in one line that names it. */

import { loadConfig } from '../../src/config/config.js';
import type { Setting } from '../../src/config/settings.js';
import { settings } from '../../src/config/settings.js';
import { OperatorError } from '../../src/errors.js';

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
