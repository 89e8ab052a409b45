/** How settings of audiences are read: that of the administration, and which resource stands for which. */
import { isJsonObject } from '../jsonObject.js';
import { InvalidSetting } from './parsers.js';

/** One audience: visible ASCII, so that it stands in a text with spaces between. */
export const audience = (value: string): string => {
  if (!/^[!-~]{1,200}$/.test(value) || ['GRID', 'IOT'].includes(value))
    throw new InvalidSetting('1 to 200 visible characters, and neither GRID nor IOT');
  return value;
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
