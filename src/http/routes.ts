/** Answers read-only routes, and finds the optional packages that pages need. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../errors.js';
import type { Log } from '../observability/log.js';

/** Answers GET and HEAD; throws METHOD_NOT_ALLOWED for the other methods, OPTIONS too. */
export function getRoute(router: Router, path: string | string[], answer: RequestHandler): void {
  router
    .route(path)
    .get(answer)
    .all(() => {
      throw methodNotAllowed('GET, HEAD');
    });
}

const { resolve } = createRequire(import.meta.url);

/** Returns the folders of the packages, in order; undefined, with a log line, if one is not installed. */
export function findPackages(names: readonly string[], page: string, log: Log): string[] | undefined {
  try {
    return names.map((name) => dirname(resolve(`${name}/package.json`)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    log.info({ page, packages: names }, 'a page for browsers is missing: its optional packages are not installed');
    return undefined;
  }
}
