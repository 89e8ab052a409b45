/** What a finding of the rehearsal says, and what the owner of the client does about it. */
import type { RehearsedVerdict } from '../../context.js';

/** Why the hardened policy would refuse a request, or end its session. */
export type PolicyReason = Exclude<RehearsedVerdict, 'passed' | 'notJudged'>;

interface Words {
  /** After the client's name. */
  text: string;
  advice: string;
}

const words: { [reason in PolicyReason]: Words } = {
  noCredentials: {
    text: 'sends no client credentials',
    advice: 'Send client_id and client_secret in the body, as at /token.',
  },
  wrongCredentials: {
    text: 'sends credentials that are not a client’s',
    advice: 'Send the client_id and client_secret that work at /token.',
  },
  anotherClient: {
    text: 'uses a renewal token of another client',
    advice: 'Have each client exchange an ID token for tokens of its own, and keep them apart.',
  },
  anotherProfile: {
    text: 'renews with another profileId than the token’s',
    advice: 'Send the profileId of the exchange; for another profile, exchange an ID token again.',
  },
  reuse: {
    text: 'brings a renewal token that was used before',
    advice:
      'Keep the new renewal token of each answer before anything else, renew in one place at a time, and repeat a renewal that was lost with its Idempotency-Key.',
  },
  repeatedIdToken: {
    text: 'exchanges an ID token more than once for a profile',
    advice: 'Renew instead, or ask the identity provider for a new ID token.',
  },
};

export const policyReasons = Object.keys(words) as readonly PolicyReason[];
export const wordsOf = (reason: PolicyReason): Words => words[reason];
