/**
 * Reads what an identity provider publishes: its discovery document (OpenID Connect Discovery 1.0 §4) and its JWKS. One
 * time limit for both, bounded bodies, no redirects: a provider that misbehaves costs little and leads nowhere else.
 */
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { openPublishedKey, type PublishedKey } from './publishedKey.js';

export interface DocumentSource {
  issuer: string;
  /** Where the keys are; without it discovery tells. */
  jwksUri?: string;
  /** Where the discovery document is asked for, in place of the issuer's address. */
  askedAt?: string;
  fetch: typeof fetch;
  /** For both documents together. */
  timeoutMs: number;
}

const bodyBytesMax = 1024 * 1024;
const keysMax = 100;

/** The provider's present keys. Throws Error whose message says what the provider did, fit for a log or a terminal. */
export async function fetchPublishedKeys(source: DocumentSource): Promise<PublishedKey[]> {
  const signal = AbortSignal.timeout(source.timeoutMs);
  const jwksUri = source.jwksUri ?? (await discoverJwksUri(source, signal));
  const { keys } = await fetchJson(jwksUri, source, signal);
  if (!Array.isArray(keys)) throw new Error(`${jwksUri} is not a JSON Web Key Set`);
  return keys.slice(0, keysMax).filter(isJsonObject).map(openPublishedKey);
}

async function discoverJwksUri(source: DocumentSource, signal: AbortSignal): Promise<string> {
  const { jwks_uri: jwksUri } = await fetchMetadata(source, signal);
  const allowed = findAllowedAddress(jwksUri, source.issuer);
  if (!allowed) throw new Error(`${metadataAddress(source)} has no usable jwks_uri`);
  return allowed;
}

// OpenID Connect Discovery 1.0 §4.1: a terminating slash of the issuer is removed here, and here only.
const metadataAddress = ({ issuer, askedAt = issuer }: DocumentSource): string =>
  `${askedAt.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** The provider's discovery document. Throws Error whose message says what the provider did. */
export async function fetchMetadata(
  source: DocumentSource,
  signal = AbortSignal.timeout(source.timeoutMs),
): Promise<JsonObject & { issuer: string }> {
  const address = metadataAddress(source);
  const metadata = await fetchJson(address, source, signal);
  // §4.3: MUST be exactly the one the document was asked for.
  if (metadata.issuer !== source.issuer)
    throw new Error(`${address} names another issuer: ${JSON.stringify(metadata.issuer)?.slice(0, 200)}`);
  return metadata as JsonObject & { issuer: string };
}

// An https provider may not send us to plain http, nor anyone to another scheme.
export function findAllowedAddress(address: unknown, issuer: string): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'));
  return isAllowed ? url?.href : undefined;
}

async function fetchJson(address: string, source: DocumentSource, signal: AbortSignal): Promise<JsonObject> {
  try {
    // One connection each: fetches are rare, and a kept one would fail just after the provider's restart.
    const response = await source.fetch(address, {
      signal,
      redirect: 'manual',
      headers: { accept: 'application/json', connection: 'close' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`answers ${response.status} instead of 200`);
    }
    return parseJsonObject(await readBounded(response));
  } catch (error) {
    throw new Error(`${address} ${describe(signal.aborted ? signal.reason : error, source)}`);
  }
}

/** The body as text. Throws Error past a bound. */
export async function readBounded(response: Pick<Response, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error(`answers with more than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // reported below, without the text
  }
  throw new Error('answers with something else than a JSON object');
}

function describe(error: unknown, source: DocumentSource): string {
  const { name, message, code, cause } = error as Error & {
    code?: string;
    cause?: { code?: string; message?: string };
  };
  if (name === 'TimeoutError') return `does not answer within ${source.timeoutMs / 1000} s`;
  const reason = code ?? cause?.code ?? cause?.message;
  return reason ? `can not be reached: ${reason}` : message;
}
