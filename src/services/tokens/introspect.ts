/** RFC 7662: what a token of ours means now, for a client that proves itself. */
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
import { scopeText } from '../scopeEntry.js';
import type { Credentials } from './authenticateClient.js';
import { allAudiences } from './narrowing.js';
import { isHardened, isOneHardened, isRehearsal } from './policy.js';
import { rehearseIntrospection } from './rehearsal.js';
import { isLive, lookupOf } from './renewalToken.js';
import { validateFor } from './validate.js';

/** Claims of an active token; of any other only that it isn't active, whatever the cause. */
type Introspection = { active: false } | ({ active: true } & Record<string, unknown>);

export async function introspect(context: Context, token: string, client: Credentials): Promise<Introspection> {
  const judged = await validateFor(context, client, token, allAudiences(context.config));
  if ('claims' in judged) {
    const { scopes, cnf } = judged.claims;
    return { active: true, token_type: cnf ? 'DPoP' : 'Bearer', scope: scopeText(scopes), ...judged.claims };
  }
  return (await findRenewalToken(context, token, client.clientId)) ?? { active: false };
}

async function findRenewalToken(context: Context, token: string, clientId: string): Promise<Introspection | undefined> {
  if (!isStorable(token)) return undefined;
  const { sql, config, issuerUrl } = context;
  const { guids, hash } = lookupOf(token);
  const [record] = await sql.rows<{
    sub: string;
    client_id: string | null;
    is_hardened: boolean;
    iat: number;
    exp: number;
    profile_id: string;
    jkt: string | null;
  }>(
    `select user_id as sub, client_id, profile_id, jkt, ${isOneHardened('tokens.client_id', '$2')} as is_hardened, round(extract(epoch from created_at))::float8 as iat, round(extract(epoch from expires_at))::float8 as exp
     from tokens where token_guid = any($3::uuid[]) and token = $1 and ${isLive('tokens')}`,
    [hash, clientId, guids],
  );
  if (!record) return undefined;
  const isOwn = record.client_id === null || record.client_id === clientId;
  const isStrict = isHardened(config) || record.is_hardened;
  if (!isStrict) rehearseIntrospection(context, clientId, isOwn);
  if (isStrict && !isOwn) return undefined;
  const { sub, iat, exp, profile_id: profileId, client_id, jkt } = record;
  return {
    active: true,
    iss: issuerUrl,
    sub,
    iat,
    exp,
    profileId,
    // the documented policy would not know what the rehearsal learnt
    ...(client_id && (isStrict || !isRehearsal(config)) && { client_id }),
    ...(jkt && { cnf: { jkt } }),
  };
}
