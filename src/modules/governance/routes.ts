/** Sends the evidence of an access review as a file: the same lines as `gatehouse review export`. */
import { type RequestHandler, Router } from 'express';
import type { OpenConsoleRoutes } from '../../http/openRoutes.js';
import { contextOf, limitRequests } from '../../http/requestContext.js';
import { route } from '../../http/routes.js';
import { sendFile } from '../../http/sendFile.js';
import { writeEvidence } from './reviews/evidence.js';

export const evidenceRoutes: OpenConsoleRoutes = (dependencies, { identify, requirePage }) => {
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
};
