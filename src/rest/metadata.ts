/** What consumers need to verify tokens: the JWKS and the authorization server's metadata (RFC 8414). */
import { type RequestHandler, Router } from 'express';
import type { Dependencies } from '../context.js';
import { methodNotAllowed } from '../errors.js';
import { grantTypes } from './tokenForm.js';

/** The document names only what works. */
function metadata({ issuerUrl, config }: Dependencies): object {
  const authMethods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer: issuerUrl,
    token_endpoint: `${issuerUrl}/token`,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: `${issuerUrl}/revoke`,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint: `${issuerUrl}/introspect`,
    introspection_endpoint_auth_methods_supported: authMethods,
    jwks_uri: `${issuerUrl}/.well-known/jwks.json`,
    // there is no authorization endpoint
    response_types_supported: [],
    grant_types_supported: grantTypes,
    access_token_signing_alg_values_supported: [config.signingAlg],
  };
}

export function metadataRoutes(dependencies: Dependencies): Router {
  const { config, issuerUrl, keys } = dependencies;
  const router = Router({ caseSensitive: true });
  const issuerPath = new URL(issuerUrl).pathname.replace(/\/$/, '');
  const get = (paths: string[], answer: RequestHandler) =>
    router
      .route([...new Set(paths)])
      .get(answer)
      .all(() => {
        throw methodNotAllowed('GET, HEAD');
      });

  const wellKnown = (name: string) => [
    `${config.basePath}/.well-known/${name}`,
    `${issuerPath}/.well-known/${name}`,
    `/.well-known/${name}${issuerPath}`,
  ];
  // RFC 8414 §3.1 inserts the path after the well-known name, OpenID discovery puts the name after the path
  get([...wellKnown('oauth-authorization-server'), ...wellKnown('openid-configuration')], (_request, response) => {
    response.set('cache-control', 'public, max-age=300').json(metadata(dependencies));
  });
  get(
    [`${config.basePath}/.well-known/jwks.json`, `${issuerPath}/.well-known/jwks.json`],
    async (_request, response) => {
      // read now, so that a key of another process is there; what is known serves while the database is away
      const ring = await keys.reload().catch(() => keys.ring());
      response.set('cache-control', 'public, max-age=300').json(ring.jwks());
    },
  );
  return router;
}
