/** Where an identity provider signs people in, as its discovery document says: kept for a while, and on when it is away. */
import { type DocumentSource, fetchMetadata, findAllowedAddress } from './providerDocuments.js';
import { IdentityProviderUnavailable } from './providerKeys.js';

export interface ProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  end_session_endpoint?: string;
  token_endpoint_auth_methods_supported?: string[];
  authorization_response_iss_parameter_supported?: boolean;
}

interface MetadataOptions extends DocumentSource {
  log(details: object, message: string): void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const keptMs = 10 * 60_000;
const failureCooldownMs = 5_000;

/** Gives what reads it. What that throws is IdentityProviderUnavailable. */
export function openProviderMetadata(options: MetadataOptions): () => Promise<ProviderMetadata> {
  const { issuer, log, now = Date.now } = options;
  let kept: { metadata: ProviderMetadata; readAt: number } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<ProviderMetadata> | undefined;
  const load = async () => {
    try {
      const metadata = endpointsOf(await fetchMetadata(options), options);
      kept = { metadata, readAt: now() };
      return metadata;
    } catch (error) {
      failedAt = now();
      log({ issuer, problem: (error as Error).message }, 'identity provider unavailable');
      if (kept) return kept.metadata;
      throw new IdentityProviderUnavailable(issuer, failureCooldownMs / 1_000);
    } finally {
      underWay = undefined;
    }
  };
  return async () => {
    // a clock that was put back must not lengthen a pause
    if (kept && Math.abs(now() - kept.readAt) < keptMs) return kept.metadata;
    if (Math.abs(now() - failedAt) < failureCooldownMs) {
      if (kept) return kept.metadata;
      throw new IdentityProviderUnavailable(issuer, failureCooldownMs / 1_000);
    }
    underWay ??= load();
    return underWay;
  };
}

function endpointsOf(document: Record<string, unknown>, { issuer }: DocumentSource): ProviderMetadata {
  const address = (name: string) => findAllowedAddress(document[name], issuer);
  const [authorization, token] = [address('authorization_endpoint'), address('token_endpoint')];
  if (!authorization || !token) throw new Error(`${issuer} has no usable authorization_endpoint or token_endpoint`);
  const endSession = address('end_session_endpoint');
  const methods = document.token_endpoint_auth_methods_supported;
  return {
    issuer,
    authorization_endpoint: authorization,
    token_endpoint: token,
    ...(endSession && { end_session_endpoint: endSession }),
    ...(Array.isArray(methods) && { token_endpoint_auth_methods_supported: methods.map(String) }),
    authorization_response_iss_parameter_supported: document.authorization_response_iss_parameter_supported === true,
  };
}
