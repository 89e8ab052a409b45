/** Where a mistake in a JSON text of an operator is: a file or a setting. */

const token =
  /[ \t\n\r]*(?:([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)))/y;

/** What may follow in a JSON text, and its words in messages. */
const words = {
  value: 'a value is expected',
  'name or }': 'a name in double quotes or } is expected',
  name: 'a name in double quotes is expected',
  ':': 'a colon is expected',
  ', or }': 'a comma or } is expected',
  ', or ]': 'a comma or ] is expected',
  'value or ]': 'a value or ] is expected',
  'end of the file': 'the end is expected',
};
type Expected = keyof typeof words;

/** Such as `line 3, column 7: a comma or } is expected`; undefined for valid JSON. */
export function findJsonFault(text: string): string | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let index = 0; ; index = token.lastIndex) {
    token.lastIndex = index;
    const match = token.exec(text);
    const next: Expected | undefined | null =
      match && after(expected, match[1] ?? (match[2] ? 'string' : 'scalar'), open);
    if (next) expected = next;
    else {
      const at = index + /^[ \t\n\r]*/.exec(text.slice(index))![0].length;
      if (expected === 'end of the file' && at === text.length) return undefined;
      return `${placeOf(text, at)}: ${words[expected]}${at === text.length ? ', but it ends here' : ''}`;
    }
  }
}

/** Returns what may follow the token; undefined when the token is not allowed here. */
function after(expected: Expected, character: string, open: ('{' | '[')[]): Expected | undefined {
  const takesValue = expected === 'value' || expected === 'value or ]';
  if (takesValue && (character === '{' || character === '[')) {
    open.push(character);
    return character === '{' ? 'name or }' : 'value or ]';
  }
  if (takesValue && (character === 'string' || character === 'scalar')) return afterValue(open);
  if (expected.startsWith('name') && character === 'string') return ':';
  if (expected === ':' && character === ':') return 'value';
  if (expected.startsWith(', or') && character === ',') return open.at(-1) === '{' ? 'name' : 'value';
  if ((character === '}' || character === ']') && expected.endsWith(`or ${character}`)) {
    open.pop();
    return afterValue(open);
  }
  return undefined;
}

function afterValue(open: ('{' | '[')[]): Expected {
  if (open.length === 0) return 'end of the file';
  return open.at(-1) === '{' ? ', or }' : ', or ]';
}

/** Maximum number of names that are compared in one object. An object with more is no import file, and is refused later. */
const namesMax = 100_000;

/**
 * Where an object of valid JSON repeats a name. `JSON.parse` keeps only the last value, and the others, perhaps whole lists,
 * would be lost (RFC 8259 §4). Undefined if no name is repeated.
 */
export function findRepeatedName(text: string): string | undefined {
  /** Names of the objects around the place; null for an array. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (isName && names && names.size < namesMax) {
        const name = JSON.parse(text.slice(index, end + 1)) as string;
        if (names.has(name))
          return `${placeOf(text, index)}: ${JSON.stringify(name.slice(0, 100))} appears twice in this object`;
        names.add(name);
      }
      isName = false;
      index = end;
    } else if (character === '{' || character === '[') {
      isName = character === '{';
      open.push(isName ? new Set() : null);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') isName = open.at(-1) !== null;
  }
  return undefined;
}

/** The place of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; ; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index;
  }
}

function placeOf(text: string, index: number): string {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return `line ${line}, column ${index - lineStart + 1}`;
}
