/** A path that is read and nothing else. */
import type { RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../errors.js';

/** Answers GET and HEAD; throws METHOD_NOT_ALLOWED for the other methods, OPTIONS too. */
export function getRoute(router: Router, path: string | string[], answer: RequestHandler): void {
  router
    .route(path)
    .get(answer)
    .all(() => {
      throw methodNotAllowed('GET, HEAD');
    });
}
