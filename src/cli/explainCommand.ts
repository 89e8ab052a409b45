/** bin/gatehouse explain: why a token request was refused. */
import { OperatorError } from '../errors.js';
import { inColumns } from './command.js';
import { print, withContext } from './session.js';

export const explainTrace = (traceId: string): Promise<void> =>
  withContext(async (context) => {
    const { findRefusals } = await import('../services/refusals/findRefusals.js');
    const refusals = await findRefusals(context, traceId).catch((error: unknown) => {
      throw (error as { code?: unknown }).code === 'BAD_USER_INPUT'
        ? new OperatorError('A trace id has 32 hexadecimal digits; the whole traceparent does too.')
        : error;
    });
    if (refusals.length === 0) throw new OperatorError(nothing(context.config.refusalRetentionDays));
    await print(refusals.map(describe).join('\n\n'));
  });

type Refusal = Awaited<ReturnType<typeof import('../services/refusals/findRefusals.js').findRefusals>>[number];

const describe = ({ text, advice, occurredAt, endpoint, grant, clientId, detail, tokenGuid }: Refusal): string =>
  [
    text,
    advice,
    ...inColumns(
      [
        ['when', occurredAt],
        ['endpoint', [endpoint, grant].filter(Boolean).join(', ')],
        // it may contain control sequences for the terminal
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
