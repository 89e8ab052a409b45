/** /openapi.json, and /docs: a page that shows it, where its package is installed. Neither asks for a token, a version or another machine. */
import { Router } from 'express';
import type { Dependencies } from '../../context.js';
import type { Encodings } from '../../http/encoding/encodings.js';
import { getRoute } from '../../http/getRoute.js';
import { findPackages } from '../../http/optionalPackage.js';
import { openapiDocument } from './openapi.js';

const assetNames = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
// Swagger UI sets styles by script, and draws with images inside them
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Relative to the page, so that it works behind any prefix; `/docs/` stands one level deeper than `/docs`. */
const page = (here: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse</title>
<link rel="stylesheet" href="${here}swagger-ui.css">
<link rel="icon" href="${here}favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${here}swagger-ui-bundle.js"></script>
<script src="${here}start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

export function docsRoutes(dependencies: Dependencies, encodings: Encodings): Router {
  const router = Router({ caseSensitive: true });
  const document = JSON.stringify(openapiDocument(dependencies));
  getRoute(router, '/openapi.json', (request, response) => {
    response.set('cache-control', 'public, max-age=300').type('application/json');
    return encodings.send(request, response, document);
  });
  const [assets] = findPackages(['swagger-ui-dist'], '/docs', dependencies.log) ?? [];
  if (!assets) return router;
  getRoute(router, '/docs', (request, response) => {
    response.set('content-security-policy', policy).type('text/html');
    response.send(page(request.path.endsWith('/') ? '' : 'docs/'));
  });
  getRoute(router, '/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(start);
  });
  for (const name of assetNames) {
    getRoute(router, `/docs/${name}`, (_request, response) => {
      response.sendFile(name, { root: assets, maxAge: '1h' });
    });
  }
  return router;
}
