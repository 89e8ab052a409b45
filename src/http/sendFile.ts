/** Sends a file that a service reads and writes in pieces, as fast as the client takes it. */
import type { Response } from 'express';
import type { Dependencies } from '../context.js';
import { asReadFailure, clientLeft } from '../errors.js';
import { drained } from './encoding/encodings.js';

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

export async function sendFile(
  { log }: Pick<Dependencies, 'log'>,
  response: Response,
  format: keyof typeof types,
  send: (write: (text: string) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  try {
    await send(async (text) => {
      if (!response.headersSent) response.set({ 'content-type': types[format], 'cache-control': 'no-store' });
      if (response.destroyed) throw clientLeft();
      if (!response.write(text)) await drained(response);
    });
    response.end();
  } catch (error) {
    if (!response.headersSent) throw asReadFailure(error);
    // an incomplete file must not look complete
    log.warn({ error }, 'a file was not sent completely');
    response.destroy();
  }
}
