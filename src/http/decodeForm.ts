/** Decodes percent-encoding and `+` as in forms and queries; undefined if the result is not UTF-8. */
export function decodeForm(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
