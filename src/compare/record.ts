/** Records the traffic of the old service: a proxy before it, and a file that may be shown to others. */
import { ClientNames } from './clientNames.js';
import { readBody } from './message.js';
import { type ListeningProxy, type Passed, type ProxyOptions, startProxy } from './proxy.js';
import { newKey, Pseudonymizer } from './pseudonymizer.js';
import { createRecording, type Recorded } from './recording.js';
import { Redaction, redactRequest } from './redact.js';
import { keepValues } from './values.js';

interface RecordOptions extends Pick<ProxyOptions, 'listen' | 'to' | 'timeoutMs'> {
  path: string;
  /** File of values, for a replay. */
  valuesPath?: string;
}

interface Recorder extends ListeningProxy {
  counts: { recorded: number; dropped: number };
  /** Resolves with what goes wrong with the file. */
  failed: Promise<Error>;
}

/** What waits to be written; beyond it requests are passed on and not recorded, for clients come first. */
const waitingMax = 1_000;
const waitingBytesMax = 64 * 1024 * 1024;
/** A longer answer gives no id or token, and costs too much to clean beside the traffic. */
const answerBytesMax = 256 * 1024;

/** Throws OperatorError. */
export async function startRecorder({ path, valuesPath, ...proxyOptions }: RecordOptions): Promise<Recorder> {
  const recording = await createRecording(path);
  const cleaner = new Cleaner(valuesPath);
  const counts = { recorded: 0, dropped: 0 };
  const startedAt = Date.now();
  const failure = Promise.withResolvers<Error>();
  let [waiting, waitingBytes] = [0, 0];
  let turn = Promise.resolve();
  const onPassed = (passed: Passed) => {
    const bytes = passed.request.body.length + passed.answer.body.length;
    if (waiting >= waitingMax || waitingBytes + bytes > waitingBytesMax) return void counts.dropped++;
    waiting++;
    waitingBytes += bytes;
    const at = Date.now() - startedAt;
    turn = turn
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      .then(() => recording.write({ at, ...cleaner.clean(passed) }))
      .then(() => void counts.recorded++)
      .catch(failure.resolve)
      .finally(() => {
        waiting--;
        waitingBytes -= bytes;
      });
  };
  const proxy = await startProxy({ ...proxyOptions, answerBytesMax, onPassed });
  return {
    url: proxy.url,
    counts,
    failed: failure.promise,
    async close() {
      await proxy.close();
      await turn;
      await recording.close();
    },
  };
}

class Cleaner {
  readonly #clients = new ClientNames();
  readonly #inRequests: Pseudonymizer;
  readonly #inAnswers: Pseudonymizer;

  constructor(valuesPath: string | undefined) {
    if (valuesPath === undefined) {
      this.#inRequests = this.#inAnswers = new Pseudonymizer(newKey());
      return;
    }
    const { openPseudonymizer, keep } = keepValues(valuesPath);
    // a replay has what answers give from the answers that it gets itself
    this.#inRequests = openPseudonymizer((pseudonym, value) => {
      if (!this.#clients.wasGiven(pseudonym)) keep(pseudonym, value);
    });
    this.#inAnswers = openPseudonymizer(() => undefined);
  }

  clean({ request, answer }: Passed): Omit<Recorded, 'at'> {
    const body = readBody(request);
    const { shown, held } = redactRequest(this.#inRequests, request, body);
    const client = this.#clients.nameOf(shown, body);
    const given = this.#inAnswers.with((pseudonym) => this.#clients.learn(pseudonym, client));
    const { status } = answer;
    return {
      client,
      request: { method: request.method, ...shown },
      answer: answer.isTooLong
        ? { status, headers: {}, body: { omitted: true } }
        : new Redaction(given, { held }).answer(answer),
    };
  }
}
