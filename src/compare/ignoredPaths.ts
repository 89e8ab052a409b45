/** --ignore: what an operator knows to differ. `$[*].modifiedDate`, `$..traceId`, `header.etag`, `status`, and an operation before it. */
import { OperatorError } from '../errors.js';

export type IsIgnored = (operation: string, pattern: string) => boolean;

interface Rule {
  operation?: string;
  path?: string;
}

/** @param text rules, separated by commas. Throws OperatorError for one that can't be meant. */
export function readIgnored(text = ''): IsIgnored {
  const rules = text
    .split(',')
    .map((rule) => rule.trim())
    .filter(Boolean)
    .map(readRule);
  return (operation, pattern) =>
    rules.some(
      (rule) =>
        (rule.operation === undefined || rule.operation === operation.toLowerCase()) &&
        (rule.path === undefined || covers(rule.path, pattern)),
    );
}

function readRule(text: string): Rule {
  const found = /^(?:([A-Z]{3,7} \/[^ ]{0,200}))? ?((?:\$|status|header)[^ ]{0,200})?$/.exec(text);
  if (!found?.[0])
    throw new OperatorError(
      '--ignore takes paths, separated by commas: $[*].modifiedDate, $..traceId, header.etag, status; or with an operation before it: GET /api/applications $[*].name.',
    );
  const [, operation, path] = found;
  return { ...(operation && { operation: operation.toLowerCase() }), ...(path && { path }) };
}

/** A path covers what is below it. */
function covers(path: string, pattern: string): boolean {
  const isAt = (end: number) => end === pattern.length || '.['.includes(pattern[end]!);
  if (!path.startsWith('$..')) return pattern.startsWith(path) && isAt(path.length);
  const name = `.${path.slice('$..'.length)}`;
  for (let at = pattern.indexOf(name); at >= 0; at = pattern.indexOf(name, at + 1))
    if (isAt(at + name.length)) return true;
  return false;
}
