/** `Prefer: dry-run` (RFC 7240): a changing operation answers as it would, and nothing is changed. */
import type { Request, Response } from 'express';
import type { Context } from '../../context.js';
import { dryRun } from '../../services/changes/dryRun.js';
import type { JsonBatch, JsonBatches } from '../../services/restLists/listRecords.js';

/** RFC 7240 §2: preferences are separated by commas, and may have parameters; with any value nothing is changed either. */
const wantsDryRun = (request: Request): boolean =>
  (request.get('prefer') ?? '')
    .split(',')
    .some((preference) => preference.split(/[;=]/, 1)[0]!.trim().toLowerCase() === 'dry-run');

/** Changes, or tries to; what the work gives must be read already. */
export async function changeAsPreferred<T>(
  context: Context,
  request: Request,
  response: Response,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (!wantsDryRun(request)) return work(context);
  // on a refusal too: it is what the change would meet
  response.set('preference-applied', 'dry-run');
  return dryRun(context, 'admin:write', work);
}

/** A list that is read to its end: at most as long as what a bulk changes. */
export async function readToEnd(batches: JsonBatches): Promise<JsonBatch[]> {
  const read: JsonBatch[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}

export async function* again(batches: readonly JsonBatch[]): JsonBatches {
  yield* batches;
}
