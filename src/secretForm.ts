/** Matches a secret of `client create` (upper and lower case and digits, unlike a guid in a name), a JWT, a bcrypt hash, a SHA-256. */
export const secretForm =
  /^(?:(?=.{0,42}[A-Z])(?=.{0,42}[a-z])(?=.{0,42}\d)[\w-]{43}|eyJ.{0,9999}|\$2[aby]\$.{56}|[0-9a-fA-F]{64})$/s;
