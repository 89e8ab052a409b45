/** Sends the requests of a recording to both services and compares their answers. */
import type { IsIgnored } from './ignoredPaths.js';
import { isRead, type Request, readBody } from './message.js';
import { operationOf, optionOf } from './operation.js';
import { orNoAnswer, PairComparer } from './pairComparer.js';
import { type Recorded, readRecording } from './recording.js';
import { type Report, ReportBuilder } from './report.js';
import type { NoAnswer, Service } from './send.js';
import { SideValues } from './sideValues.js';
import type { KnownValues } from './values.js';

interface ReplayOptions {
  path: string;
  old: Service;
  new: Service;
  values: KnownValues;
  isIgnored: IsIgnored;
  /** Whether requests that change something are sent too. */
  writes: boolean;
  onProgress?: (done: number, total: number) => void;
}

/** Reads under way at one time; a change waits for all before it, and those after wait for it. */
const readsMax = 4;

export async function replay(options: ReplayOptions): Promise<Report> {
  const report = new ReportBuilder(options.values.pseudonymizer, options.isIgnored);
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
  readonly #options: ReplayOptions;
  readonly #report: ReportBuilder;
  readonly #comparer: PairComparer;
  readonly #sides: { old: SideValues; new: SideValues };

  constructor(options: ReplayOptions, report: ReportBuilder) {
    this.#options = options;
    this.#report = report;
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
    if (!isReading && !this.#options.writes) return this.#report.addNotCompared(caller, 'a change, without --writes');
    if ('missing' in old)
      return this.#report.addNotCompared(caller, `no value for a ${old.missing} of the old service`);
    if ('missing' in other)
      return this.#report.addNotCompared(caller, `no value for a ${other.missing} of the new service`);
    const [first, second] = await Promise.all([
      orNoAnswer(this.#options.old.send(old)),
      orNoAnswer(this.#options.new.send(other)),
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
      ...(isReading ? { askAgain: () => orNoAnswer(this.#options.old.send(old)) } : { changed: [old, other] }),
    });
  }
}

/** For the option's name: as it was sent, with pseudonyms. */
const bodyOf = ({ request: { headers, body } }: Recorded): ReturnType<typeof readBody> => {
  if (body && 'form' in body) return { kind: 'form', fields: body.form };
  if (body && 'json' in body) return { kind: 'json', json: body.json, hasByteOrderMark: false };
  return readBody({ headers, body: Buffer.alloc(0) } satisfies Pick<Request, 'headers' | 'body'>);
};
