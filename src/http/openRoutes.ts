/** How routes of modules are opened. */
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import type { Caller } from '../auth/caller.js';
import type { FindDocument } from '../config/trustedDocuments.js';
import type { Dependencies } from '../context.js';
import type { BodyReader } from './body.js';
import type { Encodings } from './encoding/encodings.js';

/** What the server hands to the routes of a module. */
export interface RouteTools {
  bodies: BodyReader;
  encodings: Encodings;
  graph: GraphSteps;
  /** Folder of the console's built files, if it isn't `dist/console`. */
  consoleFolder: string | undefined;
}

/** The last steps of a path that executes operations of the graph; the caller is in `response.locals`. */
export interface GraphSteps {
  /** @param find the operations that may be executed */
  post(find: FindDocument): RequestHandler;
  renderError: ErrorRequestHandler;
}

export type OpenRoutes = (dependencies: Dependencies, tools: RouteTools) => Router | undefined;

/** Opens routes below /console of another module. */
export type OpenConsoleRoutes = (
  dependencies: Dependencies,
  session: {
    /** Returns the person who is signed in. Throws UNAUTHENTICATED. */
    identify(request: Request): Promise<Caller>;
    /** Refuses requests of pages of other sites. */
    requirePage: RequestHandler;
  },
) => Router;
