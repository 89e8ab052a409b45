/** The limit of requests in an itinerary: right after the route, before anything is read or judged. */
import type { RequestHandler } from 'express';
import type { RequestLimit } from '../auth/requestLimit.js';
import { addressOf } from './address.js';

/** Nothing at all without a limit. */
export function limitRequests(limit: RequestLimit | undefined): RequestHandler[] {
  if (!limit) return [];
  const count: RequestHandler = async (request, _response, next) => {
    await limit(addressOf(request));
    next();
  };
  return [count];
}
