/** The settings of `/verify`. */
import { boolean, cookieName, optional, type SettingsOf, setting } from '../../config/parsers.js';

export const doorSettings = {
  verify: setting(
    'VERIFY',
    boolean,
    'yes',
    'yes: reverse proxies may ask `/verify` whether a token allows a request ([how](apis.md)); no: the path does not exist.',
  ),
  verifyCookie: optional(
    'VERIFY_COOKIE',
    cookieName,
    'Name of the cookie from which /verify reads the token of a request without an Authorization header; set it with HttpOnly, Secure and SameSite. Not set: none.',
  ),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof doorSettings> {}
}
