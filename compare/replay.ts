/** Sends a recording to both services and compares the answers. */
import { LRUCache } from 'lru-cache';
import type { AcceptedRule } from './accepted.js';
import type { IsIgnored } from './difference.js';
import {
  type Answer,
  guidDigits,
  guidsInText,
  type Headers,
  isGuid,
  isRead,
  operationOf,
  optionOf,
  type Request,
  readBody,
} from './message.js';
import { orNoAnswer, PairComparer } from './pairComparer.js';
import { type Recorded, readRecording } from './recording.js';
import { isPseudonym, type RedactedBody, resolvePseudonyms } from './redact.js';
import { type Report, ReportBuilder } from './report.js';
import type { NoAnswer, Service } from './send.js';
import type { KnownValues, Side } from './values.js';

/** Maximum number of values from answers. The oldest are dropped: their tokens have been used already. */
const learntMax = 100_000;

class SideValues {
  readonly #learnt = new LRUCache<string, string>({ max: learntMax });

  constructor(
    private readonly side: Side,
    private readonly known: KnownValues,
  ) {}

  /** The request with the values of this service, or the kind of value that is missing. */
  fill({ request }: Recorded): Request | { missing: string } {
    const missing = new Set<string>();
    const find = (pseudonym: string): string => {
      const value = this.#find(pseudonym);
      if (value === undefined) missing.add(pseudonym.split('-')[0]!);
      return value ?? pseudonym;
    };
    const inText = (text: string) =>
      resolvePseudonyms(text, find).replaceAll(
        guidsInText,
        (guid) => this.#find(guidDigits(guid)) ?? this.#find(guid) ?? guid,
      );
    const target = resolvePseudonyms(request.target, (pseudonym) => encodeURIComponent(find(pseudonym)));
    const headers = this.#headers(request.headers, find);
    const body = bytesOf(request.body, inText, find);
    const [first] = missing;
    return first === undefined ? { method: request.method, target: inText(target), headers, body } : { missing: first };
  }

  #find(name: string): string | undefined {
    return this.#learnt.get(name) ?? this.known.find(this.side, name);
  }

  #headers(recorded: Headers, find: (pseudonym: string) => string): Headers {
    const headers: Headers = {};
    for (const [name, value] of Object.entries(recorded))
      if (name === 'authorization') headers[name] = this.#authorization(value, find);
      else if (!isPseudonym(value))
        headers[name] = resolvePseudonyms(value, (pseudonym) => this.#find(pseudonym) ?? pseudonym);
      // an ETag that this service never sent is left out, because it would match nothing
      else if (this.#find(value)) headers[name] = this.#find(value)!;
    return { ...headers, ...this.known.headers(this.side) };
  }

  #authorization(recorded: string, find: (pseudonym: string) => string): string {
    const [scheme, credentials = ''] = recorded.split(' ', 2);
    if (scheme === 'Basic') return `Basic ${Buffer.from(resolvePseudonyms(credentials, find)).toString('base64')}`;
    if (scheme !== 'Bearer') return find(recorded);
    return `Bearer ${this.#learnt.get(credentials) ?? this.known.find(this.side, 'bearer') ?? find(credentials)}`;
  }

  /** Learns this service's values for the tokens, ETags and new ids in the recorded answer. */
  learn({ request, answer: recorded }: Recorded, answer: Answer): void {
    if (recorded.headers.etag && answer.headers.etag) this.#learnt.set(recorded.headers.etag, answer.headers.etag);
    if (recorded.body === undefined || !('json' in recorded.body)) return;
    const body = readBody(answer);
    if (body.kind !== 'json') return;
    const isChange = !isRead(request.method, request.target);
    this.#learnFrom(recorded.body.json, body.json, isChange, 0);
  }

  #learnFrom(recorded: unknown, actual: unknown, isChange: boolean, depth: number): void {
    if (typeof recorded === 'string' && typeof actual === 'string') {
      if (recorded.startsWith('token-') && isPseudonym(recorded)) this.#learnt.set(recorded, actual);
      // only new records are paired: the same index in two lists does not mean the same record
      else if (isChange && isGuid(recorded) && isGuid(actual) && guidDigits(recorded) !== guidDigits(actual))
        this.#learnt.set(guidDigits(recorded), actual);
    } else if (isObject(recorded) && isObject(actual) && depth < depthMax)
      for (const [key, value] of Object.entries(recorded))
        if (Object.hasOwn(actual, key)) this.#learnFrom(value, actual[key], isChange, depth + 1);
  }
}

const depthMax = 50;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

type Fill = (text: string) => string;

/** @param find returns the value of a pseudonym */
function bytesOf(body: RedactedBody | undefined, inText: Fill, find: Fill): Buffer {
  if (body === undefined || 'omitted' in body) return Buffer.alloc(0);
  if ('unread' in body) return Buffer.from(find(body.unread), 'latin1');
  if ('json' in body) return Buffer.from(JSON.stringify(filled(body.json, inText)));
  if ('form' in body)
    return Buffer.from(
      new URLSearchParams(body.form.map(([name, value]): [string, string] => [inText(name), inText(value)])).toString(),
    );
  return Buffer.from(inText(body.text));
}

function filled(value: unknown, inText: Fill): unknown {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, inText));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [inText(key), filled(item, inText)]));
}

interface ReplayOptions {
  path: string;
  old: Service;
  new: Service;
  values: KnownValues;
  isIgnored: IsIgnored;
  /** Differences to accept; absent: none. */
  accepted?: readonly AcceptedRule[];
  /** Whether requests that change something are sent too. */
  writes: boolean;
  onProgress?: (done: number, total: number) => void;
}

/** Maximum number of reads in progress. A change waits for all requests before it, and the next ones wait for the change. */
const readsMax = 4;

export async function replay(options: ReplayOptions): Promise<Report> {
  const report = new ReportBuilder(options.values.pseudonymizer, options.isIgnored, options.accepted);
  const one = new Replay(options, report);
  const underWay = new Set<Promise<void>>();
  for await (const recorded of readRecording(options.path, options.onProgress)) {
    const isReading = isRead(recorded.request.method, recorded.request.target);
    if (!isReading) await Promise.all(underWay);
    const work = one.send(recorded, isReading).finally(() => underWay.delete(work));
    underWay.add(work);
    if (!isReading) await work;
    else if (underWay.size >= readsMax) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return report.report();
}

class Replay {
  readonly #comparer: PairComparer;
  readonly #sides: { old: SideValues; new: SideValues };

  constructor(
    private readonly options: ReplayOptions,
    private readonly report: ReportBuilder,
  ) {
    this.#comparer = new PairComparer(report);
    this.#sides = { old: new SideValues('old', options.values), new: new SideValues('new', options.values) };
  }

  async send(recorded: Recorded, isReading: boolean): Promise<void> {
    const { method, target } = recorded.request;
    const [old, other] = [this.#sides.old.fill(recorded), this.#sides.new.fill(recorded)];
    const caller = {
      operation: operationOf(method, target),
      option: optionOf(target, bodyOf(recorded)),
      client: recorded.client,
    };
    if (!isReading && !this.options.writes) return this.report.addNotCompared(caller, 'a change, without --writes');
    // with --writes, the values come from the answers to earlier exchanges and renewals
    const advice = this.options.writes ? '' : '; --writes asks both for one';
    if ('missing' in old)
      return this.report.addNotCompared(caller, `no value for a ${old.missing} of the old service${advice}`);
    if ('missing' in other)
      return this.report.addNotCompared(caller, `no value for a ${other.missing} of the new service${advice}`);
    const [first, second] = await Promise.all([
      orNoAnswer(this.options.old.send(old)),
      orNoAnswer(this.options.new.send(other)),
    ]);
    for (const [side, answer] of [
      [this.#sides.old, first],
      [this.#sides.new, second],
    ] as const)
      if ('status' in answer) side.learn(recorded, answer);
    await this.#comparer.compare({
      caller,
      shown: `${method} ${target}`,
      answers: { old: first, new: second as typeof second | NoAnswer },
      ...(isReading ? { askAgain: () => orNoAnswer(this.options.old.send(old)) } : { changed: [old, other] }),
    });
  }
}

/** The recorded body with its pseudonyms, for naming the option. */
const bodyOf = ({ request: { headers, body } }: Recorded): ReturnType<typeof readBody> => {
  if (body && 'form' in body) return { kind: 'form', fields: body.form };
  if (body && 'json' in body) return { kind: 'json', json: body.json, hasByteOrderMark: false };
  return readBody({ headers, body: Buffer.alloc(0) } satisfies Pick<Request, 'headers' | 'body'>);
};
