/** Which client a request is of: by its own word, else whom its token was given to, else by its user agent. */
import { LRUCache } from 'lru-cache';
import type { Body } from './message.js';
import { fieldOf, isClientId, productOf } from './operation.js';
import type { RedactedRequest } from './redact.js';

const tokensMax = 100_000;

export class ClientNames {
  readonly #clientOf = new LRUCache<string, string>({ max: tokensMax });

  /** @param shown the request with pseudonyms */
  nameOf({ headers, body: shownBody }: RedactedRequest, body: Body): string {
    const clientId = fieldOf(body, 'client_id');
    if (clientId !== undefined) return isClientId(clientId) ? clientId : 'a client without a proper id';
    const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ', 2);
    if (scheme === 'Basic') return credentials.split(':')[0]!;
    const token = shownBody && 'json' in shownBody ? (shownBody.json as { token?: unknown } | null)?.token : undefined;
    return (
      this.#clientOf.get(credentials) ??
      this.#clientOf.get(String(token)) ??
      productOf(headers['user-agent'] ?? '') ??
      'unknown'
    );
  }

  /** A token that an answer gave to the client. */
  learn(pseudonym: string, client: string): void {
    if (pseudonym.startsWith('token-')) this.#clientOf.set(pseudonym, client);
  }

  wasGiven(pseudonym: string): boolean {
    return this.#clientOf.has(pseudonym);
  }
}
