/**
 * SQL of the form in which names and e-mail addresses of people are compared, and names of users and of groups must be unique (RFC
 * 7644 §5): their wide and narrow letters, case and composition do not matter. NFKC does what RFC 8265 §3.3 requires, and more for
 * characters that the RFC excludes.
 */
export const nameKey = (text: string): string => `lower(normalize(${text}, NFKC))`;

/** Nearly the same in this process: to tell which rows of a file the database means. */
export const nameKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase();
