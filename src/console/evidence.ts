/** Sends the evidence of an access review as a file: the same lines as `gatehouse review export`. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { clientLeft } from '../errors.js';
import { drained } from '../http/encoding/encodings.js';
import { contextOf, limitRequests } from '../http/requestContext.js';
import { route } from '../http/routes.js';
import { writeEvidence } from '../services/reviews/evidence.js';

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

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
      try {
        await writeEvidence(context, String(request.params.guid), format, async (text) => {
          if (!response.headersSent) response.set({ 'content-type': types[format], 'cache-control': 'no-store' });
          await write(response, text);
        });
        response.end();
      } catch (error) {
        if (!response.headersSent) throw error;
        // an incomplete file must not look complete
        dependencies.log.warn({ error }, 'the evidence of a review was not sent completely');
        response.destroy();
      }
    };
    const path = `/console/reviews/:guid/evidence.${format}`;
    route(router, path, { get: [...limitRequests(dependencies.adminRequests), requirePage, send] });
  }
  return router;
}

/** Writes and waits until the client has read enough. Throws if the client has left. */
async function write(response: Response, text: string): Promise<void> {
  if (response.destroyed) throw clientLeft();
  if (!response.write(text)) await drained(response);
}
