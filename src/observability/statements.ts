/** Observes SQL statements: their number in each request, their durations, and slow ones. */
import { type CurrentRequest, currentRequest, endpointOf, operationOf } from './currentRequest.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

interface StatementObservation {
  log: Log;
  metrics: Metrics | undefined;
  /** Statements of at least this many milliseconds are logged; 0: none. */
  slowMs: number;
}

const textMax = 500;

export function observeStatements({ log, metrics, slowMs }: StatementObservation) {
  return (text: string, isStreamed = false) => {
    const request = currentRequest();
    if (request && !isTransactionControl(text)) request.statements += 1;
    const traced = request?.trace?.statementBegan(text);
    return (milliseconds: number, error?: unknown): void => {
      traced?.(error);
      // the duration of a streamed statement depends on the reader
      if (isStreamed) return;
      metrics?.statementEnded(milliseconds);
      if (slowMs > 0 && milliseconds >= slowMs)
        log.warn(
          { ...described(request), milliseconds: Math.round(milliseconds), statement: statementShown(text, textMax) },
          'slow statement',
        );
    };
  };
}

const isTransactionControl = (text: string): boolean =>
  text.length < 80 && /^(begin|commit|rollback|savepoint|release)\b/i.test(text);

function described(request: CurrentRequest | undefined): object {
  if (!request) return {};
  const operation = operationOf(request);
  return { traceId: request.traceId, endpoint: endpointOf(request) ?? 'other', ...(operation && { operation }) };
}

/** The statement on one line, without literals. */
export const statementShown = (text: string, max: number): string =>
  text
    // biome-ignore lint/plugin: PostgreSQL took it, so each quote is closed and no place is read twice
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/(?<![\w$."])\d{1,99}(?:\.\d{1,99})?\b/g, '…')
    .replace(/\s{1,999}/g, ' ')
    .slice(0, max);
