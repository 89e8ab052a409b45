/** Records the traffic of the old service in a file. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '../src/errors.js';
import { type Headers, readBody } from './message.js';
import { type ListeningProxy, type Passed, type ProxyOptions, startProxy } from './proxy.js';
import { ClientNames, newKey, Pseudonymizer, type RedactedBody, Redaction, redactRequest } from './redact.js';
import { keepValues } from './values.js';

/** One line of a recording. */
export interface Recorded {
  /** Milliseconds since the recording began. */
  at: number;
  client: string;
  request: { method: string; target: string; headers: Headers; body?: RedactedBody };
  answer: { status: number; headers: Headers; body?: RedactedBody };
}

/** First line of a recording; a file without it is refused. */
const heading = { gatehouseRecording: 1 };
const lineLengthMax = 64 * 1024 * 1024;

interface RecordingWriter {
  /** Resolves when the next one can be written. */
  write(recorded: Recorded): Promise<void>;
  close(): Promise<void>;
}

/** Creates a recording. Throws OperatorError if the file exists or cannot be created. */
export async function createRecording(path: string): Promise<RecordingWriter> {
  // readable by others as the user's umask allows: nothing in it is secret
  const file = createWriteStream(path, { flags: 'wx' });
  await once(file, 'open').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === 'EEXIST'
        ? `${path} is there already: name a new file, or remove it.`
        : `${path} cannot be written: ${error.message}.`,
    );
  });
  // each piece is flushed, so that a recording that ended suddenly can be read
  const gzip = path.endsWith('.gz') ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : undefined;
  gzip?.pipe(file);
  const out: Writable = gzip ?? file;
  let failure: Error | undefined;
  let resume: () => void = () => undefined;
  out.on('drain', () => resume());
  for (const stream of [out, file])
    stream.on('error', (error: Error) => {
      failure = error;
      resume();
    });
  const writeLine = async (value: object) => {
    if (failure) throw new OperatorError(`${path} cannot be written: ${failure.message}.`);
    if (out.write(`${JSON.stringify(value)}\n`)) return;
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
  };
  await writeLine(heading);
  return {
    write: writeLine,
    async close() {
      out.end();
      await finished(file);
    },
  };
}

/**
 * Reads a recording line by line. Skips a last line that is incomplete.
 * @param onProgress gets the number of bytes that were read, and the size of the file
 * Throws OperatorError if the file does not exist or is not a recording.
 */
export async function* readRecording(
  path: string,
  onProgress: (done: number, total: number) => void = () => undefined,
): AsyncGenerator<Recorded> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
    );
  });
  const file = createReadStream(path);
  let bytes = 0;
  file.on('data', (chunk) => {
    bytes += chunk.length;
  });
  const gunzip = path.endsWith('.gz') ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }) : undefined;
  const input = gunzip ? file.pipe(gunzip) : file;
  let number = 0;
  try {
    let before: { line: string; number: number } | undefined;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (before) {
        const recorded = parseLine(path, before.line, before.number);
        if (recorded) yield recorded;
      }
      before = { line, number: ++number };
      onProgress(bytes, size);
    }
    const last = before && parseLine(path, before.line, before.number, true);
    if (last) yield last;
    if (number === 0) throw new OperatorError(`${path} is empty.`);
  } finally {
    file.destroy();
    gunzip?.destroy();
  }
}

function parseLine(path: string, line: string, number: number, isLast = false): Recorded | undefined {
  try {
    if (line.length > lineLengthMax) throw new Error('too long');
    const value = JSON.parse(line);
    if (number === 1) {
      if (value.gatehouseRecording !== heading.gatehouseRecording) throw new Error('no heading');
      return undefined;
    }
    if (typeof value.request?.method !== 'string' || typeof value.request.target !== 'string')
      throw new Error('no request');
    return value;
  } catch {
    if (number === 1) throw new OperatorError(`${path} is no recording of bin/gatehouse compare record.`);
    if (isLast) return undefined;
    throw new OperatorError(`${path} has a line that is no request: line ${number}.`);
  }
}

interface RecordOptions extends Pick<ProxyOptions, 'listen' | 'to' | 'timeoutMs'> {
  path: string;
  /** Where to write the values behind pseudonyms, for a replay; absent: nowhere. */
  valuesPath?: string;
}

interface Recorder extends ListeningProxy {
  counts: { recorded: number; dropped: number };
  /** Resolves with the error when the file cannot be written. */
  failed: Promise<Error>;
}

/** Limits of the requests that wait to be written. Beyond them requests are passed on and not recorded. */
const waitingMax = 1_000;
const waitingBytesMax = 64 * 1024 * 1024;
/** Longer answers are recorded without their body: they contain no new id or token, and redacting them would slow down the proxy. */
const answerBytesMax = 256 * 1024;

/** Starts a proxy that records. Throws OperatorError. */
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
    // a replay takes values that the old service issued from the answers that it gets itself
    this.#inRequests = openPseudonymizer((pseudonym, value) => {
      if (!this.#clients.wasGiven(pseudonym)) keep(pseudonym, value);
    });
    this.#inAnswers = openPseudonymizer(() => undefined);
  }

  clean({ request, answer }: Passed): Omit<Recorded, 'at'> {
    const body = readBody(request);
    const { shown, held } = redactRequest(this.#inRequests, request, body);
    const client = this.#clients.nameOf(shown, body);
    const recorded = this.#inAnswers.with((pseudonym) => this.#clients.learn(pseudonym, client));
    const { status } = answer;
    return {
      client,
      request: { method: request.method, ...shown },
      answer: answer.isTooLong
        ? { status, headers: {}, body: { omitted: true } }
        : new Redaction(recorded, { held }).answer(answer),
    };
  }
}
