/** What a client's record may hold beyond the types of its fields; of changes here and of imports. */

/** Why a text names no audiences; undefined when it does. */
export function findAudiencesProblem(text: string): string | undefined {
  return /^[!-~]{1,200}(?: [!-~]{1,200}){0,99}$/.test(text)
    ? undefined
    : 'must be audiences of visible ASCII characters, with single spaces between';
}
