/** Metadata for verifying tokens: the JWKS and the authorization server's metadata (RFC 8414). */
import { Router } from 'express';
import { administrationScopes } from '../../auth/caller.js';
import { clientAlgorithms } from '../../auth/clientKeys.js';
import type { Dependencies } from '../../context.js';
import { resourceMetadataPaths } from '../../http/problem.js';
import { getRoute } from '../../http/routes.js';
import { grantTypes } from './form.js';

/** What the documents are made from. */
type Published = Pick<Dependencies, 'issuerUrl' | 'config'>;

/**
 * RFC 8414 §2. Only what is supported.
 * @param algorithms those of access tokens that are valid: with another SIGNING_ALG, also the one before, for as long as its tokens live
 */
export function metadata({ issuerUrl }: Published, algorithms: readonly string[]): object {
  const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  return {
    issuer: issuerUrl,
    token_endpoint: `${issuerUrl}/token`,
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: clientAlgorithms,
    revocation_endpoint: `${issuerUrl}/revoke`,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: clientAlgorithms,
    introspection_endpoint: `${issuerUrl}/introspect`,
    introspection_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_signing_alg_values_supported: clientAlgorithms,
    dpop_signing_alg_values_supported: clientAlgorithms,
    jwks_uri: `${issuerUrl}/.well-known/jwks.json`,
    // there is no authorization endpoint
    response_types_supported: [],
    grant_types_supported: grantTypes,
    access_token_signing_alg_values_supported: algorithms,
  };
}

/** Adds the members that parsers of OpenID Connect Discovery 1.0 (§3) require; no ID token is issued here. */
export const openidMetadata = (dependencies: Published, algorithms: readonly string[]): object => ({
  ...metadata(dependencies, algorithms),
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: algorithms,
});

/** The paths of the documents: RFC 8414 §3.1 puts the issuer's path after the well-known name, OpenID discovery before. */
function pathsOf({ config, issuerUrl }: Dependencies): { oauth: string[]; openid: string[]; jwks: string[] } {
  const issuerPath = new URL(issuerUrl).pathname.replace(/\/$/, '');
  const below = (name: string) => [`${config.basePath}/.well-known/${name}`, `${issuerPath}/.well-known/${name}`];
  const both = (name: string) => [...new Set([...below(name), `/.well-known/${name}${issuerPath}`])];
  return {
    oauth: both('oauth-authorization-server'),
    openid: both('openid-configuration'),
    jwks: [...new Set(below('jwks.json'))],
  };
}

interface PublishedDocument {
  paths: string[];
  read(): object | Promise<object>;
}
/** The documents of a module. */
export type PublishDocuments = (dependencies: Dependencies) => PublishedDocument[];

interface ProtectedResource {
  /** Below the issuer. */
  path: string;
  name: string;
  /** Scopes that its callers may need. */
  scopes?: readonly string[];
}

/** RFC 9728 §2. */
const resourceMetadata = ({ issuerUrl }: Published, { path, name, scopes }: ProtectedResource): object => ({
  resource: `${issuerUrl}/${path}`,
  authorization_servers: [issuerUrl],
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: clientAlgorithms,
  ...(scopes && { scopes_supported: scopes }),
  resource_name: name,
});

export const resourceDocument = (dependencies: Dependencies, resource: ProtectedResource): PublishedDocument => ({
  paths: resourceMetadataPaths(dependencies.issuerUrl, dependencies.config.basePath, resource.path),
  read: () => resourceMetadata(dependencies, resource),
});

export function administrationMetadata(published: Published, path: 'api' | 'graphql'): object {
  const name = `Gatehouse administration (${path === 'api' ? 'REST' : 'GraphQL'})`;
  return resourceMetadata(published, { path, name, scopes: administrationScopes(published.config) });
}

function documentsOf(dependencies: Dependencies, ofModules: readonly PublishDocuments[]): PublishedDocument[] {
  const { keys, issuerUrl, config } = dependencies;
  const { oauth, openid, jwks } = pathsOf(dependencies);
  return [
    // the keys are read again, so that those of other processes are included
    { paths: oauth, read: async () => metadata(dependencies, (await keys.ringInTime()).algorithms()) },
    { paths: openid, read: async () => openidMetadata(dependencies, (await keys.ringInTime()).algorithms()) },
    { paths: jwks, read: async () => (await keys.ringInTime()).jwks() },
    ...(['api', 'graphql'] as const).map((path) => ({
      paths: resourceMetadataPaths(issuerUrl, config.basePath, path),
      read: () => administrationMetadata(dependencies, path),
    })),
    ...ofModules.flatMap((publish) => publish(dependencies)),
  ];
}

export const metadataPaths = (dependencies: Dependencies, ofModules: readonly PublishDocuments[]): string[] =>
  documentsOf(dependencies, ofModules).flatMap(({ paths }) => paths);

export function metadataRoutes(dependencies: Dependencies, ofModules: readonly PublishDocuments[]): Router {
  const router = Router({ caseSensitive: true });
  for (const { paths, read } of documentsOf(dependencies, ofModules))
    getRoute(router, paths, async (_request, response) => {
      response.set('cache-control', 'public, max-age=300').json(await read());
    });
  return router;
}
