/**
 * Before a list is begun: a caller has as many at once as may be streamed for one, and all callers together twice as many as
 * may be streamed at all. Who waits here holds a line of memory; no statement was run for them, and no connection opened.
 */
import type { RequestHandler, Response } from 'express';
import type { Dependencies } from '../../context.js';
import { clientLeft } from '../../errors.js';
import { addressOf } from '../../http/address.js';
import { untilClosed } from '../../http/requestContext.js';
import { findSubject } from '../../services/tokens/identifyCaller.js';

/** Waits for a slot, which `releaseListSlot` or the end of the response gives back. */
export const holdListSlot =
  (dependencies: Dependencies): RequestHandler =>
  async (request, response, next) => {
    const isOpen = dependencies.config.adminAuth === 'none';
    const name = isOpen ? (addressOf(request) ?? undefined) : findSubject(dependencies, request);
    // refused without a statement
    if (name === undefined && !isOpen) return next();
    const release = await dependencies.holdListSlot({ name, signal: untilClosed(response) });
    if (response.closed) {
      release();
      throw clientLeft();
    }
    response.once('close', release);
    response.locals.releaseListSlot = release;
    next();
  };

/** Nothing more is asked of the database, however slowly the answer is read. */
export function releaseListSlot({ locals }: Response): void {
  locals.releaseListSlot?.();
}
