/** What was pasted as e-mail addresses: lines, a column of a sheet, or a list with commas. */

/** Most addresses that the service takes at once. */
export const pastedMax = 1_000;

export interface Pasted {
  /** How many lines have something in them. */
  lines: number;
  /** Each once. */
  emails: string[];
  /** Lines without an address. */
  others: string[];
}

/** An address stands between spaces, commas, semicolons, quotes and angle brackets. */
export function readPasted(text: string): Pasted {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const emails = new Map<string, string>();
  const others: string[] = [];
  for (const line of lines) {
    const addresses = line.split(/[\s,;<>"']+/).filter((word) => word.includes('@'));
    if (addresses.length === 0) others.push(line.trim());
    for (const address of addresses) emails.set(address.toLowerCase(), emails.get(address.toLowerCase()) ?? address);
  }
  return { lines: lines.length, emails: [...emails.values()], others };
}

/** The text with one address in place of another. */
export const replaced = (text: string, address: string, by: string): string =>
  text
    .split(/([\s,;<>"']+)/)
    .map((part) => (part.toLowerCase() === address.toLowerCase() ? by : part))
    .join('');
