/** What the token endpoints read of a request. */
import type { IncomingMessage } from 'node:http';
import type { Context } from '../../context.js';
import { type PresentedProof, publicUrl } from '../../services/tokens/proofOfPossession.js';

/** What is read of a request before anything is judged. */
export interface TokenRequest {
  body: Buffer;
  /** The lines of the header. */
  authorization: readonly string[];
  /** Several lines are joined by a comma and a space. */
  idempotencyKey: string | undefined;
  /** Of the header DPoP. */
  proof: PresentedProof | undefined;
}

/** Node joins several lines of a header, but for Authorization: there `headers` has the first one alone. */
export function readTokenRequest(context: Context, request: IncomingMessage, body: Buffer): TokenRequest {
  const { authorization, 'idempotency-key': idempotencyKey, dpop } = request.headers as Record<string, string>;
  return {
    body,
    authorization: authorization === undefined ? [] : request.headersDistinct.authorization!,
    idempotencyKey,
    proof: dpop === undefined ? undefined : { proof: dpop, method: 'POST', url: publicUrl(context, pathOf(request)) },
  };
}

/** Without query, and without the slash at the end that a caller may have put there. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const target = url.split('?', 1)[0]!;
  // RFC 9112 §3.2.2: a target may be a whole address
  const path = target.startsWith('/') ? target : target.slice(target.indexOf('/', target.indexOf('://') + 3));
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
