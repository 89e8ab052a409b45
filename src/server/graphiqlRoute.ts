/** GraphiQL for browsers at /graphql, served from its npm package; the page loads nothing from other hosts. */
import { join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Context, Dependencies } from '../context.js';
import { notFound } from '../errors.js';
import { examples } from '../graphql/examples.js';
import { isOn } from '../graphql/execution/server.js';
import { contextOf } from '../http/requestContext.js';
import { findPackages, getRoute } from '../http/routes.js';

/** GraphiQL's script needs React as a script of the page, which React has up to version 18. */
const packages = ['react18', 'react-dom18', 'graphiql'];
const assetsIn = ([react, reactDom, graphiql]: string[]): Record<string, string> => ({
  'react.js': join(react!, 'umd/react.production.min.js'),
  'react-dom.js': join(reactDom!, 'umd/react-dom.production.min.js'),
  'graphiql.js': join(graphiql!, 'graphiql.min.js'),
  'graphiql.css': join(graphiql!, 'graphiql.min.css'),
});
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

/** The access token for the user that opens the page under this host, if there is one. */
export type DevelopmentSignIn = (host: string | undefined, context: Context) => Promise<string | undefined>;

/** The page for clients that prefer HTML, and its files; none if the setting is off or the packages are missing. */
export function graphiqlRoutes(dependencies: Dependencies, signIn?: DevelopmentSignIn): Router {
  const { config, log } = dependencies;
  const router = Router({ caseSensitive: true });
  // GraphiQL sends any query, which trusted documents don't allow
  if (!isOn(config.graphqlIntrospection, config) || config.graphqlDocuments) return router;
  const folders = findPackages(packages, '/graphql', log);
  // not .get(), with which Express answers OPTIONS by itself
  router.all('/graphql', async (request, response, next) => {
    if (!/^(GET|HEAD)$/.test(request.method) || request.accepts(['json', 'html']) !== 'html') return next();
    if (!folders) throw notFound('GraphiQL');
    const token = await signIn?.(request.headers.host, contextOf(dependencies, request));
    response.set('content-security-policy', policy).set('cache-control', 'no-store').type('html');
    response.send(page({ examples, token }));
  });
  if (!folders) return router;
  getRoute(router, '/graphql/assets/start.js', (_request, response) => {
    response.type('text/javascript').send(start);
  });
  for (const [name, file] of Object.entries(assetsIn(folders)))
    getRoute(router, `/graphql/assets/${name}`, sendFile(file));
  return router;
}

const sendFile =
  (file: string): RequestHandler =>
  (_request: Request, response: Response) => {
    response.sendFile(file, { maxAge: '1h', acceptRanges: false });
  };
