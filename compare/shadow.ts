/** Compares live: clients get the old service's answer, and reads (never a renewal) are also sent to the new service. */

import type { AcceptedRule } from './accepted.js';
import type { IsIgnored } from './difference.js';
import { type Headers, isRead, operationOf, optionOf, readBody } from './message.js';
import { orNoAnswer, PairComparer } from './pairComparer.js';
import { type ListeningProxy, type Passed, type ProxyOptions, startProxy } from './proxy.js';
import { ClientNames, Redaction, redactRequest } from './redact.js';
import { type Report, ReportBuilder } from './report.js';
import type { Service } from './send.js';
import type { KnownValues } from './values.js';

interface ShadowOptions extends Pick<ProxyOptions, 'listen' | 'to' | 'timeoutMs'> {
  also: Service;
  values: KnownValues;
  isIgnored: IsIgnored;
  /** Differences to accept; absent: none. */
  accepted?: readonly AcceptedRule[];
}

export interface Shadow extends ListeningProxy {
  /** Returns the report so far; after `close`, it is complete. */
  report(): Report;
}

/** Limits of the comparisons in progress, and of the bytes that they hold. Beyond them requests are passed on and not compared. */
const underWayMax = 32;
const underWayBytesMax = 64 * 1024 * 1024;
const answerBytesMax = 8 * 1024 * 1024;

export async function startShadow({
  also,
  values,
  isIgnored,
  accepted,
  ...proxyOptions
}: ShadowOptions): Promise<Shadow> {
  const report = new ReportBuilder(values.pseudonymizer, isIgnored, accepted);
  const comparer = new PairComparer(report);
  const clients = new ClientNames();
  const underWay = new Set<Promise<void>>();
  let bytes = 0;

  const compare = async ({ request, answer }: Passed): Promise<void> => {
    const body = readBody(request);
    const { shown, held } = redactRequest(values.pseudonymizer, request, body);
    const client = clients.nameOf(shown, body);
    const caller = {
      operation: operationOf(request.method, request.target),
      option: optionOf(request.target, body),
      client,
    };
    if (!isRead(request.method, request.target)) {
      if (answer.status === 200 && !answer.isTooLong)
        new Redaction(
          values.pseudonymizer.with((pseudonym) => clients.learn(pseudonym, client)),
          { held },
        ).answer(answer);
      return report.addNotCompared(caller, 'a change');
    }
    // it has no body to compare, and the new service has other ETags
    if (answer.status === 304) return report.addNotCompared(caller, 'not modified');
    if (underWay.size > underWayMax || bytes > underWayBytesMax)
      return report.addNotCompared(caller, 'too many at one time');
    const forwarded = { ...request, headers: endToEnd(request.headers) };
    const bearer = values.find('new', 'bearer');
    const asNew = {
      ...forwarded,
      headers: {
        ...forwarded.headers,
        ...(bearer !== undefined && forwarded.headers.authorization && { authorization: `Bearer ${bearer}` }),
        ...values.headers('new'),
      },
    };
    const other = await orNoAnswer(also.send(asNew));
    await comparer.compare({
      caller,
      shown: `${request.method} ${shown.target}`,
      answers: { old: answer, new: other },
      askAgain: () => orNoAnswer(proxyOptions.to.send(forwarded)),
    });
  };

  const proxy = await startProxy({
    ...proxyOptions,
    answerBytesMax,
    onPassed(passed) {
      const size = passed.answer.body.length + passed.request.body.length;
      bytes += size;
      const work = compare(passed).finally(() => {
        bytes -= size;
        underWay.delete(work);
      });
      underWay.add(work);
    },
  });
  return {
    url: proxy.url,
    report: () => report.report(),
    async close() {
      await proxy.close();
      await Promise.all(underWay);
    },
  };
}

/** Headers of the client's connection, and conditions on its cached answers; not sent to the new service. */
const left = `connection keep-alive transfer-encoding content-length host te upgrade expect if-none-match if-match
  if-modified-since if-unmodified-since`.split(/\s{1,9}/);

function endToEnd(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.includes(name)));
}
