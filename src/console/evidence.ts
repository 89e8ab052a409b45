/** Sends the evidence of an access review as a file: the same lines as `gatehouse review export`. */
import { type Request, type RequestHandler, Router } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { contextOf, limitRequests } from '../http/requestContext.js';
import { route } from '../http/routes.js';
import { writeEvidence } from '../services/reviews/evidence.js';
import { sendFile } from './sendFile.js';

interface EvidenceRoutes {
  identify(request: Request): Promise<Caller>;
  /** Refuses requests of pages of other sites. */
  requirePage: RequestHandler;
}

export function evidenceRoutes(dependencies: Dependencies, { identify, requirePage }: EvidenceRoutes): Router {
  const router = Router({ caseSensitive: true });
  for (const format of ['csv', 'json'] as const) {
    const send: RequestHandler = async (request, response) => {
      const context = contextOf(dependencies, request, await identify(request));
      const guid = String(request.params.guid);
      await sendFile(dependencies, response, format, (write) => writeEvidence(context, guid, format, write));
    };
    const path = `/console/reviews/:guid/evidence.${format}`;
    route(router, path, { get: [...limitRequests(dependencies.adminRequests), requirePage, send] });
  }
  return router;
}
