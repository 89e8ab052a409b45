/** Sends lists as CSV files, streamed: what the filter of a view finds, whole, and not what a screen has loaded. */
import { type Request, type RequestHandler, Router } from 'express';
import type { Caller } from '../../../auth/caller.js';
import type { Dependencies } from '../../../context.js';
import { badInput, notFound } from '../../../errors.js';
import { readInput } from '../../../graphql/execution/readInput.js';
import { type BodyReader, type BodyRule, parseJsonBody } from '../../../http/body.js';
import { contextOf, limitRequests, untilClosed } from '../../../http/requestContext.js';
import { route } from '../../../http/routes.js';
import { sendFile } from '../../../http/sendFile.js';
import { isJsonObject } from '../../../jsonObject.js';
import { exportList, findList, inputTypesOf, type Lists } from '../exportedLists/exportList.js';
import type { ExportWish } from '../exportedLists/recordLists.js';

interface ExportRoutes {
  identify(request: Request): Promise<Caller>;
  /** Refuses requests of pages of other sites. */
  requirePage: RequestHandler;
  bodies: BodyReader;
  /** Lists of modules, beside those of records. */
  lists: Lists;
}

const wishJson: BodyRule = {
  accepts: (type) => type === 'application/json',
  described: 'JSON (application/json)',
  bytesMax: 100_000,
};

/** Throws BAD_USER_INPUT. */
function idsOf(of: unknown): Record<string, string> {
  if (!isJsonObject(of) || Object.values(of).some((id) => typeof id !== 'string' || id.length > 200))
    throw badInput({ of: ['An object of short texts is expected.'] });
  return of as Record<string, string>;
}

export function exportRoutes(
  dependencies: Dependencies,
  { identify, requirePage, bodies, lists }: ExportRoutes,
): Router {
  const router = Router({ caseSensitive: true });
  const send: RequestHandler = async (request, response) => {
    const caller = await identify(request);
    // a list may take as long as a change, and ends when nobody waits for it any more
    const owner = caller.kind === 'user' ? caller.sub : undefined;
    const reads = dependencies.openChanges({ name: owner, signal: untilClosed(response) });
    const context = { ...contextOf(dependencies, request, caller), sql: reads, reads };
    const name = String(request.params.list);
    const list = findList(name, lists);
    if (!list) throw notFound('The list');
    const types = inputTypesOf(list);
    const wish = parseJsonBody(await bodies.read(request, wishJson)) ?? {};
    if (!isJsonObject(wish)) throw badInput({ $: ['An object is expected.'] });
    const read = {
      filter: types ? readInput(types.filter, 'filter', wish.filter ?? null) : null,
      orderBy: (types && readInput(types.orderBy, 'orderBy', wish.orderBy ?? [])) ?? [],
      of: idsOf(wish.of ?? {}),
    } as ExportWish;
    const beside = { ...context, sql: dependencies.sqlBeside, reads: dependencies.sqlBeside };
    await sendFile(dependencies, response, 'csv', (write) => exportList(context, name, list, read, write, beside));
  };
  const steps = [...limitRequests(dependencies.adminRequests), requirePage, send];
  route(router, '/console/export/:list', { post: steps });
  return router;
}
