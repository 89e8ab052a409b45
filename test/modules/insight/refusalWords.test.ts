/** The words in which a refusal is explained. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainRefusal } from '../../../src/modules/insight/refusalWords.js';

it('each reason has words of its own', () => {
  const reasons = ['invalidProof', 'invalidScope', 'invalidTarget', 'invalidClient'];
  const texts = reasons.map((reason) => explainRefusal(reason, 'anything').text);
  expect(new Set(texts).size).toBe(reasons.length);
  expect(explainRefusal('invalidClient', 'wrong assertion: anything').text).toContain('client assertion');
});

it('a used renewal token is explained by how old it is: only an older one has a successor that was used', () => {
  const text = (detail: string) => explainRefusal('invalidRenewalToken', detail).text;
  const unused = 'The renewal token was already used. The one that replaced it was not used yet.';
  for (const detail of ['used: generation 0 of 1', 'used: generation 41 of 42, revoked by user at 2026-01-31'])
    expect(text(detail)).toBe(unused);
  for (const [detail, renewals] of [
    ['used: generation 0 of 2', 2],
    ['used: generation 3 of 10', 7],
  ] as const)
    expect(text(detail)).toBe(
      `The renewal token was already used, and so was the one that replaced it: it is ${renewals} renewals old.`,
    );
});

it('a proof of another key is explained as that, at the token endpoints and at the door', () => {
  for (const reason of ['invalidProof', 'invalidAccessToken'])
    expect(explainRefusal(reason, 'the proof was made with another key').text).toContain('another key');
});

it('every cause that the checks can give has words of its own', () => {
  const root = fileURLToPath(new URL('../../../../src', import.meta.url));
  const texts = [
    ...['services/tokens', 'rest/token', 'modules/door', 'modules/door/endpoints'].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name}`),
    ),
  ].map((path) => readFileSync(join(root, path), 'utf8'));
  const given = texts.flatMap((text) => [...text.matchAll(/TokenRefusal\('(\w+)', '([^']+)'/g)]);
  const causes = given.map(([, reason, detail]) => [reason!, detail!]);
  const inFile = (path: string, reason: string, form: RegExp) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(form)].map(([, detail]) => [reason, detail!]);
  causes.push(
    ...inFile('auth/idToken.ts', 'invalidIdToken', /IdTokenInvalid\('([^']+)'/g),
    ...inFile('auth/idToken.ts', 'invalidIdToken', /return '([^']+)'/g),
    ...inFile('auth/tokenFormat.ts', 'invalidAccessToken', /invalid: '([^']+)'/g),
    ...inFile('services/tokens/refusedRenewal.ts', 'invalidRenewalToken', /return [`'](\w[^'`]+)[`']/g),
  );
  expect(causes.length).toBeGreaterThan(35);
  const general = (reason: string) => explainRefusal(reason, '').text;
  const generalAnyway = [
    // of a sign-in to the console
    'the issuer is not configured for the console',
    'a claim is missing or of the wrong type',
    // of a logout token, whose one explanation names all of its checks
    'it is not a logout token (events)',
    'grant_type is not supported',
    'grant_type is not supported',
  ];
  expect(
    causes.filter(
      ([reason, detail]) =>
        !generalAnyway.includes(detail!) && explainRefusal(reason!, detail!).text === general(reason!),
    ),
  ).toEqual([]);
});
