/** The commands that print what the service has recorded: usage, explain. */

import { inColumns, textTable } from '../../../cli/command.js';
import { print, withContext } from '../../../cli/session.js';
import { OperatorError } from '../../../errors.js';
import type { FoundUsage } from '../usage.js';

export async function runUsage(options: Record<string, string | undefined>): Promise<void> {
  await withContext(async (context) => {
    const [{ findUsage }, { readMoment }] = await Promise.all([
      import('../usage.js'),
      import('../../../services/records/input.js'),
    ]);
    const since = options.since === undefined ? null : readMoment('since', options.since, context.config.timeZone);
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

export const explainTrace = (traceId: string): Promise<void> =>
  withContext(async (context) => {
    const { findRefusals } = await import('../findRefusals.js');
    const refusals = await findRefusals(context, traceId).catch((error: unknown) => {
      throw (error as { code?: unknown }).code === 'BAD_USER_INPUT'
        ? new OperatorError('A trace id has 32 hexadecimal digits; the whole traceparent does too.')
        : error;
    });
    if (refusals.length === 0) throw new OperatorError(nothing(context.config.refusalRetentionDays));
    await print(refusals.map(describe).join('\n\n'));
  });

type Refusal = Awaited<ReturnType<typeof import('../findRefusals.js').findRefusals>>[number];

const describe = ({ text, advice, occurredAt, endpoint, grant, clientId, detail, tokenGuid }: Refusal): string =>
  [
    text,
    advice,
    ...inColumns(
      [
        ['when', occurredAt],
        ['endpoint', [endpoint, grant].filter(Boolean).join(', ')],
        ['client', clientId === null ? '' : JSON.stringify(clientId)],
        ['cause', detail],
        ['token record', tokenGuid ?? ''],
      ].filter(([, value]) => value !== ''),
    ),
  ].join('\n');

const nothing = (days: number): string =>
  days === 0
    ? 'REFUSAL_RETENTION_DAYS is 0: no refusals are stored. The log has it, by the trace id.'
    : `No refusal with this trace id is stored. Refusals of token requests with 400, 401, 403 or 404 are stored for ${days} days, the newest 100,000, and of one address 300 at once and 60 a minute after that; one is there a second after its answer. The log has it, by the trace id.`;
