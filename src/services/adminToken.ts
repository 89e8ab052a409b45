/** Access tokens for the operator: for the first administrator, and for scripts. */
import { signAccessToken } from '../auth/tokenFormat.js';
import type { Context } from '../context.js';
import { audiences } from './accessToken.js';
import { permit } from './change.js';

export interface AdminTokenRequest {
  /** Entries of the `scopes` claim. */
  scopes: string[];
  minutes: number;
  userGuid: string;
}

/** Stands for no profile and no role of the database. */
const holding = { profileId: 'operator', roleId: 'operator' };

/** An access token as the token endpoint issues them, without a renewal token; no record is kept. */
export function issueAdminToken(context: Context, { scopes, minutes, userGuid }: AdminTokenRequest): string {
  permit(context, 'admin:security');
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: context.issuerUrl,
    sub: userGuid,
    aud: audiences,
    ...holding,
    scopes: [...new Set(scopes)].sort(),
    exp: iat + minutes * 60,
    iat,
  };
  return signAccessToken(context.keys.ring(), claims, context.config.accessTokenTyp);
}
