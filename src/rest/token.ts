/** The paths of token consumers. The media type of a request chooses its dialect: JSON is the documented contract, forms are OAuth. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Dependencies } from '../context.js';
import { GatehouseError, methodNotAllowed } from '../errors.js';
import { type BodyRule, formOnly, isForm, readBody, tokenBody, tokenJson } from '../http/body.js';
import * as form from './tokenForm.js';
import * as documented from './tokenJson.js';

type Endpoint = (dependencies: Dependencies, request: Request, response: Response) => Promise<void>;

export const tokenPaths = ['/token', '/revoke', '/validate-token', '/introspect'];

export function tokenRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true });
  const post = (path: string, rule: BodyRule, json: Endpoint | undefined, oauth: Endpoint | undefined) => {
    const answer: RequestHandler = (request, response) => {
      const endpoint = isForm(request) ? oauth : json;
      return endpoint?.(dependencies, request, response);
    };
    router
      .route(path)
      .all(forbidStoring)
      .post(...readBody(rule), answer)
      .all(() => {
        throw methodNotAllowed('POST');
      });
    router.use(path, (error: unknown, request: Request, response: Response, next: (error: unknown) => void) => {
      if (isForm(request) && oauth) form.sendError(dependencies, error, response, next);
      else next(error);
    });
  };
  post('/token', tokenBody, documented.token, form.token);
  post('/revoke', tokenBody, documented.revocation, form.revocation);
  post('/validate-token', tokenJson, documented.validation, undefined);
  post('/introspect', formOnly, undefined, form.introspection);

  router.use(
    '/validate-token',
    (error: unknown, _request: Request, response: Response, next: (error: unknown) => void) => {
      // every 400, whatever its cause, has the documented body
      if (isBadRequest(error)) documented.sendInvalid(response);
      else next(error);
    },
  );
  return router;
}

const forbidStoring: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};

const isBadRequest = (error: unknown): boolean =>
  error instanceof GatehouseError ? error.status === 400 : (error as { status?: unknown }).status === 400;
