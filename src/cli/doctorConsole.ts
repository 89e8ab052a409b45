/** The doctor's look at the way into the console: whether each provider of it tells where people sign in. */
import { openSignIns } from '../auth/providerSignIn.js';
import type { Config } from '../config/config.js';
import { ownAddress } from '../config/ownAddress.js';
import { consoleAddress } from '../console/address.js';
import { messageOf } from './failure.js';
import type { Finding } from './finding.js';

/** Nothing where nobody signs in: the console is off, or no provider has a client for it. */
export async function checkConsole(config: Config): Promise<Finding[]> {
  if (!config.console || config.adminAuth === 'none') return [];
  const { callback } = consoleAddress({ config, issuerUrl: config.issuerUrl ?? ownAddress(config) });
  const problems = new Map<unknown, unknown>();
  const signIns = openSignIns(config.idTokenIssuers ?? [], {
    callback,
    log: (details) => {
      const { issuer, problem } = details as { issuer?: unknown; problem?: unknown };
      problems.set(issuer, problem);
    },
    network: { privateHosts: config.privateProviderHosts },
  });
  const check = async ({ issuer, begin }: (typeof signIns)[number]): Promise<Finding> => {
    const what = 'console';
    try {
      await begin(0);
      return { ok: true, what, text: `people sign in by ${issuer}, which must know the redirect URI ${callback}` };
    } catch (error) {
      const problem = problems.get(issuer) ?? messageOf(error);
      return { ok: false, what, text: `${issuer}: ${problem}. Check ID_TOKEN_ISSUERS, and the way from here to there` };
    }
  };
  return Promise.all(signIns.map(check));
}
