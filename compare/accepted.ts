/** Accepted differences: those that Gatehouse has by design, and those that an operator accepts in a file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../src/errors.js';
import { covers, type DifferenceKind, isDifferenceKind } from './difference.js';

export interface AcceptedRule {
  /** Shown in the report. */
  name: string;
  operation?: string;
  kinds: readonly DifferenceKind[];
  paths: readonly string[];
}

/** Finds the rule that accepts a difference. */
export const findAccepted = (
  rules: readonly AcceptedRule[],
  operation: string,
  kind: DifferenceKind,
  pattern: string,
): AcceptedRule | undefined =>
  rules.find(
    (rule) =>
      rule.kinds.includes(kind) &&
      (rule.operation === undefined || rule.operation.toLowerCase() === operation.toLowerCase()) &&
      rule.paths.some((path) => covers(path, pattern)),
  );

const texts = ['text', 'text in another case', 'text with other white space'] as const;

const keysByDesign = 'keys: each service publishes its own, for its algorithm';

/** Values that differ between installations. Their presence and type are still compared. */
export const byDesign: readonly AcceptedRule[] = [
  {
    name: 'cache-control: Gatehouse says for itself how long an answer may be stored',
    kinds: ['header value', 'header added'],
    paths: ['header.cache-control'],
  },
  {
    name: 'www-authenticate: Gatehouse has a challenge in every 401 (RFC 9110 §15.5.2)',
    kinds: ['header added'],
    paths: ['header.www-authenticate'],
  },
  { name: 'iss: the issuer is ISSUER_URL', kinds: texts, paths: ['$..iss'] },
  { name: 'kid: each service names its own keys', kinds: [...texts, 'guid'], paths: ['$..kid'] },
  { name: 'alg: the algorithm is SIGNING_ALG', kinds: texts, paths: ['$..alg'] },
  {
    name: keysByDesign,
    kinds: [...texts, 'property missing', 'property added'],
    paths: ['kty', 'crv', 'x', 'y', 'n', 'e'].map((name) => `$.keys[*].${name}`),
  },
  { name: keysByDesign, kinds: ['list shorter', 'list longer'], paths: ['$.keys'] },
  {
    name: 'role names: they are imported, or given by administrators',
    kinds: [...texts, 'guid'],
    paths: ['$..roleId'],
  },
];

/** Writes a cause as a line of the file. */
export const causeLine = (kind: DifferenceKind, path: string): string => `${kind}: ${path}`;

const heading = `# Differences that are accepted: one cause in a line, with an operation before it or for all operations.
# Remove the # before a cause to accept it. Lines that you change are kept as they are.
`;

/** Reads the causes of a file, except those behind `#`; none if the file does not exist. Throws OperatorError for a line that is not a cause. */
export function readAccepted(file: string): AcceptedRule[] {
  return linesOf(file)
    .map((line) => line.trim().replace(/ {2}\(\d{1,10} ×\)$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => readLine(file, line));
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

function readLine(file: string, line: string): AcceptedRule {
  const parts = /^(?:([A-Z]{3,7} \/\S{0,200}) )?([A-Za-z][A-Za-z -]{0,60}): (\S{1,500})$/.exec(line);
  const [, operation, kind, path] = parts ?? [];
  if (kind === undefined || path === undefined || !isDifferenceKind(kind))
    throw new OperatorError(
      `${file} has a line that is no cause: ${line.slice(0, 200)}. A cause is as the report has it, such as "text: $..name" or "GET /api/applications header value: header.etag".`,
    );
  return { name: line, ...(operation !== undefined && { operation }), kinds: [kind], paths: [path] };
}

/**
 * Adds the causes that the file does not contain yet, each behind a `#`, so that the operator decides which to accept.
 * Returns how many were added. Throws OperatorError. @param causes as `causeLine` writes them, with the number of differences
 */
export function proposeAccepted(file: string, causes: readonly { line: string; count: number }[]): number {
  const before = linesOf(file);
  const linesBefore = new Set(before.map((line) => line.replace(/^#? {0,9}/, '').replace(/ {2}\(\d{1,10} ×\)$/, '')));
  const added = causes.filter(({ line }) => !linesBefore.has(line));
  if (added.length === 0 && before.length > 0) return 0;
  const text = before.length > 0 ? `${before.join('\n').trimEnd()}\n` : heading;
  try {
    writeFileSync(file, text + added.map(({ line, count }) => `# ${line}  (${count} ×)\n`).join(''));
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}.`);
  }
  return added.length;
}
