/** What the two tokens of this service say. */

/** How the values of claims are typed. `id` names a record; `seconds` are since 1970; RFC 7519 §4.1.3 has one audience as a string. */
export interface ClaimTypes {
  text: string;
  id: string;
  texts: string[];
  audience: string | string[];
  seconds: number;
  confirmation: { jkt: string };
}

/**
 * The claims of an access token. Required are those of the authorization service's spec; the others are RFC 9068 §2.2
 * and the session. Verification, GraphQL and OpenAPI read them here.
 */
export const accessTokenClaims = {
  iss: { type: 'text', required: true, doc: 'Issuer.' },
  sub: { type: 'id', required: true, doc: 'Guid of the user.' },
  aud: { type: 'audience', required: true, doc: 'Audiences.' },
  profileId: { type: 'id', required: true, doc: 'The profile.' },
  roleId: { type: 'id', required: true, doc: 'Role of the user in the profile.' },
  scopes: { type: 'texts', required: true, doc: 'The scopes, sorted.' },
  exp: { type: 'seconds', required: true, doc: 'Expiry, in seconds since 1970.' },
  iat: { type: 'seconds', required: true, doc: 'Issue time, in seconds since 1970.' },
  scope: { type: 'text', required: false, doc: 'The same as a text (RFC 9068 §2.2.3), where fewer were asked for.' },
  client_id: { type: 'text', required: false, doc: 'Client that it was issued to.' },
  jti: { type: 'text', required: false, doc: 'Id of the token.' },
  cnf: { type: 'confirmation', required: false, doc: 'Thumbprint `jkt` of the key that it is bound to (RFC 9449).' },
  sid: { type: 'text', required: false, doc: 'The session: a token is no good any more when it is revoked.' },
} as const satisfies Record<string, { type: keyof ClaimTypes; required: boolean; doc: string }>;

type Claims = typeof accessTokenClaims;
type ClaimsWhere<Required extends boolean> = {
  [name in keyof Claims as Claims[name]['required'] extends Required ? name : never]: ClaimTypes[Claims[name]['type']];
};
export type AccessTokenClaims = ClaimsWhere<true> & Partial<ClaimsWhere<false>>;

/** "Renewal token" of the authorization service's spec; `jti` is `<record's uuid>.<generation>`. Times are ISO 8601. */
export interface RenewalTokenClaims {
  iss: string;
  sub: string;
  created_at: string;
  expires_at: string;
  jti: string;
}
