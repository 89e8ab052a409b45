/** Who is signed in to the console: judged at each request, by what the database says then. */
import type { Request } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { GatehouseError } from '../errors.js';
import { systemCaller } from '../services/tokens/identifyCaller.js';

export const signedOut = (detail: string) => new GatehouseError('UNAUTHENTICATED', 'Nobody is signed in.', { detail });

/** Throws UNAUTHENTICATED. */
export async function identify({ config }: Dependencies, _request: Request): Promise<Caller> {
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  throw signedOut('no session');
}
