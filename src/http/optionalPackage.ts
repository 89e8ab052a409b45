/** Packages that an installation may lack: what pages for browsers are made of (npm ci --omit=optional). */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Log } from '../observability/log.js';

const { resolve } = createRequire(import.meta.url);

/** The folders of the packages, in their order; nothing when one is not installed, and then the log says what is not there. */
export function findPackages(names: readonly string[], page: string, log: Log): string[] | undefined {
  try {
    return names.map((name) => dirname(resolve(`${name}/package.json`)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    log.info({ page, packages: names }, 'a page for browsers is not there: its optional packages are not installed');
    return undefined;
  }
}
