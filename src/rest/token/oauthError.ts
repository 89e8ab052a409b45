/** An error of RFC 6749 §5.2 and its extensions. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_scope'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'unsupported_grant_type'
  | 'unsupported_token_type';

export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description?: string,
    cause?: unknown,
  ) {
    super(code, { cause });
  }

  /** 401 asks for credentials; everything else is 400. */
  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400;
  }

  get headers(): Record<string, string> {
    return this.code === 'invalid_client' ? { 'www-authenticate': 'Basic realm="gatehouse", charset="UTF-8"' } : {};
  }

  get body(): object {
    return { error: this.code, ...(this.description && { error_description: this.description }) };
  }
}
