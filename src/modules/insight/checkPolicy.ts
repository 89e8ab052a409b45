/** Says for `doctor` which clients are ready for the hardened policy. */
import { type Check, passed, printable } from '../../cli/finding.js';
import { systemCaller } from '../../services/tokens/caller.js';
import { isRehearsal } from '../../services/tokens/policy.js';
import { findPolicyReadiness, type PolicyFinding, type PolicyReadiness } from './findPolicyReadiness.js';

const clientsShownMax = 10;

export const checkPolicy: Check = async ({ sql, config, areGood }) => {
  if (!areGood('TOKEN_POLICY', 'REHEARSAL_DAYS') || !isRehearsal(config)) return [];
  const readiness = await findPolicyReadiness({ reads: sql, config, caller: systemCaller(config.systemUserGuid) });
  return [passed('rehearsal', readinessText(readiness))];
};

function readinessText({ clients, ready, notSeen, days, unready, notReady, ofNobody }: PolicyReadiness): string {
  const unseen = notSeen > 0 ? `; no request of ${notSeen} of them was observed in ${days} days` : '';
  const lines = [`${ready} of ${clients} clients are ready for TOKEN_POLICY=hardened${unseen}`];
  for (const { clientId, findings } of unready.slice(0, clientsShownMax))
    for (const finding of findings) lines.push(`${printable(clientId)} ${describe(finding)}`);
  if (notReady > clientsShownMax)
    lines.push(`and ${notReady - clientsShownMax} more clients: policyReadiness in the graph has them`);
  for (const finding of ofNobody) lines.push(`a caller without a client ${describe(finding)}`);
  return lines.join('\n');
}

const describe = ({ text, operation, count, lastSeenAt }: PolicyFinding): string =>
  `${text} at ${operation}: ${count} times, last ${lastSeenAt.slice(0, 16).replace('T', ' ')}`;
