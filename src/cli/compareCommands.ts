/** bin/gatehouse compare record, replay, shadow, cut-over: compare the new service with the old one. They need no database. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { byDesign, causeLine, proposeAccepted, readAccepted } from '../../compare/accepted.js';
import { type ClientRules, watchClientRules } from '../../compare/clientRules.js';
import { type ClientCount, startCutOver } from '../../compare/cutOver.js';
import { readIgnored } from '../../compare/difference.js';
import { startRecorder } from '../../compare/recording.js';
import { replay } from '../../compare/replay.js';
import type { Report } from '../../compare/report.js';
import { htmlReport, textReport } from '../../compare/reportPages.js';
import { openService, type Service } from '../../compare/send.js';
import { startShadow } from '../../compare/shadow.js';
import { readValues } from '../../compare/values.js';
import { hasCredentials } from '../config/parsers.js';
import { OperatorError } from '../errors.js';
import { type ParsedArguments, textTable, UsageError } from './command.js';
import { notice, openProgressBar, print } from './session.js';

type Options = ParsedArguments['options'];

export async function recordTraffic(options: Options, path: string, startedIn: string): Promise<void> {
  const timeoutMs = readTimeoutMs(options.timeout);
  const to = openService(readAddress('to', options.to!), timeoutMs);
  const listen = readListen(options.listen!);
  const values = options.values !== undefined && { valuesPath: resolve(startedIn, options.values) };
  const recorder = await startRecorder({ listen, to, timeoutMs, path, ...values });
  notice(`Recording what is sent to ${recorder.url} until Ctrl-C.`);
  const failure = await Promise.race([untilStopped(), recorder.failed]);
  await recorder.close();
  to.close();
  if (failure) throw failure;
  const { recorded, dropped } = recorder.counts;
  notice(
    `Recorded ${recorded} requests.${dropped > 0 ? ` Not recorded, because too many came at once: ${dropped}.` : ''}`,
  );
}

export async function replayRecording(options: Options, path: string, startedIn: string): Promise<void> {
  const timeoutMs = readTimeoutMs(options.timeout);
  const [old, other] = readBoth('old', options.old!, 'new', options.new!, timeoutMs);
  const bar = openProgressBar();
  try {
    const services = { old, new: other };
    const writes = options.writes !== undefined;
    const comparison = readComparison(options, startedIn);
    const report = await replay({ ...services, ...comparison, path, writes, onProgress: bar.show });
    bar.clear();
    await writeReport(report, options, startedIn);
  } finally {
    bar.clear();
    old.close();
    other.close();
  }
}

export async function shadowTraffic(options: Options, startedIn: string): Promise<void> {
  const timeoutMs = readTimeoutMs(options.timeout);
  const [to, also] = readBoth('to', options.to!, 'also', options.also!, timeoutMs);
  const listen = readListen(options.listen ?? '127.0.0.1:4080');
  const shadow = await startShadow({ listen, to, also, timeoutMs, ...readComparison(options, startedIn) });
  notice(`Comparing what is sent to ${shadow.url} until Ctrl-C.`);
  await untilStopped();
  await shadow.close();
  for (const service of [to, also]) service.close();
  await writeReport(shadow.report(), options, startedIn);
}

export async function cutOver(options: Options, startedIn: string): Promise<void> {
  const timeoutMs = readTimeoutMs(options.timeout);
  const [old, other] = readBoth('to', options.to!, 'new', options.new!, timeoutMs);
  const rules = watchClientRules(resolve(startedIn, options.clients!), (change) =>
    notice(change instanceof Error ? `${change.message} The previous rules stay in force.` : rulesText(change)),
  );
  try {
    const listen = readListen(options.listen ?? '127.0.0.1:4080');
    const running = await startCutOver({ listen, services: { old, new: other }, rules: rules.current, timeoutMs });
    notice(`Passing requests on that are sent to ${running.url} until Ctrl-C.\n${rulesText(rules.current())}`);
    await untilStopped();
    await running.close();
    await print(countsText(running.counts()));
  } finally {
    rules.close();
    for (const service of [old, other]) service.close();
  }
}

function rulesText({ clients, others }: ClientRules): string {
  const shares = [...clients].map(([client, percent]) => (percent === 100 ? client : `${client} ${percent}%`));
  return `New sessions at the new service: ${[...shares, `all others ${others}%`].join(', ')}.`;
}

const countsText = (counts: readonly ClientCount[]): string =>
  textTable([
    ['client', 'old', 'new', 'renewed where it began'],
    ...counts.map(({ client, old, new: other, elsewhere }) => [client, `${old}`, `${other}`, `${elsewhere}`]),
  ]);

/** Exit code 1 where there is a difference, or nothing was compared at all. */
async function writeReport(report: Report, { html, json, accept }: Options, startedIn: string): Promise<void> {
  if (accept !== undefined) {
    const causes = report.causes.map(({ kind, path, count }) => ({ line: causeLine(kind, path), count }));
    const added = proposeAccepted(resolve(startedIn, accept), causes);
    if (added > 0) notice(`${accept} has ${added} new causes. Remove the # before those that you accept.`);
  }
  if (html !== undefined) {
    const file = resolve(startedIn, html);
    try {
      writeFileSync(file, htmlReport(report, new Date()));
    } catch (error) {
      throw new OperatorError(`${html} cannot be written: ${(error as Error).message}.`);
    }
    notice(`The report is in ${html}.`);
  }
  if (json !== undefined) await print(JSON.stringify(report, undefined, 2));
  else await print(textReport(report));
  if (report.same + report.different === 0) notice('Nothing was compared.');
  if (report.different > 0 || report.same === 0) process.exitCode = 1;
}

function readComparison({ values, ignore, accept, strict }: Options, startedIn: string) {
  const designed = strict === undefined ? byDesign : [];
  const accepted = accept === undefined ? designed : [...designed, ...readAccepted(resolve(startedIn, accept))];
  const knownValues = readValues(values === undefined ? undefined : resolve(startedIn, values));
  return { values: knownValues, isIgnored: readIgnored(ignore), accepted };
}

function readBoth(oldName: string, old: string, newName: string, other: string, timeoutMs: number): [Service, Service] {
  const [first, second] = [readAddress(oldName, old), readAddress(newName, other)];
  if (first.href === second.href) throw new UsageError(`--${oldName} and --${newName} are one address.`);
  return [openService(first, timeoutMs), openService(second, timeoutMs)];
}

function readAddress(name: string, text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.search || address.hash || hasCredentials(address))
    throw new UsageError(
      `--${name} must be an address such as https://auth.example.com, without a query or credentials.`,
    );
  return address;
}

function readListen(text: string): { host: string; port: number } {
  const [, inBrackets, name, port] = /^(?:\[([0-9a-f:]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError('--listen must be an address and a port, such as 127.0.0.1:4080.');
  return { host: (inBrackets ?? name)!, port: Number(port) };
}

function readTimeoutMs(text = '30'): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--timeout must be a number of seconds, at most 600.');
  return seconds * 1_000;
}

/** Ctrl-C, or the end that a supervisor asks for. */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
