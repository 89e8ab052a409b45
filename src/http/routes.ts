/** Adds routes that refuse other methods, and finds the optional packages that pages need. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../errors.js';
import type { Log } from '../observability/log.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Answers these methods, with HEAD beside GET. Throws METHOD_NOT_ALLOWED for the other methods, OPTIONS too. */
export function route(
  router: Router,
  paths: string | string[],
  handlers: { [method in Method]?: RequestHandler | RequestHandler[] },
): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = methods.map((method) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase())).join(', ');
  const matched = router.route(paths);
  for (const method of methods) matched[method](...[handlers[method]!].flat());
  matched.all(() => {
    throw methodNotAllowed(allow);
  });
}

export const getRoute = (router: Router, path: string | string[], answer: RequestHandler): void =>
  route(router, path, { get: answer });

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
