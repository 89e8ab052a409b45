/** Lines of CSV (RFC 4180) that spreadsheets read as they are written. */

// CWE-1236: characters with which a spreadsheet begins a formula, also in full width (OWASP, CSV Injection)
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

export type CsvValue = string | number | boolean | null | undefined;

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n;\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line with its end. A text that could be a formula begins with an apostrophe. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`;

/** The text without the apostrophe that a line has before it. */
export const cellText = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;

/** The first cell of the first line of an exported list, which says what the list is. */
export const exportMark = 'Gatehouse export';
