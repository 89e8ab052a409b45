/** GraphiQL for a browser at /graphql, from its npm package: no other machine is asked for anything. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Dependencies } from '../context.js';
import { methodNotAllowed } from '../errors.js';
import { exampleHolding, examples } from '../graphql/examples.js';
import { isOn } from '../graphql/server.js';
import { issueAccessToken } from '../services/accessToken.js';

const { resolve } = createRequire(import.meta.url);
const folderOf = (name: string): string => dirname(resolve(`${name}/package.json`));
const assets: Record<string, string> = {
  'react.js': join(folderOf('react'), 'umd/react.production.min.js'),
  'react-dom.js': join(folderOf('react-dom'), 'umd/react-dom.production.min.js'),
  'graphiql.js': join(folderOf('graphiql'), 'graphiql.min.js'),
  'graphiql.css': join(folderOf('graphiql'), 'graphiql.min.css'),
};
// its editor sets styles by script; fonts and images are in the style sheet
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const start = `const settings = JSON.parse(document.getElementById('settings').textContent);
const fetcher = async (params, options) => {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(settings.token && { authorization: 'Bearer ' + settings.token }), ...options?.headers },
    body: JSON.stringify(params),
  });
  return response.json();
};
const tabs = settings.examples.map(({ query, variables }) => ({ query, ...(variables && { variables: JSON.stringify(variables, null, 2) }) }));
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher, defaultTabs: tabs, variables: tabs[0].variables, defaultEditorToolsVisibility: 'variables', shouldPersistHeaders: false }),
);
`;

/** The page. The JSON in it can't end its element. */
function page(settings: object): string {
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="graphql/assets/graphiql.css">
<style>html, body, #graphiql { height: 100%; margin: 0; }</style>
</head>
<body>
<div id="graphiql">Loading …</div>
<script id="settings" type="application/json">${json}</script>
<script src="graphql/assets/react.js"></script>
<script src="graphql/assets/react-dom.js"></script>
<script src="graphql/assets/graphiql.js"></script>
<script src="graphql/assets/start.js"></script>
</body>
</html>
`;
}

/** The page for who prefers HTML, and its files; nothing where the setting has it off. */
export function graphiqlRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true });
  if (!isOn(dependencies.config.graphiql, dependencies.config)) return router;
  // not .get(), with which Express answers OPTIONS by itself
  router.all('/graphql', (request, response, next) => {
    if (!/^(GET|HEAD)$/.test(request.method) || request.accepts(['json', 'html']) !== 'html') return next();
    response.set('content-security-policy', policy).set('cache-control', 'no-store').type('html');
    response.send(page({ examples, token: developmentToken(dependencies, request) }));
  });
  const asset = (name: string, send: RequestHandler) =>
    router
      .route(`/graphql/assets/${name}`)
      .get(send)
      .all(() => {
        throw methodNotAllowed('GET, HEAD');
      });
  asset('start.js', (_request, response) => {
    response.type('text/javascript').send(start);
  });
  for (const [name, file] of Object.entries(assets)) asset(name, sendFile(file));
  return router;
}

const sendFile =
  (file: string): RequestHandler =>
  (_request: Request, response: Response) => {
    response.sendFile(file, { maxAge: '1h' });
  };

/**
 * With the development identity provider anybody signs in as the demonstration's administrator: the page may as well be
 * signed in, when it is asked for under a name of this very machine (another name may be another site's).
 */
function developmentToken(dependencies: Dependencies, request: Request): string | undefined {
  const { config, keys } = dependencies;
  const isHere = ['localhost', '127.0.0.1', '[::1]', config.host].includes(request.hostname);
  if (config.production || config.idTokenIssuers || !isHere) return undefined;
  const scopes = ['admin:read', 'admin:write', 'admin:security'];
  const holding = { ...exampleHolding, roleId: 'administrator', scopes };
  return issueAccessToken(dependencies, keys.ring(), holding, new Date());
}
