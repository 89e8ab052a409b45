/** Lists over REST: query options, slots, cached answers, streamed JSON. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { version as codeVersion } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import type { AnswerLookup } from '../../engine/answerCache.js';
import { unversionedNames } from '../../entities/catalogueVersion.js';
import { describe, type FieldType, fieldsFor, type RecordClass } from '../../entities/description.js';
import { clientLeft, type Problems, preconditionFailed } from '../../errors.js';
import { judgeConditions } from '../../http/conditions.js';
import { type ChunkObserver, type Chunks, type Encodings, sendChunks } from '../../http/encoding/encodings.js';
import { addressOf, untilClosed } from '../../http/requestContext.js';
import type { PropertyType } from '../../services/read/expression.js';
import type { JsonBatches, ListQuery } from '../../services/read/listRecords.js';
import { listedShape, navigationsOf } from '../../services/read/listShape.js';
import { findSubject } from '../../services/tokens/caller.js';
import type { OdataModel, OdataProperty } from '../odata/model.js';
import { type Options, readOptions } from '../odata/options.js';
import { OptionErrors } from '../odata/tokens.js';

/** A list with more users is not cached, because checking their last sign-ins would cost more than the cache saves. */
const usersMax = 200;
// they can only be keys: inside of a JSON string, a backslash precedes each quote
const guidKey = '"userGuid":"';
const loginKey = '"lastLoginDate":';

/** Caches a list while it is sent. */
export function cacheList(lookup: AnswerLookup, headers: Readonly<Record<string, string>> = {}): ChunkObserver {
  const [plain, coded] = [lookup.openBuffer(), lookup.openBuffer('coded')];
  const logins = new SentLogins();
  return {
    plain(chunk) {
      if (!logins.read(chunk.toString())) plain.drop();
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      plain.add(bytes);
      return bytes;
    },
    coded: (piece) => coded.add(piece),
    complete(encoding) {
      const [body, codedBody] = [plain.take(), encoding && coded.take()];
      const codings = new Map(encoding && codedBody ? [[encoding as string, codedBody]] : []);
      if (body) void lookup.store(body, { headers, logins: logins.byUser, codings });
    },
    close() {
      plain.drop();
      coded.drop();
    },
  };
}

/** Caches a single application. */
export function cacheApplication(lookup: AnswerLookup, json: string): void {
  const logins = new SentLogins();
  if (logins.read(json)) void lookup.store(Buffer.from(json), { logins: logins.byUser });
}

/** Collects the last sign-ins in an answer: they change without a new version of the catalogue. */
class SentLogins {
  readonly byUser = new Map<string, string>();
  #canBeAsked = true;

  /** Returns false if the answer cannot be cached: there are too many users, or one has no guid. @param text complete records */
  read(text: string): boolean {
    let guidAt = -1;
    for (let at = text.indexOf(loginKey); at >= 0 && this.#canBeAsked; at = text.indexOf(loginKey, at + 1)) {
      const before = guidAt;
      // a user's guid stands before the last sign-in
      guidAt = text.lastIndexOf(guidKey, at);
      if (guidAt > before) this.byUser.set(guidIn(text, guidAt), loginIn(text, at));
      this.#canBeAsked = guidAt > before && this.byUser.size <= usersMax;
    }
    return this.#canBeAsked;
  }
}

const guidIn = (text: string, at: number): string => text.slice(at + guidKey.length, at + guidKey.length + 36);

function loginIn(text: string, at: number): string {
  const from = at + loginKey.length;
  return text.startsWith('null', from) ? 'null' : text.slice(from + 1, from + 1 + '2000-01-01T00:00:00.000Z'.length);
}

/** Caches a compressed form of a cached list while it is sent. */
function cacheCoding(lookup: AnswerLookup): ChunkObserver {
  const coded = lookup.openBuffer('coded');
  return {
    plain: (chunk) => chunk as Buffer,
    coded: (piece) => coded.add(piece),
    complete(encoding) {
      const bytes = encoding && coded.take();
      if (bytes) lookup.addCoding(encoding, bytes);
    },
    close: () => coded.drop(),
  };
}

/** Cached lists are sent in pieces of this size. */
const pieceBytes = 1024 * 1024;

/**
 * Answers 200 with the array. The first rows are read before the status is sent, so that an early failure gets its own status; a
 * later one is thrown, and the error's renderer destroys the connection.
 */
export function sendList(
  request: Request,
  response: Response,
  batches: JsonBatches,
  encodings?: Encodings,
  observer?: ChunkObserver,
): Promise<void> {
  response.type('application/json');
  return sendChunks(request, response, jsonArray(batches), encodings, observer);
}

async function* jsonArray(batches: JsonBatches): Chunks {
  let before = '[';
  for await (const batch of batches) {
    if (Array.isArray(batch)) yield before + batch.join(',');
    else {
      // replaces the comma at its start
      batch.write(before, 'latin1');
      yield batch;
    }
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Sends a cached list in pieces, as fast as the client reads. A compressed form that is missing is made and cached on the way. */
export async function sendCached(
  request: Request,
  response: Response,
  lookup: AnswerLookup,
  encodings: Encodings,
): Promise<void> {
  const { headers, body } = lookup.found!;
  response.set({ ...headers }).type('application/json');
  if (request.method === 'HEAD') return sendChunks(request, response, pieces(body), encodings);
  if (body.length <= pieceBytes) return encodings.send(request, response, body, lookup);
  const encoding = encodings.choose(request, response);
  const encoded = encoding ? lookup.findCoding(encoding) : body;
  if (!encoded) return sendChunks(request, response, pieces(body), encodings, cacheCoding(lookup));
  if (encoding) response.set('content-encoding', encoding);
  response.set('content-length', String(encoded.length));
  return sendChunks(request, response, pieces(encoded));
}

async function* pieces(body: Buffer): Chunks {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

/**
 * The ETag of a list at a version of the catalogue: weak, as `lastLoginDate` changes without one; none if the options name that.
 * @param application the guid of the application whose mappings are listed; empty for the list of applications
 */
export function etagOf(request: Request, application: string, version: string): string | undefined {
  if (isUnversionedRequest(queryOf(request))) return undefined;
  const parts = [codeVersion, version, application || 'applications', queryOf(request)];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

/**
 * Sets the validator of a list. Sends 304 and returns true when the client has the list already (RFC 9110 §13.1.2). Throws
 * PRECONDITION_FAILED for a false If-Match.
 */
export function sendNotModified(request: Request, response: Response, encodings: Encodings, etag?: string): boolean {
  response.set({ ...(etag && { etag }), vary: 'authorization' });
  const verdict = judgeConditions(request, etag);
  if (verdict === 'false') throw preconditionFailed();
  if (verdict === 'true') return false;
  // sets the `Vary` that a 200 would have (RFC 9110 §15.4.5)
  encodings.choose(request, response);
  response.status(304).end();
  return true;
}

const nameable: readonly FieldType[] = ['string', 'integer', 'boolean', 'uuid', 'dateTime'];
const models = new Map<RecordClass, OdataModel>();

/** The names that options may use: those in the documented answer of the record. */
export function modelOf(record: RecordClass): OdataModel {
  const cached = models.get(record);
  if (cached) return cached;
  const properties = fieldsFor(record, 'rest').map(({ name, type, nullable }): [string, OdataProperty] => {
    if (!nameable.includes(type))
      throw new Error(`${describe(record).name}.${name} has a type that no option can name`);
    return [name, { type: type as PropertyType, nullable }];
  });
  const navigations = navigationsOf(record).map(
    ({ name, kind, target }) => [name, { isList: kind === 'toMany', target: () => modelOf(target()) }] as const,
  );
  const model = { properties: new Map(properties), navigations: new Map(navigations) };
  models.set(record, model);
  return model;
}

/** The query string as it was sent, without `?`. */
export function queryOf({ originalUrl }: Request): string {
  const mark = originalUrl.indexOf('?');
  return mark < 0 ? '' : originalUrl.slice(mark + 1);
}

/** Whether the options name a field that changes without a new version. @param query as it was sent */
export function isUnversionedRequest(query: string): boolean {
  try {
    const text = decodeURIComponent(query).toLowerCase();
    return [...unversionedNames()].some((name) => text.includes(name.toLowerCase()));
  } catch {
    return true;
  }
}

type ReadQuery = { query: ListQuery; count: boolean; problems?: never } | { problems: Problems };

const withoutOptions = new Map<RecordClass, ReadQuery>();

/** The query of a list of records, or the problems of its options, keyed by their names. */
export function readListQuery(text: string, record: RecordClass): ReadQuery {
  if (text !== '') return readOptionsOf(text, record);
  // the most frequent request; its result is always the same
  const read = withoutOptions.get(record) ?? readOptionsOf('', record);
  withoutOptions.set(record, read);
  return read;
}

function readOptionsOf(text: string, record: RecordClass): ReadQuery {
  try {
    const options = readOptions(text, modelOf(record));
    return { query: toListQuery(record, options), count: options.count };
  } catch (error) {
    if (!(error instanceof OptionErrors)) throw error;
    return { problems: Object.fromEntries(error.errors.map(({ option, message }) => [option, [message]])) };
  }
}

function toListQuery(record: RecordClass, { select, expand, filter, orderBy, top, skip }: Options): ListQuery {
  return {
    shape: listedShape(record, { select: select === 'all' ? undefined : select, expand }),
    filter,
    orderBy: orderBy.map(({ path: { navigations, property }, descending }) => ({ navigations, property, descending })),
    top,
    skip,
  };
}

/**
 * Waits for a slot, which `releaseListSlot` or the end of the response gives back. Slots limit the lists in progress: for one
 * caller to the number that may be streamed for one caller, for all callers to twice the number that may be streamed at once.
 * A waiting request has run no statement and holds no connection.
 */
export const holdListSlot =
  (dependencies: Dependencies): RequestHandler =>
  async (request, response, next) => {
    const isOpen = dependencies.config.adminAuth === 'none';
    const name = isOpen ? (addressOf(request) ?? undefined) : findSubject(dependencies, request);
    // the request will be refused without a statement
    if (name === undefined && !isOpen) return next();
    const release = await dependencies.holdListSlot({ name, signal: untilClosed(response) });
    if (response.closed) {
      release();
      throw clientLeft();
    }
    response.once('close', release);
    response.locals.releaseListSlot = release;
    next();
  };

/** Gives the slot back as soon as the database work is done, even if the answer is read slowly. */
export function releaseListSlot({ locals }: Response): void {
  locals.releaseListSlot?.();
}
