/** The documented dialect of the token endpoints: JSON in, and answers to the letter of the specification. */
import type { Context } from '../context.js';
import { badInput, type Problems } from '../errors.js';
import { type Answer, empty, json, text } from '../http/answer.js';
import type { IssuedTokens } from '../services/accessToken.js';
import { type Credentials, requireClient } from '../services/clientCheck.js';
import { exchange } from '../services/exchange.js';
import { renew } from '../services/renew.js';
import { revoke } from '../services/revoke.js';
import { type RefusalReason, TokenRefusal } from '../services/tokenRefusal.js';
import { validate } from '../services/validate.js';

const exchangeGrant = 'urn:service:authz:exchange';
const refreshGrant = 'refresh_token';

export function token(context: Context, body: unknown): Promise<Answer> {
  const request = requireStrings(
    body,
    ['grant_type', 'profileId', 'client_id', 'client_secret'],
    ['id_token', 'refresh_token'],
  );
  return answerOrRefuse(context, async () => json(200, await issue(context, request)));
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

export function revocation(context: Context, body: unknown): Promise<Answer> {
  const { token } = requireStrings(body, ['token']);
  return answerOrRefuse(context, async () => {
    const client = await authenticateWhenHardened(context, body);
    return (await revoke(context, token, client?.clientId))
      ? json(200, { status: 'success' })
      : json(404, { status: 'token_not_found_or_already_revoked' });
  });
}

export function validation(context: Context, body: unknown): Promise<Answer> {
  const { token } = requireStrings(body, ['token']);
  return answerOrRefuse(context, async () => {
    await authenticateWhenHardened(context, body);
    const judged = await validate(context, token);
    if ('claims' in judged) return validAnswer(judged.claims);
    context.log.info({ traceId: context.traceId, detail: judged.invalid }, 'token invalid');
    return invalid;
  });
}

// the claims of a token that was seen before are the same object, and its answer is written already
const validAnswers = new WeakMap<object, Answer>();

function validAnswer(claims: object): Answer {
  const known = validAnswers.get(claims) ?? json(200, { is_valid: true, claims });
  validAnswers.set(claims, known);
  return known;
}

const invalid = json(400, { is_valid: false, error: 'Token is invalid or expired' });

/** Of /validate-token every 400, whatever its cause, has the documented body. */
export const invalidFor = (error: unknown): Answer | undefined =>
  (error as { status?: unknown }).status === 400 ? invalid : undefined;

/** TOKEN_POLICY=hardened: client_id and client_secret in the body; without usable ones no client is known. */
async function authenticateWhenHardened(context: Context, body: unknown): Promise<Credentials | undefined> {
  if (context.config.tokenPolicy !== 'hardened') return undefined;
  const { client_id: clientId, client_secret: clientSecret } = body as Record<string, unknown>;
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
    throw new TokenRefusal('invalidClient', 'no client credentials');
  await requireClient(context, { clientId, clientSecret });
  return { clientId, clientSecret };
}

/** Errors of /token, as the specification's table has them. */
const refusals: { [reason in RefusalReason]: Answer } = {
  invalidClient: json(401, { error: 'Invalid client credentials' }),
  invalidIdToken: empty(401),
  invalidRenewalToken: empty(401),
  invalidProfile: text(400, 'Invalid profile'),
  unsupportedGrantType: text(400, 'Unsupported grant_type'),
};

async function answerOrRefuse({ log, traceId }: Context, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    log.info({ traceId, reason: error.reason, detail: error.detail }, 'token refused');
    return refusals[error.reason];
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
  const problems: Problems = {};
  const found: Record<string, string | undefined> = {};
  const take = (name: string, isRequired: boolean) => {
    const value: unknown = Object.hasOwn(body, name)
      ? ((body as Record<string, unknown>)[name] ?? undefined)
      : undefined;
    if (isRequired && (value === undefined || value === '')) problems[name] = [`The ${name} field is required.`];
    else if (value !== undefined && typeof value !== 'string') problems[name] = [`The ${name} field must be a string.`];
    else found[name] = value;
  };
  for (const name of required) take(name, true);
  for (const name of optional) take(name, false);
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return found as Record<Name, string> & Partial<Record<Optional, string>>;
}
