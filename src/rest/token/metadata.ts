/** Metadata for verifying tokens: the JWKS and the authorization server's metadata (RFC 8414). */
import { Router } from 'express';
import { administrationScopes } from '../../auth/caller.js';
import { clientAlgorithms } from '../../auth/clientKeys.js';
import type { Dependencies } from '../../context.js';
import { type ProtectedResource, protectedResources, resourceMetadataPaths } from '../../http/problem.js';
import { getRoute } from '../../http/routes.js';
import { grantTypes } from './form.js';

/** What the documents are made from. */
type Published = Pick<Dependencies, 'issuerUrl' | 'config'>;

/** RFC 8414 §2. Only what is supported. */
export function metadata({ issuerUrl, config }: Published): object {
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
    access_token_signing_alg_values_supported: [config.signingAlg],
  };
}

/** Adds the members that parsers of OpenID Connect Discovery 1.0 (§3) require; no ID token is issued here. */
export const openidMetadata = (dependencies: Published): object => ({
  ...metadata(dependencies),
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [dependencies.config.signingAlg],
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

/** RFC 9728 §2. */
export function resourceMetadata({ issuerUrl, config }: Published, resource: ProtectedResource): object {
  return {
    resource: `${issuerUrl}/${resource}`,
    authorization_servers: [issuerUrl],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: clientAlgorithms,
    ...(resource !== 'verify' && {
      scopes_supported: administrationScopes({
        readScopes: config.adminReadScopes,
        writeScopes: config.adminWriteScopes,
      }),
    }),
    resource_name: resourceNames[resource],
  };
}

const resourceNames: { [resource in ProtectedResource]: string } = {
  api: 'Gatehouse administration (REST)',
  graphql: 'Gatehouse administration (GraphQL)',
  verify: 'APIs behind a proxy that asks Gatehouse',
};

/** AuthZEN 1.0 §9.2 puts the well-known name between host and path. */
function authzenPaths({ config, issuerUrl }: Dependencies): string[] {
  const { pathname } = new URL(issuerUrl);
  const name = '/.well-known/authzen-configuration';
  return [...new Set([`${name}${pathname.replace(/\/$/, '')}`, `${config.basePath}${name}`])];
}

/** AuthZEN 1.0 §9.1. */
export const decisionPointMetadata = ({ issuerUrl }: Published): object => ({
  policy_decision_point: issuerUrl,
  access_evaluation_endpoint: `${issuerUrl}/access/v1/evaluation`,
  access_evaluations_endpoint: `${issuerUrl}/access/v1/evaluations`,
});

interface PublishedDocument {
  paths: string[];
  read(): object | Promise<object>;
}

function documentsOf(dependencies: Dependencies, answered: ReadonlySet<string>): PublishedDocument[] {
  const { keys, issuerUrl, config } = dependencies;
  const { oauth, openid, jwks } = pathsOf(dependencies);
  const resources = protectedResources.filter((resource) => resource !== 'verify' || answered.has('/verify'));
  return [
    { paths: oauth, read: () => metadata(dependencies) },
    { paths: openid, read: () => openidMetadata(dependencies) },
    // read again, so that keys of other processes are included
    { paths: jwks, read: async () => (await keys.ringInTime()).jwks() },
    ...resources.map((resource) => ({
      paths: resourceMetadataPaths(issuerUrl, config.basePath, resource),
      read: () => resourceMetadata(dependencies, resource),
    })),
    ...(answered.has('/access/v1/evaluation')
      ? [{ paths: authzenPaths(dependencies), read: () => decisionPointMetadata(dependencies) }]
      : []),
  ];
}

/** @param answered the paths that modules answer, which have metadata too */
export const metadataPaths = (dependencies: Dependencies, answered: ReadonlySet<string>): string[] =>
  documentsOf(dependencies, answered).flatMap(({ paths }) => paths);

/** @param answered the paths that modules answer, which have metadata too */
export function metadataRoutes(dependencies: Dependencies, answered: ReadonlySet<string>): Router {
  const router = Router({ caseSensitive: true });
  for (const { paths, read } of documentsOf(dependencies, answered))
    getRoute(router, paths, async (_request, response) => {
      response.set('cache-control', 'public, max-age=300').json(await read());
    });
  return router;
}
