/** Routes of the console: pages, sign-in and sign-out. There are none when the console is off or not built. */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { openSignIns } from '../../auth/providerSignIn.js';
import { consoleAddress } from '../../config/consoleAddress.js';
import { toGatehouseError } from '../../errors.js';
import type { OpenConsoleRoutes, OpenRoutes } from '../../http/openRoutes.js';
import { problemOf } from '../../http/problem.js';
import { limitRequests, traceIdNow } from '../../http/requestContext.js';
import { getRoute, route } from '../../http/routes.js';
import type { Lists } from './exportedLists/exportList.js';
import { builtFileRoutes, builtFolder, isBuilt, openDocuments } from './routes/builtFiles.js';
import { exportRoutes } from './routes/exports.js';
import { requireConsoleFetch, requireConsolePage, requireSameOrigin } from './routes/sameOrigin.js';
import {
  finishSignIn,
  leave,
  redirectToProvider,
  type SignIn,
  sendPage,
  showSignedOut,
  switchProfile,
  traceLine,
} from './routes/signIn.js';
import { identifySession, openCookies } from './session.js';

/** @param others routes below /console of other modules @param lists those that modules add to what can be saved */
export const consoleRoutes =
  (others: readonly OpenConsoleRoutes[], lists: Lists): OpenRoutes =>
  (dependencies, { bodies, encodings, graph, consoleFolder: folder = builtFolder }) => {
    const { config, log, issuerUrl } = dependencies;
    if (!config.console) return undefined;
    if (!isBuilt(folder)) {
      log.info({ page: '/console' }, 'a page for browsers is missing: it is not built');
      return undefined;
    }
    const address = consoleAddress(dependencies);
    const cookies = openCookies(issuerUrl);
    const signIns = openSignIns(dependencies.issuers, {
      callback: address.callback,
      log: (details, message) => log.info(details, message),
      network: dependencies.network,
    });
    const identify = (request: Request) => identifySession({ dependencies, signIns, cookies }, request);
    const requirePage = requireConsolePage(address.origin);
    const requireSession = async (request: Request, response: Response, next: () => void) => {
      response.locals.caller = await identify(request);
      next();
    };
    const pages = Router({ caseSensitive: true });
    route(pages, '/console/graphql', {
      post: [
        ...limitRequests(dependencies.adminRequests),
        requirePage,
        requireSession,
        graph.post(openDocuments(folder)),
      ],
    });
    pages.use('/console/graphql', graph.renderError);
    getRoute(pages, '/', (_request, response) => response.redirect(302, address.root));
    pages.use(signInRoutes({ dependencies, signIns, address, cookies, bodies }));
    pages.use(exportRoutes(dependencies, { identify, requirePage, bodies, lists }));
    for (const open of others) pages.use(open(dependencies, { identify, requirePage: requireConsoleFetch }));
    const environment = config.production ? undefined : 'development';
    pages.use(builtFileRoutes({ folder, root: address.root, environment, encodings }));
    return pages;
  };

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
    const { signInAgain = 'sign-in' } = response.locals;
    sendPage(response, { status, title, text, links: [[address.root + signInAgain, 'Sign in']] });
  };
}
