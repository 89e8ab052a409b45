/** Where browsers find the console. */
import type { Config } from './config.js';

export interface ConsoleAddress {
  /** The origin of the service, as browsers see it: `https://auth.example.com`. */
  origin: string;
  /** Path of the console, with a slash at its end. */
  root: string;
  /** The redirect URI for identity providers. */
  callback: string;
}

/** Taken from the issuer's address, because a proxy may remove the path. */
export function consoleAddress({
  config,
  issuerUrl,
}: {
  config: Pick<Config, 'basePath'>;
  issuerUrl: string;
}): ConsoleAddress {
  const { origin, pathname } = new URL(issuerUrl);
  const issuerPath = pathname.replace(/\/$/, '');
  const prefix = issuerPath.endsWith(config.basePath) ? issuerPath : config.basePath;
  const root = `${prefix}/console/`;
  return { origin, root, callback: `${origin}${root}callback` };
}
