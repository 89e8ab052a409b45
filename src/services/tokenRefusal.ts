/** Why a token request is refused. Each face has its own answer for each reason; the detail is for the log alone. */
export type RefusalReason =
  | 'invalidClient'
  | 'invalidIdToken'
  | 'invalidProfile'
  | 'invalidRenewalToken'
  | 'unsupportedGrantType';

export class TokenRefusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly detail: string,
  ) {
    super(reason);
  }
}
