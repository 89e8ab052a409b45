/** Percent-decoded once, `+` a space, as in forms and queries; undefined when it is no percent-encoded UTF-8. */
export function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
