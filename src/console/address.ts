/** Where browsers find the console. */
import type { Dependencies } from '../context.js';

export interface ConsoleAddress {
  /** Of the service, as browsers see it: `https://auth.example.com`. */
  origin: string;
  /** Path of the console, with a slash at its end. */
  root: string;
  /** Where identity providers send the browser back to. */
  callback: string;
}

/** The issuer's address tells it, also behind a proxy that takes its path away. */
export function consoleAddress({ config, issuerUrl }: Pick<Dependencies, 'config' | 'issuerUrl'>): ConsoleAddress {
  const { origin, pathname } = new URL(issuerUrl);
  const issuerPath = pathname.replace(/\/$/, '');
  const prefix = issuerPath.endsWith(config.basePath) ? issuerPath : config.basePath;
  const root = `${prefix}/console/`;
  return { origin, root, callback: `${origin}${root}callback` };
}

/**
 * A path of the console, or its root in place of anything else: nobody is ever sent to another site.
 * @param wanted as it stands in a request: anything
 */
export function ownPath(wanted: unknown, { origin, root }: ConsoleAddress): string {
  if (typeof wanted !== 'string' || wanted.length > pathCharactersMax || !wanted.startsWith(root)) return root;
  const url = URL.parse(wanted, origin);
  // what the parser made of it counts: of `/console/../`, of a backslash, of a line break
  if (url?.origin !== origin || !url.pathname.startsWith(root) || passing.test(url.pathname.slice(root.length)))
    return root;
  return url.pathname + url.search + url.hash;
}

const pathCharactersMax = 2_000;
/** Not pages to come back to. */
const passing = /^(sign-in|callback|sign-out|profile|graphql)\/?$/;
