/** Where a caller of the administration learns who issues its tokens (RFC 9728), and how a refusal says so. */
import { GatehouseError } from '../errors.js';

/** Paths of the protected resources below the issuer. */
export const protectedResources = ['api', 'graphql'] as const;
export type ProtectedResource = (typeof protectedResources)[number];

const wellKnown = '/.well-known/oauth-protected-resource';

/** The address of the resource's document: RFC 9728 §3.1 puts the resource's path after the well-known name. */
function resourceMetadataUrl(issuerUrl: string, resource: ProtectedResource): string {
  const { origin, pathname } = new URL(issuerUrl);
  return `${origin}${wellKnown}${pathname.replace(/\/$/, '')}/${resource}`;
}

/** The paths at which it is answered: also below BASE_PATH, for a proxy that passes nothing else. */
export function resourceMetadataPaths(issuerUrl: string, basePath: string, resource: ProtectedResource): string[] {
  const { pathname } = new URL(resourceMetadataUrl(issuerUrl, resource));
  return [...new Set([pathname, `${basePath}${wellKnown}/${resource}`])];
}

/** The error, with `resource_metadata` in its challenge where it has one (RFC 9728 §5.1). */
export function withResourceMetadata(error: unknown, issuerUrl: string, resource: ProtectedResource): unknown {
  const challenge = error instanceof GatehouseError ? error.more.headers?.['www-authenticate'] : undefined;
  if (!(error instanceof GatehouseError) || challenge === undefined) return error;
  const parameter = `resource_metadata="${resourceMetadataUrl(issuerUrl, resource)}"`;
  const headers = {
    ...error.more.headers,
    'www-authenticate': `${challenge}${challenge.includes(' ') ? ',' : ''} ${parameter}`,
  };
  return new GatehouseError(error.code, error.message, { ...error.more, headers });
}
