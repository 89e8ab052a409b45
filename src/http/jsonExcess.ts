/**
 * How deep a JSON text is nested, and how many values it has, read from its bytes before it is parsed: what is parsed
 * takes twenty times the room of its text where that is all brackets, and a second of everybody's time.
 */

export interface JsonLimits {
  depthMax: number;
  /** Of values: members of objects, items of arrays, and these themselves. */
  valuesMax: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Which limit the text is past, if any. Of a text that is no JSON anything may be said. */
export function excessOf(json: Buffer, { depthMax, valuesMax }: JsonLimits): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values += 1;
    // [ and {, ] and }
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > depthMax) return 'depth';
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (values > valuesMax) return 'values';
  }
  return undefined;
}
