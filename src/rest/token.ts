/** The three token endpoints in their documented dialect: JSON in, and answers to the letter of the specification. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Dependencies } from '../context.js';
import { badInput, GatehouseError, methodNotAllowed, type Problems } from '../errors.js';
import { readJson, tokenJson } from '../http/body.js';
import { contextOf } from '../http/requestContext.js';
import type { IssuedTokens } from '../services/accessToken.js';
import { requireClient } from '../services/clientCheck.js';
import { exchange } from '../services/exchange.js';
import { renew } from '../services/renew.js';
import { revoke } from '../services/revoke.js';
import { type RefusalReason, TokenRefusal } from '../services/tokenRefusal.js';
import { validate } from '../services/validate.js';

const exchangeGrant = 'urn:service:authz:exchange';
const refreshGrant = 'refresh_token';

export function tokenRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true });
  const endpoint = (
    path: string,
    answer: (request: Request, response: Response) => Promise<void>,
    ...before: RequestHandler[]
  ) =>
    router
      .route(path)
      .all(forbidStoring)
      .post(...before, ...readJson(tokenJson), answer)
      .all(() => {
        throw methodNotAllowed('POST');
      });

  endpoint('/token', async (request, response) => {
    try {
      response.json(await issue(dependencies, request, response));
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error;
      dependencies.log.info(
        { traceId: response.locals.traceId, reason: error.reason, detail: error.detail },
        'token refused',
      );
      refuse(response, error.reason);
    }
  });

  endpoint('/revoke', async (request, response) => {
    const { token } = requireStrings(request.body, ['token']);
    const revoked = await revoke(contextOf(dependencies, request, response), token);
    if (revoked) response.json({ status: 'success' });
    else response.status(404).json({ status: 'token_not_found_or_already_revoked' });
  });

  endpoint('/validate-token', async (request, response) => {
    const { token } = requireStrings(request.body, ['token']);
    const judged = await validate(dependencies, token);
    if ('claims' in judged) response.json({ is_valid: true, claims: judged.claims });
    else {
      dependencies.log.info({ traceId: response.locals.traceId, detail: judged.invalid }, 'token invalid');
      sendInvalid(response);
    }
  });
  router.use(
    '/validate-token',
    (error: unknown, _request: Request, response: Response, next: (error: unknown) => void) => {
      // every 400, whatever its cause, has the documented body
      if (isBadRequest(error)) sendInvalid(response);
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

function sendInvalid(response: Response): void {
  response.status(400).json({ is_valid: false, error: 'Token is invalid or expired' });
}

function issue(dependencies: Dependencies, request: Request, response: Response): Promise<IssuedTokens> {
  const required = requireStrings(
    request.body,
    ['grant_type', 'profileId', 'client_id', 'client_secret'],
    ['id_token', 'refresh_token'],
  );
  const { id_token, refresh_token } = request.body as { id_token?: string | null; refresh_token?: string | null };
  const context = contextOf(dependencies, request, response);
  const credentials = { clientId: required.client_id, clientSecret: required.client_secret };
  if (required.grant_type === exchangeGrant)
    return exchange(context, { ...credentials, idToken: id_token ?? undefined, profileId: required.profileId });
  if (required.grant_type === refreshGrant)
    return renew(context, { ...credentials, refreshToken: refresh_token ?? undefined });
  return requireClient(context, credentials).then(() => {
    throw new TokenRefusal('unsupportedGrantType', 'grant_type is neither of the two');
  });
}

/** Errors of /token, as the specification's table has them. */
const refusals: { [reason in RefusalReason]: (response: Response) => void } = {
  invalidClient: (response) => response.status(401).json({ error: 'Invalid client credentials' }),
  invalidIdToken: (response) => response.status(401).end(),
  invalidRenewalToken: (response) => response.status(401).end(),
  invalidProfile: (response) => response.status(400).type('text/plain; charset=utf-8').send('Invalid profile'),
  unsupportedGrantType: (response) =>
    response.status(400).type('text/plain; charset=utf-8').send('Unsupported grant_type'),
};
const refuse = (response: Response, reason: RefusalReason): void => refusals[reason](response);

/** The named members of a body, all strings and not empty; `optional` ones may be missing or null. All faults at once. */
function requireStrings<Name extends string>(
  body: unknown,
  required: readonly Name[],
  optional: readonly string[] = [],
): Record<Name, string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badInput({ $: ['The body must be a JSON object.'] });
  const members = new Map<string, unknown>(Object.entries(body));
  const problems: Problems = {};
  for (const name of required) {
    const value = members.get(name);
    if (value === undefined || value === null || value === '') problems[name] = [`The ${name} field is required.`];
    else if (typeof value !== 'string') problems[name] = [`The ${name} field must be a string.`];
  }
  for (const name of optional) {
    const value = members.get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string') problems[name] = [`The ${name} field must be a string.`];
  }
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return Object.fromEntries(required.map((name) => [name, members.get(name)])) as Record<Name, string>;
}
