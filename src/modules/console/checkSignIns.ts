/** Says for `doctor` with which providers people sign in to the console. */
import { openSignIns } from '../../auth/providerSignIn.js';
import { type Finding, failed, passed, type SignInCheck } from '../../cli/finding.js';
import { messageOf } from '../../cli/session.js';
import { ownAddress } from '../../config/config.js';
import { consoleAddress } from '../../config/consoleAddress.js';

/** Returns no finding if nobody can sign in: the console is off, or no provider has a client for it. */
export const checkSignIns: SignInCheck = async ({ config, network, advise }) => {
  if (!config.console || config.adminAuth === 'none') return [];
  const { callback } = consoleAddress({ config, issuerUrl: config.issuerUrl ?? ownAddress(config) });
  const problems = new Map<unknown, unknown>();
  const signIns = openSignIns(config.idTokenIssuers ?? [], {
    callback,
    log: (details) => {
      const { issuer, problem } = details as { issuer?: unknown; problem?: unknown };
      problems.set(issuer, problem);
    },
    network,
  });
  const check = async ({ issuer, begin }: (typeof signIns)[number]): Promise<Finding> => {
    const what = 'console';
    try {
      await begin(0);
      return passed(what, `people sign in with ${issuer}, where the redirect URI must be registered: ${callback}`);
    } catch (error) {
      const problem = String(problems.get(issuer) ?? messageOf(error));
      return failed(what, `${issuer}: ${problem}. ${await advise(problem)}`);
    }
  };
  return Promise.all(signIns.map(check));
};
