/** How settings of audiences are read: those of tokens, that of the administration, and which resource stands for which. */
import { isJsonObject } from '../jsonObject.js';
import { InvalidSetting } from './parsers.js';

/** Visible ASCII, so that it stands in a text with spaces between. */
const audienceForm = /^[!-~]{1,200}$/;

export const audience = (value: string): string => {
  if (!audienceForm.test(value)) throw new InvalidSetting('1 to 200 visible ASCII characters');
  return value;
};

/** All of them are in each token; as many characters as a client's record can name. */
export const audiences = (value: string): readonly string[] => {
  const names = value.split(',');
  const isFit = value.length <= 1_000 && names.every((name) => audienceForm.test(name));
  if (!isFit || new Set(names).size < names.length)
    throw new InvalidSetting(
      'names of 1 to 200 visible ASCII characters, each once, with single commas between, at most 1,000 characters in all',
    );
  return names;
};

/** Audiences by the resource that they stand for (RFC 8707 §2: an absolute address without fragment). */
export function audienceResources(value: string): ReadonlyMap<string, string> {
  const wanted = new InvalidSetting('a JSON object such as {"https://grid.example/":"GRID"}, by absolute addresses');
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw wanted;
  }
  if (!isJsonObject(parsed)) throw wanted;
  const entries = Object.entries(parsed);
  const isFit = ([resource, name]: [string, unknown]) =>
    URL.canParse(resource) && !resource.includes('#') && typeof name === 'string' && name !== '';
  if (!entries.every(isFit)) throw wanted;
  return new Map(entries as [string, string][]);
}
