/** What is told of SQL statements: how many a request runs, how long they take, and which were slow. */
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { currentRequest, endpointOf, operationOf, type RequestUnderWay, traceIdOf } from './requestUnderWay.js';

export interface StatementObservation {
  log: Log;
  metrics: Metrics | undefined;
  /** From how many milliseconds on a statement is logged; 0: never. */
  slowMs: number;
}

const textMax = 500;

export function observeStatements({ log, metrics, slowMs }: StatementObservation) {
  return (text: string) => {
    const request = currentRequest();
    if (request && !isBracket(text)) request.statements += 1;
    return (milliseconds: number): void => {
      metrics?.statementEnded(milliseconds);
      if (slowMs > 0 && milliseconds >= slowMs)
        log.warn(
          { ...described(request), milliseconds: Math.round(milliseconds), statement: shown(text) },
          'slow statement',
        );
    };
  };
}

const isBracket = (text: string): boolean =>
  text.length < 40 && /^(begin|commit|rollback|savepoint|release)\b/i.test(text);

function described(request: RequestUnderWay | undefined): object {
  if (!request) return {};
  const operation = operationOf(request);
  return { traceId: traceIdOf(request), endpoint: endpointOf(request), ...(operation && { operation }) };
}

/** On one line, without the values that the ORM writes into its statements. */
const shown = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, ' ')
    .slice(0, textMax);
