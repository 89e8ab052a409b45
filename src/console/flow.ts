/** A sign-in that is under way, as the browser keeps it until it comes back from the provider: ten minutes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SignInChecks } from '../auth/providerSignIn.js';
import type { Cookie } from './cookies.js';

export interface Flow extends SignInChecks {
  issuer: string;
  /** Path of the console to which it leads; judged again when it does. */
  to: string;
  /** Whether the person was to prove anew who it is. */
  isAgain: boolean;
  /** The session that ends with it: SHA-256 of its secret, in hex. */
  replaces?: string;
}

const flowSeconds = 600;

export function keepFlow(cookie: Cookie, response: ServerResponse, flow: Flow): void {
  cookie.write(response, Buffer.from(JSON.stringify(flow)).toString('base64url'), flowSeconds);
}

/** Undefined where there is none, or none of ours: it comes from a browser. */
export function findFlow(cookie: Cookie, request: IncomingMessage): Flow | undefined {
  const text = cookie.read(request);
  if (text === undefined) return undefined;
  try {
    const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<keyof Flow, unknown> | null;
    return flow && isFlow(flow) ? flow : undefined;
  } catch {
    return undefined;
  }
}

const texts = ['issuer', 'to', 'state', 'nonce', 'verifier'] as const;

const isFlow = (flow: Record<keyof Flow, unknown>): flow is Record<keyof Flow, unknown> & Flow =>
  texts.every((name) => typeof flow[name] === 'string' && flow[name] !== '') &&
  typeof flow.isAgain === 'boolean' &&
  (flow.replaces === undefined || (typeof flow.replaces === 'string' && /^[0-9a-f]{64}$/.test(flow.replaces)));
