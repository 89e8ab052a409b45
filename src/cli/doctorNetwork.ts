/** The doctor's look at the network: who has the port, and whether the identity providers answer. */
import { createServer } from 'node:net';
import type { Config } from '../config/config.js';
import { ownAddress } from '../config/ownAddress.js';
import { messageOf } from './failure.js';
import type { Finding } from './finding.js';

const answerTimeoutMs = 5_000;

interface Neighbour {
  finding: Finding;
  /** Whether Gatehouse answers there. */
  runs: boolean;
}

/** Whether npm start could listen, or listens already. */
export async function checkPort(config: Config): Promise<Neighbour> {
  const { host, port } = config;
  const place = `port ${port} of ${host}`;
  const what = 'port';
  const fault = await listenFault(host, port);
  if (fault === undefined) return { runs: false, finding: { ok: true, what, text: `${place} is free` } };
  if (fault !== 'EADDRINUSE')
    return {
      runs: false,
      finding: { ok: false, what, text: `can't listen on ${place} (${fault}): set HOST and PORT` },
    };
  const phase = await askPhase(config);
  if (phase)
    return { runs: false, finding: { ok: true, what, text: `the Gatehouse on ${place} ${phase}: its log says why` } };
  const issuer = await askIssuer(config);
  const expected = issuerOf(config);
  if (issuer === undefined)
    return {
      runs: false,
      finding: { ok: false, what, text: `${place} is another program's: set PORT to another one` },
    };
  return issuer === expected
    ? { runs: true, finding: { ok: true, what, text: `Gatehouse answers on ${place}` } }
    : {
        runs: true,
        finding: {
          ok: false,
          what,
          text: `the Gatehouse on ${place} is ${issuer}, and by these settings it would be ${expected}: set ISSUER_URL for both`,
        },
      };
}

/** Gatehouse speaks no TLS: behind an address with https:// there is a proxy. */
export function checkProxy({ issuerUrl, trustProxy }: Config): Finding[] {
  const what = 'proxy';
  if (!issuerUrl?.startsWith('https:')) return [];
  if (trustProxy !== false) return [{ ok: true, what, text: 'addresses of callers are what it says (TRUST_PROXY)' }];
  const text =
    'TRUST_PROXY is no, but ISSUER_URL is https://, so a proxy stands in front: all callers count as its one address, and the failures of one lock out all. Set TRUST_PROXY to the proxy';
  return [{ ok: false, what, text }];
}

function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

const issuerOf = (config: Config): string => config.issuerUrl ?? ownAddress(config);

/** `is starting` or `is ending`: it answers nothing else then. */
async function askPhase(config: Config): Promise<string | undefined> {
  try {
    const answer = await fetch(`${ownAddress(config)}/readyz`, { signal: AbortSignal.timeout(answerTimeoutMs) });
    const { checks } = (await answer.json()) as { checks?: { process?: unknown } };
    return /^is (?:starting|ending)$/.exec(String(checks?.process))?.[0];
  } catch {
    return undefined;
  }
}

/** What the service on the port says that its tokens' `iss` is; undefined when it is no Gatehouse. */
async function askIssuer(config: Config): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const answer = await fetch(`${ownAddress(config)}/.well-known/oauth-authorization-server`, { signal });
    const { issuer, token_endpoint } = (await answer.json()) as { issuer?: unknown; token_endpoint?: unknown };
    return typeof issuer === 'string' && token_endpoint === `${issuer}/token` ? issuer : undefined;
  } catch {
    return undefined;
  }
}

/** Fetches every provider's keys. @param runs whether this Gatehouse answers, the development provider with it */
export async function checkIssuers(config: Config, runs: boolean): Promise<Finding[]> {
  const what = 'identity provider';
  if (!config.idTokenIssuers && !runs)
    return [{ ok: true, what, text: 'the development one answers while Gatehouse runs' }];
  const { openIdTokenVerifier } = await import('../auth/idToken.js');
  const { developmentIssuer } = await import('../dev/development.js');
  const issuers = config.idTokenIssuers ?? [developmentIssuer(issuerOf(config), ownAddress(config))];
  try {
    const probes = await openIdTokenVerifier(issuers, {
      log: () => undefined,
      network: { privateHosts: config.privateProviderHosts },
    }).probe();
    return probes.map(({ issuer, ok, problem }) => ({
      ok,
      what,
      text: ok
        ? `${issuer} publishes its keys`
        : `${issuer}: ${problem}. Check ID_TOKEN_ISSUERS, and the way from here to there`,
    }));
  } catch (error) {
    return [{ ok: false, what, text: messageOf(error) }];
  }
}
