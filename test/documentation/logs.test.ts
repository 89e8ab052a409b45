/** docs/logs.md has every line that the log may have: level, message, fields, and what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = readdirSync(join(root, 'src'), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.ts'));

/** Messages that are not written where they are logged. */
const named: Record<string, string> = {
  message: 'the message of an answer',
  'problemError.message': 'the message of an answer',
  sentence: 'a sentence for the operator',
  text: 'why the process ends',
};
/** Passes on what others say, who are found by themselves: `services/recorders` the `failure` of each work. */
const passesOn = ['details', 'failure'];

interface Line {
  level: string;
  message: string;
  fields: string[];
}

const closing: Record<string, string> = { '(': ')', '{': '}', '[': ']' };

/** The parts between commas of the outermost level, up to the bracket that ends them. */
function partsFrom(text: string, start: number): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let part = '';
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (`'"\``.includes(character)) {
      const end = endOfText(text, at);
      part += text.slice(at, end + 1);
      at = end;
      continue;
    }
    if (open.length === 0 && ')}]'.includes(character))
      return [...parts, part].map((each) => each.trim()).filter(Boolean);
    if (open.length === 0 && character === ',') {
      parts.push(part);
      part = '';
      continue;
    }
    if (character in closing) open.push(closing[character]!);
    else if (character === open.at(-1)) open.pop();
    part += character;
  }
  throw new Error(`no end: ${text.slice(start, start + 80)}`);
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) return at;
  }
}

/** The names of an object in the source, with those that are there at times; none for a value that is made elsewhere. */
function fieldsOf(object: string): string[] {
  if (!object.startsWith('{')) return [];
  return partsFrom(object, 1).flatMap((part) => {
    if (!part.startsWith('...')) return [/^\w+/.exec(part)![0]];
    const inner = part.indexOf('{');
    return inner < 0 ? [] : fieldsOf(part.slice(inner));
  });
}

function messageOf(expression: string): string {
  if (/^['"]/.test(expression)) return expression.slice(1, -1);
  if (expression.startsWith('`')) return expression.slice(1, -1).replace(/\$\{.*\}/, '…');
  const name = named[expression];
  if (!name) throw new Error(`a message that this test does not know: ${expression}`);
  return name;
}

function linesOf(path: string): Line[] {
  const text = readFileSync(join(root, 'src', path), 'utf8');
  const calls = text.matchAll(/\b(?:log|openLog\('info', process\.stdout\))\??\.(\w+)\(|(?<![.\w])log\((?=\{)/g);
  const failures = text.matchAll(/\bfailure: '([^']+)'/g);
  const ofWork = [...failures].map(([, message]) => ({ level: 'warn', message: message!, fields: ['error'] }));
  const ofCalls = [...calls].flatMap(({ 0: call, 1: level = 'info', index }) => {
    const [first = '', second] = partsFrom(text, index + call.length);
    if (passesOn.includes(first) || passesOn.includes(second ?? '')) return [];
    return [{ level, message: messageOf(second ?? first), fields: second === undefined ? [] : fieldsOf(first) }];
  });
  return [...ofCalls, ...ofWork];
}

const logged = sources.flatMap(linesOf);
const documented = [
  ...readFileSync(join(root, 'docs/logs.md'), 'utf8').matchAll(/^\| (\w+) \| (.+?) \| (.*?) ?\| (.+) \|$/gm),
]
  .filter(([, level]) => level !== 'level')
  .map(([, level, message, fields, action]) => ({
    level: level!,
    message: message!.replaceAll('`', ''),
    fields: [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    action: action!,
  }));
const nameOf = ({ level, message }: Line) => `${level}: ${message}`;

it('there are lines to tell of, and each has its row', () => {
  expect(logged.length).toBeGreaterThan(30);
  const rows = new Set(documented.map(nameOf));
  expect(logged.map(nameOf).filter((name) => !rows.has(name))).toEqual([]);
});

it('no row tells of a line that there is not, or twice', () => {
  const lines = new Set(logged.map(nameOf));
  expect(documented.map(nameOf).filter((name) => !lines.has(name))).toEqual([]);
  expect(new Set(documented.map(nameOf)).size).toBe(documented.length);
});

it('each row has the fields of its line', () => {
  for (const row of documented) {
    const fields = logged.filter((line) => nameOf(line) === nameOf(row)).flatMap((line) => line.fields);
    expect([nameOf(row), row.fields]).toEqual([nameOf(row), expect.arrayContaining(fields)]);
  }
});

it('each row says what to do', () => {
  for (const { message, action } of documented) expect([message, action.length > 6]).toEqual([message, true]);
});
