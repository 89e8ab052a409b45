/** The doctor's look at the rehearsal of the hardened policy: how many clients are ready, and why the others aren't. */
import type { Config } from '../config/config.js';
import type { PolicyFinding, PolicyReadiness } from '../services/policyReadiness/findPolicyReadiness.js';
import type { Sql } from '../sql.js';
import { visible } from './doctorCatalogue.js';
import type { Finding } from './finding.js';

const shownMax = 10;

/** Nothing where nothing is rehearsed. A client that isn't ready is no fault of the service. */
export async function checkPolicy(sql: Sql, config: Config): Promise<Finding[]> {
  const [{ findPolicyReadiness }, { systemCaller }, { isRehearsal }] = await Promise.all([
    import('../services/policyReadiness/findPolicyReadiness.js'),
    import('../services/tokens/identifyCaller.js'),
    import('../services/tokens/policy.js'),
  ]);
  if (!isRehearsal(config)) return [];
  const found = await findPolicyReadiness({ reads: sql, config, caller: systemCaller(config.systemUserGuid) });
  return [{ ok: true, what: 'rehearsal', text: textOf(found) }];
}

function textOf({ clients, ready, notSeen, days, unready, notReady, ofNobody }: PolicyReadiness): string {
  const unseen = notSeen > 0 ? `; of ${notSeen} nothing was judged in ${days} days` : '';
  const lines = [`${ready} of ${clients} clients are ready for TOKEN_POLICY=hardened${unseen}`];
  for (const { clientId, findings } of unready.slice(0, shownMax))
    for (const finding of findings) lines.push(`${visible(clientId)} ${describe(finding)}`);
  if (notReady > shownMax) lines.push(`and ${notReady - shownMax} more clients: policyReadiness in the graph has them`);
  for (const finding of ofNobody) lines.push(`a caller of no client ${describe(finding)}`);
  return lines.join('\n');
}

const describe = ({ text, operation, count, lastSeenAt }: PolicyFinding): string =>
  `${text} at ${operation}: ${count} times, last ${lastSeenAt.slice(0, 16).replace('T', ' ')}`;
