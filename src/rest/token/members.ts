/** What requests to the token endpoints hold, by dialect: the lists that the endpoints check and /openapi.json describes. */

interface Member {
  doc: string;
  /** Must be there and not empty; otherwise it may be missing or null. */
  required?: true;
  /** Longest useful value, in code points. */
  max?: number;
  /** May stand more than once. */
  repeatable?: true;
}
export type Members = Readonly<Record<string, Member>>;

const profileId = { doc: 'Profile that the token is for.', max: 50 };
const clientId = { doc: 'Id of the client application.' };
const clientSecret = { doc: 'Its secret.' };

export const tokenMembers = {
  grant_type: { doc: '`urn:service:authz:exchange` or `refresh_token`.', required: true },
  profileId: { ...profileId, required: true },
  client_id: { ...clientId, required: true },
  client_secret: { ...clientSecret, required: true },
  id_token: { doc: 'Needed for the exchange.' },
  refresh_token: { doc: 'Needed for the renewal.' },
} as const satisfies Members;

const idToken = { doc: 'The ID token that the identity provider issued to the person.' };

/** Which profiles does a person hold? */
export const profilesMembers = {
  client_id: { ...clientId, required: true },
  client_secret: { ...clientSecret, required: true },
  id_token: idToken,
} as const satisfies Members;

const tokenInQuestion = { doc: 'The token in question.', required: true } as const;
/** Of revocation and validation. With `TOKEN_POLICY=hardened` the client is needed too. */
export const tokenOnly = { token: tokenInQuestion } as const satisfies Members;

const inPlaceOfBasic = {
  client_assertion: { doc: 'A JWT that the client signed with its own key (RFC 7523), in place of a secret.' },
  client_assertion_type: { doc: 'Of it: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.' },
  client_id: { doc: `${clientId.doc} In place of HTTP Basic.` },
  client_secret: { doc: `${clientSecret.doc} In place of HTTP Basic.` },
};

export const tokenForm = {
  grant_type: {
    doc: '`refresh_token`, `urn:service:authz:exchange`, or `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693).',
    required: true,
  },
  refresh_token: { doc: 'Needed for the renewal.' },
  id_token: { doc: 'Needed for `urn:service:authz:exchange`.' },
  subject_token: { doc: 'Needed for the token exchange: the ID token.' },
  subject_token_type: { doc: 'Needed for the token exchange: `urn:ietf:params:oauth:token-type:id_token`.' },
  requested_token_type: { doc: 'Of the token exchange: `urn:ietf:params:oauth:token-type:access_token`, or none.' },
  profileId: { ...profileId, doc: 'Profile that the token is for; a renewal may leave it out.' },
  scope: { doc: 'Fewer scopes than the profile has; renewals have no others. The answer then names them.' },
  // RFC 8693 §2.1: these two may stand more than once
  audience: { doc: 'Fewer audiences than all; renewals have no others.', repeatable: true },
  resource: { doc: 'The same by the address of an API (RFC 8707), see `AUDIENCE_RESOURCES`.', repeatable: true },
  ...inPlaceOfBasic,
} as const satisfies Members;

/** Which profiles does a person hold? */
export const profilesForm = {
  id_token: { ...idToken, required: true },
  ...inPlaceOfBasic,
} as const satisfies Members;

/** Of the sign-out at an identity provider. */
export const logoutForm = {
  logout_token: { doc: 'The logout token (OpenID Connect Back-Channel Logout 1.0).', required: true },
} as const satisfies Members;

/** Of revocation and introspection. */
export const tokenOnlyForm = {
  token: tokenInQuestion,
  token_type_hint: { doc: 'Any (RFC 7009 §2.1).' },
  ...inPlaceOfBasic,
} as const satisfies Members;
