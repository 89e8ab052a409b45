/** The words in which a refusal is explained. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainRefusal } from '../../src/services/refusals/refusalWords.js';

it('each reason has words of its own', () => {
  const reasons = ['invalidProof', 'invalidScope', 'invalidTarget', 'invalidClient'];
  const texts = reasons.map((reason) => explainRefusal(reason, 'anything').text);
  expect(new Set(texts).size).toBe(reasons.length);
  expect(explainRefusal('invalidClient', 'wrong assertion: anything').text).toContain('client assertion');
});

it('every cause that the checks can give has words of its own', () => {
  const root = fileURLToPath(new URL('../../../src', import.meta.url));
  const texts = [
    ...readdirSync(join(root, 'services/tokens')).map((name) => `services/tokens/${name}`),
    ...readdirSync(join(root, 'rest/token')).map((name) => `rest/token/${name}`),
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
