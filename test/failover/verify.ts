/** Looks whether everything that was acknowledged is there. */
import type { Gatehouses } from './gatehouses.js';
import type { CreatedApplication, Ledger } from './ledger.js';
import { type Caller, openCaller, renew } from './load.js';

const atATime = 8;

/** Adds what is missing to the ledger's faults, and tells what was looked at. */
export async function verify(gatehouses: Gatehouses, ledger: Ledger): Promise<string[]> {
  const { chains, revoked, applications, faults } = ledger;
  const callers = Array.from({ length: atATime }, () => openCaller(gatehouses.url));
  let superseded = 0;
  await forEach(callers, chains, async (caller, { token, previous, inDoubt }) => {
    if (previous && (await renew(caller, previous)).outcome !== 401)
      faults.push('a renewal that was acknowledged is lost: the token before works');
    const { outcome } = await renew(caller, token);
    if (outcome === 401 && inDoubt) superseded++;
    else if (outcome !== 200) faults.push(`the last token of a chain is answered ${outcome}`);
  });
  await forEach(callers, revoked, async (caller, token) => {
    if ((await renew(caller, token)).outcome !== 401) faults.push('a token whose revocation was acknowledged works');
  });
  await verifyApplications(callers[0]!, gatehouses, applications, faults);
  for (const caller of callers) caller.close();
  const links = applications.filter(({ isMapped }) => isMapped).length;
  return [
    `${chains.length} chains of renewals: the last token works${superseded > 0 ? `, but ${superseded} whose next one was in an answer that was lost` : ''}; the one before is refused`,
    `${revoked.length} revocations hold`,
    `${applications.length} applications and ${links} mappings are there, with the last change`,
  ];
}

async function forEach<T>(
  callers: Caller[],
  items: T[],
  look: (caller: Caller, item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    callers.map(async (caller) => {
      for (const item of left) await look(caller, item);
    }),
  );
}

interface Listed {
  applicationGuid: string;
  accessScopeApplicationsMappers: { individualExternalLink: string | null }[];
}

async function verifyApplications(
  caller: Caller,
  { adminToken }: Gatehouses,
  created: CreatedApplication[],
  faults: string[],
): Promise<void> {
  const { json } = await caller.ask('GET', '/api/applications', undefined, adminToken);
  const listed = new Map((json as Listed[]).map((application) => [application.applicationGuid, application]));
  for (const { applicationGuid, isMapped, links } of created) {
    const found = listed.get(applicationGuid);
    if (!found) faults.push('an application whose creation was acknowledged is missing');
    else if (isMapped) {
      const link = found.accessScopeApplicationsMappers[0]?.individualExternalLink;
      if (!link || !links.includes(link)) faults.push(`a mapping has ${link} in place of ${links.join(' or ')}`);
    }
  }
}
