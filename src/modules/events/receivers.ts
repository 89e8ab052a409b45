/** Clients that receive events: the token by which they manage their streams (client_credentials), and who they are. */
import { randomUUID } from 'node:crypto';
import { presentedToken } from '../../auth/caller.js';
import type { ClientGrant, Context, Dependencies } from '../../context.js';
import { insufficientScope, unauthenticated } from '../../errors.js';
import { readBasic } from '../../rest/token/request.js';
import { issueAccessToken } from '../../services/tokens/claims.js';
import { requireClient, searchableClientId } from '../../services/tokens/client.js';
import { TokenRefusal } from '../../services/tokens/tokenRefusal.js';
import { verify } from '../../services/tokens/validate.js';

const scopes = ['ssf.read', 'ssf.manage'] as const;
export type ReceiverScope = (typeof scopes)[number];
const tokenSeconds = 600;

/** The audience of the tokens; only the endpoints of event streams accept it. */
const receiverAudience = ({ issuerUrl }: Pick<Dependencies, 'issuerUrl'>): string => `${issuerUrl}/ssf`;

const mayReceive =
  'select is_active and may_receive_events and not dpop_required as may from clients where client_id = $1';

async function isReceiver({ sql }: Pick<Context, 'sql'>, clientId: string): Promise<boolean> {
  const [client] = await sql.rows<{ may: boolean }>(mayReceive, [searchableClientId({ clientId })]);
  return client?.may === true;
}

/** CAEP interoperability profile §2.7: a token for these scopes and nothing else, valid for ten minutes. */
export const receiverGrant: ClientGrant = {
  scopes,
  refusal: 'the client may not have these scopes',
  audienceOf: receiverAudience,
  async issue(context, credentials, wanted) {
    await requireClient(context, credentials);
    const { clientId } = credentials;
    if (!(await isReceiver(context, clientId))) return undefined;
    const holding = {
      userGuid: clientId,
      // names no profile
      profileId: 'events',
      roleId: 'events',
      scopes: [...wanted],
      audiences: [receiverAudience(context)],
    };
    const further = { client_id: clientId, jti: randomUUID() };
    const access_token = issueAccessToken(context, context.keys.ring(), holding, new Date(), further, tokenSeconds);
    return { access_token, token_type: 'Bearer', expires_in: tokenSeconds, scope: [...wanted].sort().join(' ') };
  },
};

/** Invalid tokens of all callers are counted under this id; no client can have it. */
const noClient = '\0ssf';
const challenge = 'Bearer, Basic realm="gatehouse", charset="UTF-8"';

/**
 * The id of the client that asks, by its token or by HTTP Basic. Throws 401, and 403 for a token without one of the scopes or a
 * client that may not receive events.
 */
export async function requireReceiver(
  context: Context,
  authorization: readonly string[],
  allowed: readonly ReceiverScope[],
): Promise<string> {
  const [header, ...others] = authorization;
  if (header === undefined || others.length > 0) throw unauthenticated('no credentials of a receiver', challenge);
  const basic = readBasic(header);
  const clientId = basic ? await byBasic(context, basic) : await byToken(context, header, allowed);
  if (await isReceiver(context, clientId)) return clientId;
  throw insufficientScope('the client may not receive events', 'Bearer error="insufficient_scope"');
}

async function byBasic(context: Context, credentials: { clientId: string; clientSecret: string }): Promise<string> {
  try {
    await requireClient(context, credentials);
    return credentials.clientId;
  } catch (error) {
    if (error instanceof TokenRefusal) throw unauthenticated('wrong credentials of a receiver', challenge);
    throw error;
  }
}

async function byToken(context: Context, header: string, allowed: readonly ReceiverScope[]): Promise<string> {
  const presented = presentedToken(header);
  const verdict =
    presented?.scheme === 'Bearer' ? await verify(context, presented.token, [receiverAudience(context)]) : undefined;
  if (!verdict || 'invalid' in verdict || verdict.claims.client_id === undefined) {
    await context.failures.count(noClient, context.address);
    throw unauthenticated('no token of a receiver', 'Bearer error="invalid_token"');
  }
  if (!allowed.some((scope) => verdict.claims.scopes.includes(scope)))
    throw insufficientScope(
      'the token of the receiver lacks the scope',
      `Bearer error="insufficient_scope", scope="${allowed.join(' ')}"`,
    );
  return verdict.claims.client_id;
}
