/** The form of a guid. */

const plainForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a guid without braces, in any case. */
export const isGuid = (text: string): boolean => plainForm.test(text);

/** In lower case and without braces, from a guid in any case and with or without them; undefined for anything else. */
export function parseGuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.startsWith('{') && value.endsWith('}') ? value.slice(1, -1) : value;
  return isGuid(plain) ? plain.toLowerCase() : undefined;
}
