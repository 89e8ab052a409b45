/** bin/gatehouse usage: who uses which operation. */
import { OperatorError } from '../errors.js';
import type { FoundUsage } from '../services/usage/usage.js';
import { textTable } from './command.js';
import { print, withContext } from './session.js';

export async function runUsage(options: Record<string, string | undefined>): Promise<void> {
  const since = await readSince(options.since);
  await withContext(async (context) => {
    const { findUsage } = await import('../services/usage/usage.js');
    const usage = await findUsage(context, {
      clientId: options.client ?? null,
      operation: options.operation ?? null,
      since,
    });
    if (options.json !== undefined) await print(JSON.stringify(usage));
    else if (usage.length > 0) await print(usageText(usage));
    else
      await print(
        context.config.usageRetentionDays === 0
          ? 'USAGE_RETENTION_DAYS is 0: nothing is stored.'
          : 'No such requests are stored.',
      );
  });
}

/** Reads a time as all commands do: dates are allowed, and times without an offset are UTC. */
async function readSince(text: string | undefined): Promise<Date | null> {
  if (text === undefined) return null;
  const [{ fieldOf }, { Usage }, { readFieldValue }] = await Promise.all([
    import('../entities/description.js'),
    import('../entities/hiddenRecords.js'),
    import('../services/records/input.js'),
  ]);
  const read = readFieldValue(fieldOf(Usage, 'lastSeenAt'), text);
  if ('problem' in read) throw new OperatorError('--since must be a time, such as 2026-01-31 or 2026-01-31T12:00:00Z.');
  return new Date(String(read.value));
}

const headings = [
  'who',
  'operation',
  'option',
  'media type',
  'user agent',
  'first seen',
  'last seen',
  'count',
  'browned out',
];

/** Returns the table. Client ids are quoted, because they may contain control characters for the terminal. */
function usageText(usage: readonly FoundUsage[]): string {
  const rows = usage.map((row) => [
    row.clientId === null ? (row.caller ?? '') : JSON.stringify(row.clientId),
    row.operation,
    row.option ?? '',
    row.mediaType ?? '',
    row.product ?? '',
    dayOf(row.firstSeenAt),
    dayOf(row.lastSeenAt),
    String(row.count),
    row.brownouts > 0 ? String(row.brownouts) : '',
  ]);
  return textTable([headings, ...rows]);
}

const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
