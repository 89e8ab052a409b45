/** The paths of token consumers. The media type of a request chooses its dialect: JSON is the documented contract, forms are OAuth. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Context, Dependencies } from '../context.js';
import { methodNotAllowed } from '../errors.js';
import { type Answer, send } from '../http/answer.js';
import { type BodyRule, formOnly, isForm, readBody, tokenBody, tokenJson } from '../http/body.js';
import { limitRequests } from '../http/limitRequests.js';
import { contextOf } from '../http/requestContext.js';
import * as form from './tokenForm.js';
import * as documented from './tokenJson.js';

/** An endpoint of the documented dialect. */
export interface DocumentedEndpoint {
  answer(context: Context, body: unknown): Promise<Answer>;
  /** How it tells an error in a way of its own. */
  refuse?(error: unknown): Answer | undefined;
}
type OAuthEndpoint = (dependencies: Dependencies, request: Request, response: Response) => Promise<void>;

export const documentedEndpoints = {
  '/token': { answer: documented.token },
  '/revoke': { answer: documented.revocation },
  '/validate-token': { answer: documented.validation, refuse: documented.invalidFor },
} satisfies Record<string, DocumentedEndpoint>;

export const tokenPaths = [...Object.keys(documentedEndpoints), '/introspect'];

export function tokenRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true });
  const post = (path: string, rule: BodyRule, json?: DocumentedEndpoint, oauth?: OAuthEndpoint) => {
    const answer: RequestHandler = async (request, response) => {
      if (oauth && isForm(request)) await oauth(dependencies, request, response);
      else if (json) send(response, await json.answer(contextOf(dependencies, request, response), request.body));
    };
    router
      .route(path)
      .all(forbidStoring)
      .post(...limitRequests(dependencies.tokenRequests), ...readBody(rule), answer)
      .all(() => {
        throw methodNotAllowed('POST');
      });
    router.use(path, (error: unknown, request: Request, response: Response, next: (error: unknown) => void) => {
      const refusal = json?.refuse?.(error);
      if (refusal) send(response, refusal);
      else if (oauth && isForm(request)) form.sendError(dependencies, error, response, next);
      else next(error);
    });
  };
  post('/token', tokenBody, documentedEndpoints['/token'], form.token);
  post('/revoke', tokenBody, documentedEndpoints['/revoke'], form.revocation);
  post('/validate-token', tokenJson, documentedEndpoints['/validate-token']);
  post('/introspect', formOnly, undefined, form.introspection);
  return router;
}

const forbidStoring: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};
