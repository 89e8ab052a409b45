/**
 * A member that stands twice in an object of JSON: who reads it takes the first, the last or both (RFC 8259 §4), so a proxy
 * that judged the request may have judged another one.
 */

/** Whether an object in the text has a name twice, at any depth. @param value what the text was parsed to */
export const hasRepeatedMember = (text: string, value: unknown): boolean => countNames(text) > countMembers(value);

const colon = 58;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Names are the strings before a colon. The text is well-formed. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let next = endOfString(text, start) + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === colon) count++;
    start = text.indexOf('"', next);
  }
  return count;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    // a quote behind an odd number of backslashes belongs to the string
    if ((end - first) % 2 === 0) return end;
  }
}

/** Not by recursion: bodies may be nested as deep as they are long. */
function countMembers(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const members = Object.values(one);
    if (!Array.isArray(one)) count += members.length;
    for (const member of members) if (typeof member === 'object') open.push(member);
  }
  return count;
}
