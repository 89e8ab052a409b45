/** The documented dialect of the token endpoints: JSON in, and answers to the letter of the specification. */
import type { Request, Response } from 'express';
import type { Context, Dependencies } from '../context.js';
import { badInput, type Problems } from '../errors.js';
import { contextOf } from '../http/requestContext.js';
import type { IssuedTokens } from '../services/accessToken.js';
import { type Credentials, requireClient } from '../services/clientCheck.js';
import { exchange } from '../services/exchange.js';
import { renew } from '../services/renew.js';
import { revoke } from '../services/revoke.js';
import { type RefusalReason, TokenRefusal } from '../services/tokenRefusal.js';
import { validate } from '../services/validate.js';

const exchangeGrant = 'urn:service:authz:exchange';
const refreshGrant = 'refresh_token';

export async function token(dependencies: Dependencies, request: Request, response: Response): Promise<void> {
  const body = requireStrings(
    request.body,
    ['grant_type', 'profileId', 'client_id', 'client_secret'],
    ['id_token', 'refresh_token'],
  );
  await answerOrRefuse(dependencies, response, async () => {
    response.json(await issue(contextOf(dependencies, request, response), body));
  });
}

type TokenRequest = Record<'grant_type' | 'profileId' | 'client_id' | 'client_secret', string> &
  Partial<Record<'id_token' | 'refresh_token', string>>;

async function issue(context: Context, body: TokenRequest): Promise<IssuedTokens> {
  const common = { clientId: body.client_id, clientSecret: body.client_secret, dialect: 'documented' } as const;
  if (body.grant_type === exchangeGrant)
    return exchange(context, { ...common, idToken: body.id_token, profileId: body.profileId });
  if (body.grant_type === refreshGrant) {
    // documented: what is issued is the record's profile, whatever is asked for
    const profileId = context.config.tokenPolicy === 'hardened' ? body.profileId : undefined;
    return renew(context, { ...common, refreshToken: body.refresh_token, profileId });
  }
  await requireClient(context, common);
  throw new TokenRefusal('unsupportedGrantType', 'grant_type is neither of the two');
}

export async function revocation(dependencies: Dependencies, request: Request, response: Response): Promise<void> {
  const body = requireStrings(request.body, ['token']);
  await answerOrRefuse(dependencies, response, async () => {
    const context = contextOf(dependencies, request, response);
    const client = await authenticateWhenHardened(context, request);
    if (await revoke(context, body.token, client?.clientId)) response.json({ status: 'success' });
    else response.status(404).json({ status: 'token_not_found_or_already_revoked' });
  });
}

export async function validation(dependencies: Dependencies, request: Request, response: Response): Promise<void> {
  const body = requireStrings(request.body, ['token']);
  await answerOrRefuse(dependencies, response, async () => {
    const context = contextOf(dependencies, request, response);
    await authenticateWhenHardened(context, request);
    const judged = await validate(dependencies, body.token);
    if ('claims' in judged) response.json({ is_valid: true, claims: judged.claims });
    else {
      dependencies.log.info({ traceId: context.traceId, detail: judged.invalid }, 'token invalid');
      sendInvalid(response);
    }
  });
}

export function sendInvalid(response: Response): void {
  response.status(400).json({ is_valid: false, error: 'Token is invalid or expired' });
}

/** TOKEN_POLICY=hardened: client_id and client_secret in the body; without usable ones no client is known. */
async function authenticateWhenHardened(context: Context, request: Request): Promise<Credentials | undefined> {
  if (context.config.tokenPolicy !== 'hardened') return undefined;
  const { client_id: clientId, client_secret: clientSecret } = request.body as Record<string, unknown>;
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
    throw new TokenRefusal('invalidClient', 'no client credentials');
  await requireClient(context, { clientId, clientSecret });
  return { clientId, clientSecret };
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

async function answerOrRefuse({ log }: Dependencies, response: Response, answer: () => Promise<void>): Promise<void> {
  try {
    await answer();
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    log.info({ traceId: response.locals.traceId, reason: error.reason, detail: error.detail }, 'token refused');
    refusals[error.reason](response);
  }
}

/** The named members of a body, all strings and not empty; `optional` ones may be missing or null. All faults at once. */
function requireStrings<Name extends string, Optional extends string = never>(
  body: unknown,
  required: readonly Name[],
  optional: readonly Optional[] = [],
): Record<Name, string> & Partial<Record<Optional, string>> {
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
  const named = [...required, ...optional].map((name) => [name, members.get(name) ?? undefined]);
  return Object.fromEntries(named) as Record<Name, string> & Partial<Record<Optional, string>>;
}
