/** The console for a browser: its pages, and the way of a request from them; nothing where the setting has it off, or nothing is built. */
import { type Request, Router } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { methodNotAllowed } from '../errors.js';
import { consoleAddress } from './address.js';
import { builtFileRoutes, isBuilt } from './builtFiles.js';
import { identify } from './session.js';

export interface Console {
  /** Where its requests come from. */
  origin: string;
  /** Its pages; every path below /console is theirs. */
  pages: Router;
  /** Who is signed in, judged by what the database says now. Throws UNAUTHENTICATED. */
  identify(request: Request): Promise<Caller>;
}

/** @param folder of the built files */
export function openConsole(dependencies: Dependencies, folder: string): Console | undefined {
  const { config, log } = dependencies;
  if (!config.console) return undefined;
  if (!isBuilt(folder)) {
    log.info({ page: '/console' }, 'a page for browsers is not there: it is not built');
    return undefined;
  }
  const { origin, root } = consoleAddress(dependencies);
  const pages = Router({ caseSensitive: true });
  pages
    .route('/')
    .get((_request, response) => response.redirect(302, root))
    .all(() => {
      throw methodNotAllowed('GET, HEAD');
    });
  pages.use(builtFileRoutes(folder, root));
  return { origin, pages, identify: (request) => identify(dependencies, request) };
}
