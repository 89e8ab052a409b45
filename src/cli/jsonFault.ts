/** Where a text stops being JSON (RFC 8259), or says something twice, for operators who have to correct a large file. */

const token =
  /[ \t\n\r]*(?:([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)))/y;

/** What may come next: a value, a name or `}`, a name, `:`, a comma or the end of the object or array, a value or `]`. */
type Expected = 'value' | 'name or }' | 'name' | ':' | ', or }' | ', or ]' | 'value or ]' | 'end of the file';

const words: { [expected in Expected]: string } = {
  value: 'a value is expected',
  'name or }': 'a name in double quotes or } is expected',
  name: 'a name in double quotes is expected',
  ':': 'a colon is expected',
  ', or }': 'a comma or } is expected',
  ', or ]': 'a comma or ] is expected',
  'value or ]': 'a value or ] is expected',
  'end of the file': 'the end of the file is expected',
};

/** Such as `line 3, column 7: a comma or } is expected`; undefined for valid JSON. */
export function findJsonFault(text: string): string | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let index = 0; ; index = token.lastIndex) {
    token.lastIndex = index;
    const found = token.exec(text);
    const next: Expected | undefined | null =
      found && after(expected, found[1] ?? (found[2] ? 'string' : 'scalar'), open);
    if (next) expected = next;
    else {
      const at = index + /^[ \t\n\r]*/.exec(text.slice(index))![0].length;
      if (expected === 'end of the file' && at === text.length) return undefined;
      return `${placeOf(text, at)}: ${words[expected]}${at === text.length ? ', but the file ends here' : ''}`;
    }
  }
}

/** What may come after the token; undefined when it may not stand here. */
function after(expected: Expected, found: string, open: ('{' | '[')[]): Expected | undefined {
  const takesValue = expected === 'value' || expected === 'value or ]';
  if (takesValue && (found === '{' || found === '[')) {
    open.push(found);
    return found === '{' ? 'name or }' : 'value or ]';
  }
  if (takesValue && (found === 'string' || found === 'scalar')) return afterValue(open);
  if (expected.startsWith('name') && found === 'string') return ':';
  if (expected === ':' && found === ':') return 'value';
  if (expected.startsWith(', or') && found === ',') return open.at(-1) === '{' ? 'name' : 'value';
  if ((found === '}' || found === ']') && expected.endsWith(`or ${found}`)) {
    open.pop();
    return afterValue(open);
  }
  return undefined;
}

function afterValue(open: ('{' | '[')[]): Expected {
  if (open.length === 0) return 'end of the file';
  return open.at(-1) === '{' ? ', or }' : ', or ]';
}

/** Names of one object that are told apart; one of more is refused for what it holds. */
const namesMax = 100_000;

/**
 * Where an object of a text that is valid JSON has a name for the second time: `JSON.parse` keeps the last and drops what
 * the others hold, which may be a whole list (RFC 8259 §4). Undefined where no object has.
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
          return `${placeOf(text, index)}: ${JSON.stringify(name.slice(0, 100))} is in this object a second time`;
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
