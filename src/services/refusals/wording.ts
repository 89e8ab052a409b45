/** How a cause is explained: what happened, and what to do about it. */

export type Words = readonly [text: string, advice: string];

/** By what the cause begins with. */
export interface Causes {
  readonly [start: string]: Words;
}

export const notASignIn = (text: string): Words => [
  text,
  'Have the client send the ID token of the sign-in itself, not another token that the provider gave it.',
];
export const notOurClock = (text: string, whose = 'the identity provider'): Words => [
  text,
  `Set the clocks of ${whose} and of Gatehouse by NTP.`,
];
export const signInAgain = 'The user signs in again.';
