/** What limits do for those who ask them; `limiter.ts` opens them. */

export interface FailureLimit {
  /** Counts a failure of a client from an address. Throws GatehouseError with status 429 over the limit. */
  count(clientId: string, address: string | null): Promise<void>;
  /** Throws what `begin` would at once, without counting. */
  assertBelowLimit(clientId: string, address: string | null): Promise<void>;
  /**
   * Counts an attempt before it is checked, and returns the function that ends it: only a failure stays counted. Where attempts under
   * way here reach the limit, it waits for one of them before it is refused.
   */
  begin(clientId: string, address: string | null): Promise<EndAttempt>;
}

type EndAttempt = (hasFailed: boolean) => Promise<void>;

/** Counts a request of an address, a connector or a receiver. Throws GatehouseError with status 429 over the limit. */
export type RequestLimit = (caller: string | null) => Promise<void>;
