/** Routes of the console: pages, sign-in and sign-out. There are none when the console is off or not built. */
import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import type { Caller } from '../auth/caller.js';
import type { FindDocument } from '../config/trustedDocuments.js';
import type { Dependencies } from '../context.js';
import { toGatehouseError } from '../errors.js';
import type { BodyReader } from '../http/body.js';
import type { Encodings } from '../http/encoding/encodings.js';
import { problemOf } from '../http/problem.js';
import { limitRequests, traceIdNow } from '../http/requestContext.js';
import { getRoute, route } from '../http/routes.js';
import { builtFileRoutes, isBuilt, openDocuments } from './builtFiles.js';
import { evidenceRoutes } from './evidence.js';
import { exportRoutes, type ReadInput } from './exports.js';
import { requireConsoleFetch, requireConsolePage, requireSameOrigin } from './sameOrigin.js';
import { identifySession, openCookies } from './session.js';
import {
  consoleAddress,
  finishSignIn,
  leave,
  redirectToProvider,
  type SignIn,
  sendPage,
  showSignedOut,
  switchProfile,
  traceLine,
} from './signIn.js';

export interface Console {
  /** The origin of the console's requests. */
  origin: string;
  /** Serves the pages, at every path below /console. */
  pages: Router;
  /** The operations that its pages execute. */
  findDocument: FindDocument;
  /** Returns the person who is signed in, checked against the current database state. Throws UNAUTHENTICATED. */
  identify(request: Request): Promise<Caller>;
}

/** @param folder of the built files */
export function openConsole(
  dependencies: Dependencies,
  folder: string,
  { bodies, encodings, readInput }: { bodies: BodyReader; encodings: Encodings; readInput: ReadInput },
): Console | undefined {
  const { config, log, issuerUrl } = dependencies;
  if (!config.console) return undefined;
  if (!isBuilt(folder)) {
    log.info({ page: '/console' }, 'a page for browsers is missing: it is not built');
    return undefined;
  }
  const address = consoleAddress(dependencies);
  const cookies = openCookies(issuerUrl);
  const pages = Router({ caseSensitive: true });
  getRoute(pages, '/', (_request, response) => response.redirect(302, address.root));
  pages.use(signInRoutes({ dependencies, address, cookies, bodies }));
  const identify = (request: Request) => identifySession(dependencies, cookies.session, request);
  const requirePage = requireConsolePage(address.origin);
  pages.use(exportRoutes(dependencies, { identify, requirePage, bodies, readInput }));
  pages.use(evidenceRoutes(dependencies, { identify, requirePage: requireConsoleFetch }));
  pages.use(
    builtFileRoutes({
      folder,
      root: address.root,
      environment: config.production ? undefined : 'development',
      encodings,
    }),
  );
  return {
    origin: address.origin,
    pages,
    findDocument: openDocuments(folder),
    identify,
  };
}

function signInRoutes(signIn: SignIn): Router {
  const { dependencies, address } = signIn;
  const router = Router({ caseSensitive: true });
  const limit = limitRequests(dependencies.tokenRequests);
  const get = (path: string, answer: RequestHandler) => route(router, path, { get: [...limit, answer] });
  const post = (path: string, ...steps: RequestHandler[]) => route(router, path, { post: [...limit, ...steps] });
  get('/console/sign-in', (request, response) => redirectToProvider(signIn, request, response));
  get('/console/callback', (request, response) => finishSignIn(signIn, request, response));
  get('/console/signed-out', (_request, response) => showSignedOut(signIn, response));
  post('/console/sign-out', requireSameOrigin(address.origin), (request, response) => leave(signIn, request, response));
  router.use(['/console/sign-in', '/console/callback', '/console/sign-out'], errorPage(signIn));
  post('/console/profile', requireConsolePage(address.origin), (request, response) =>
    switchProfile(signIn, request, response),
  );
  return router;
}

const titles: Record<number, string> = {
  403: 'Forbidden',
  429: 'Too many requests',
  503: 'Not available',
};

/** Renders an error as a page for the browser. */
function errorPage({ dependencies: { log }, address }: SignIn): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { status, headers } = problemOf(error, traceIdNow(), log);
    const { 'content-type': _problem, ...others } = headers;
    response.set(others);
    const title = titles[status] ?? 'This sign-in cannot continue';
    const text = [toGatehouseError(error).message, traceLine()];
    sendPage(response, { status, title, text, links: [[`${address.root}sign-in`, 'Sign in']] });
  };
}
