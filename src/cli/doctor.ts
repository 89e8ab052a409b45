/** `doctor`: checks settings, network, console sign-in and database. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { providerNetworkOf } from '../auth/egressProxy.js';
import { readRefusedCertificate } from '../auth/providerDocuments.js';
import { type Config, ownAddress } from '../config/config.js';
import { describeUnknown, loadConfig } from '../config/loadConfig.js';
import { nodeFault } from '../config/nodeVersion.js';
import { cautions } from '../config/production.js';
import { loadDevelopment } from '../development.js';
import { OperatorError } from '../errors.js';
import { allAudiences } from '../services/tokens/claims.js';
import { checkDatabase } from './doctorDatabase.js';
import { type AreGood, type Finding, failed, passed, warned } from './finding.js';
import { messageOf, print } from './session.js';

const answerTimeoutMs = 5_000;

interface Neighbour {
  finding: Finding;
  /** Whether Gatehouse answers there. */
  runs: boolean;
}

/** Whether the port is free, or Gatehouse uses it already. */
async function checkPort(config: Config): Promise<Neighbour> {
  const { host, port } = config;
  const place = `port ${port} of ${host}`;
  const what = 'port';
  const nobody = (finding: Finding): Neighbour => ({ runs: false, finding });
  const fault = await listenFault(host, port);
  if (fault === undefined) return nobody(passed(what, `${place} is free`));
  if (fault !== 'EADDRINUSE') return nobody(failed(what, `can't listen on ${place} (${fault}): set HOST and PORT`));
  const phase = await askPhase(config);
  if (phase) return nobody(passed(what, `the Gatehouse on ${place} ${phase}: its log says why`));
  const issuer = await askIssuer(config);
  if (issuer === undefined) return nobody(failed(what, `${place} is used by another program: set PORT to another one`));
  const expected = issuerOf(config);
  if (issuer === expected) return { runs: true, finding: passed(what, `Gatehouse answers on ${place}`) };
  const text = `the Gatehouse on ${place} has the issuer ${issuer}, but these settings make ${expected}: set ISSUER_URL for both`;
  return { runs: true, finding: failed(what, text) };
}

/** The checks of /readyz, and what the same check is called here. */
const readyzChecks: Readonly<Record<string, string>> = { keys: 'signing keys', replicas: 'replica' };

/** What the running service says at /readyz: it may have seen a failure that no check here repeats. */
async function checkRunning(config: Config, findings: readonly Finding[]): Promise<Finding[]> {
  const {
    checks,
    replicas = 'ok',
    disk = 'ok',
  } = (await ask(config, '/readyz')) as {
    checks?: Record<string, string>;
    replicas?: string;
    disk?: string;
  };
  return Object.entries({ ...checks, replicas, disk })
    .filter(([check, result]) => result !== 'ok' && !hasFailed(findings, readyzChecks[check] ?? check))
    .map(([check, result]) => failed('running service', `/readyz says of ${check}: ${result}`));
}

const hasFailed = (findings: readonly Finding[], name: string): boolean =>
  findings.some(({ ok, what }) => !ok && what === name);

/** A running Gatehouse uses the port itself. */
async function checkMetricsPort({ host, metricsPort }: Config, runs: boolean): Promise<Finding[]> {
  if (!metricsPort || runs) return [];
  const fault = await listenFault(host, metricsPort);
  if (fault === undefined) return [];
  return [failed('metrics port', `can't listen on port ${metricsPort} of ${host} (${fault}): set METRICS_PORT`)];
}

/** Gatehouse does not support TLS, so an address with https:// means that there is a proxy. */
function checkProxy({ issuerUrl, trustProxy }: Config): Finding[] {
  const what = 'proxy';
  if (!issuerUrl?.startsWith('https:')) return [];
  if (trustProxy !== false) return [passed(what, 'the X-Forwarded-For of the proxy names the callers (TRUST_PROXY)')];
  const text =
    'TRUST_PROXY is no, but ISSUER_URL is https://, so a proxy stands in front: all callers count as its one address, and failed requests of one caller block all. Set TRUST_PROXY to the proxy';
  return [failed(what, text)];
}

/** A resource of AUDIENCE_RESOURCES with an audience that no token can have is refused at every request. */
function checkResources(config: Config): Finding[] {
  const possible = allAudiences(config);
  const impossible = [...config.audienceResources].filter(([, audience]) => !possible.includes(audience));
  if (impossible.length === 0) return [];
  const shown = impossible.map(([resource, audience]) => `${resource} stands for ${audience}`).join(', ');
  const text = `${shown}, which no token can have: name one of ${possible.join(', ')} in AUDIENCE_RESOURCES, or add it to AUDIENCES`;
  return [failed('resources', text)];
}

function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

const issuerOf = (config: Config): string => config.issuerUrl ?? ownAddress(config);

/** Returns the JSON that the service on the port answers at this path; empty without an answer in JSON. */
async function ask(config: Config, path: string): Promise<Record<string, unknown>> {
  try {
    const answer = await fetch(ownAddress(config) + path, { signal: AbortSignal.timeout(answerTimeoutMs) });
    return Object(await answer.json());
  } catch {
    return {};
  }
}

/** `is starting` or `is ending`: other requests are not answered then. */
async function askPhase(config: Config): Promise<string | undefined> {
  const { checks } = (await ask(config, '/readyz')) as { checks?: { process?: unknown } };
  return /^is (?:starting|ending)$/.exec(String(checks?.process))?.[0];
}

/** Returns the `iss` of the tokens of the service on the port; undefined when it is not Gatehouse. */
async function askIssuer(config: Config): Promise<string | undefined> {
  const { issuer, token_endpoint } = await ask(config, '/.well-known/oauth-authorization-server');
  return typeof issuer === 'string' && token_endpoint === `${issuer}/token` ? issuer : undefined;
}

// https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes
const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The provider must renew it',
  CERT_NOT_YET_VALID: 'Check the clock of this machine, or wait',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'It is signed by itself: the provider needs one of a CA, or name its file in NODE_EXTRA_CA_CERTS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'It is not for this host: correct the host in ID_TOKEN_ISSUERS, or the certificate',
  INVALID_PURPOSE: 'It is not for servers: the provider needs one for serverAuth (extended key usage)',
  SELF_SIGNED_CERT_IN_CHAIN: 'Node does not know its CA: name the CA’s file in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT: 'Node does not know its CA: name the CA’s file in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Node does not know its CA: name the CA’s file in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Node does not know its CA: name the CA’s file in NODE_EXTRA_CA_CERTS, or let the provider send the certificates between',
  'EE certificate key too weak': 'The provider needs a key of 2048 bits (RSA) or 256 bits (EC)',
  'CA certificate key too weak': 'Its CA needs a key of 2048 bits (RSA) or 256 bits (EC)',
  'CA signature digest algorithm too weak':
    'Its signature has a weak hash: the provider needs one that is signed with SHA-256',
};

/** Node does not say which certificate of the chain it is. */
const timeFaults = new Map([
  [
    'CERT_HAS_EXPIRED',
    'has expired: the provider must send the present one, or NODE_EXTRA_CA_CERTS names the file of an old one',
  ],
  ['CERT_NOT_YET_VALID', 'is not valid yet: check the clock of this machine, or wait'],
]);

/** What to do about other faults of TLS, by the words of OpenSSL. */
const tlsAdvice: Readonly<Record<string, string>> = {
  'tlsv1 alert protocol version': 'The provider has only old TLS: it must switch on TLS 1.2 or 1.3',
  'unsupported protocol': 'The provider has only old TLS: it must switch on TLS 1.2 or 1.3',
  'wrong version number': 'It answers without TLS: correct the port or the https:// of its address in ID_TOKEN_ISSUERS',
};

/** Problems with the way to the provider; at all others it answers. */
const isOnTheWay = /cannot be reached|does not answer within|was not contacted|the proxy answers/;

async function checkSignIns(config: Config, add: (...results: Finding[]) => Promise<void>): Promise<void> {
  const { signInChecks } = await import('../modules/checks.js');
  const advise = (problem: string) => adviceAbout(problem, config);
  for (const check of signInChecks) await add(...(await check({ config, network: providerNetworkOf(config), advise })));
}

/** What to do about a problem with a provider; describes its certificate, if that is the reason. */
async function adviceAbout(problem: string, config: Config): Promise<string> {
  if (!isOnTheWay.test(problem)) return 'The provider answers, and wrongly: check its address in ID_TOKEN_ISSUERS';
  const [, address, fault = ''] = /(https:\/\/\S{1,2000}) cannot be reached: (.{1,100})$/.exec(problem) ?? [];
  const advice = Object.hasOwn(certificateFaults, fault) ? certificateFaults[fault] : undefined;
  if (!address || !advice)
    return tlsAdvice[fault] ?? 'Check ID_TOKEN_ISSUERS, and the network from here to the provider';
  const certificate = await readRefusedCertificate(address, providerNetworkOf(config));
  if (!certificate?.valid_to) return `That is about its certificate. ${advice}`;
  const [from, to] = [certificate.valid_from, certificate.valid_to].map((time) => new Date(time).toISOString());
  const isValidNow = Date.parse(from!) <= Date.now() && Date.now() < Date.parse(to!);
  const ofAbove = isValidNow && timeFaults.has(fault) ? `That of a CA above it ${timeFaults.get(fault)}` : undefined;
  const { subject, issuer, subjectaltname } = certificate;
  const names = [`of ${subject?.CN ?? subjectaltname}`, `issued by ${issuer?.CN ?? issuer?.O}`].join(', ');
  return `Its certificate (${names}) is valid from ${from} until ${to}. ${ofAbove ?? advice}`;
}

/** Fetches every provider's keys. @param runs whether this Gatehouse answers, and with it the development provider */
async function checkIssuers(config: Config, runs: boolean): Promise<Finding[]> {
  const what = 'identity provider';
  if (!config.idTokenIssuers && !runs)
    return [passed(what, 'the development identity provider answers while Gatehouse runs')];
  const { openIdTokenVerifier } = await import('../auth/idToken.js');
  const issuers = config.idTokenIssuers ?? [
    (await loadDevelopment()).developmentIssuer(issuerOf(config), ownAddress(config)),
  ];
  try {
    const probes = await openIdTokenVerifier(issuers, {
      log: () => undefined,
      network: providerNetworkOf(config),
    }).probe();
    return await Promise.all(
      probes.map(async ({ issuer, ok, problem = '' }) => {
        if (!ok) return failed(what, `${issuer}: ${problem}. ${await adviceAbout(problem, config)}`);
        const hasKeys = issuers.some((entry) => entry.issuer === issuer && entry.jwks);
        return passed(what, `${issuer} ${hasKeys ? 'has its keys in ID_TOKEN_ISSUERS' : 'publishes its keys'}`);
      }),
    );
  } catch (error) {
    return [failed(what, messageOf(error))];
  }
}

export async function runDoctor(): Promise<void> {
  const findings = await examine(process.env, (finding) => print(lineOf(finding)));
  const failures = findings.filter(({ ok }) => !ok).length;
  const warnings = findings.filter(({ isWarning }) => isWarning).length;
  const besides = warnings === 0 ? '' : `, with ${warnings} warning${warnings === 1 ? '' : 's'}`;
  const result = failures === 0 ? 'All checks passed' : `${failures} of ${findings.length - warnings} checks failed`;
  await print(`${result}${besides}.`);
  process.exitCode = failures === 0 ? 0 : 1;
}

const lineOf = ({ ok, isWarning, what, text }: Finding): string =>
  `${isWarning ? 'warn  ' : ok ? 'ok    ' : 'failed'}  ${what.padEnd(19)}  ${text.replaceAll('\n', `\n${' '.repeat(29)}`)}`;

/** Runs all checks in order, and reports each as soon as it is done. */
export async function examine(
  environment: Record<string, string | undefined>,
  report: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = async (...results: Finding[]): Promise<void> => {
    for (const finding of results) {
      findings.push(finding);
      await report(finding);
    }
  };
  await add(checkNode(), ...checkAuthorities(environment));
  const { config, bad, finding } = checkSettings(environment);
  await add(finding, ...describeUnknown(environment).map((text) => warned('settings', text)));
  if (!config) return findings;
  if (bad.size === 0) await add(...cautions(config).map((text) => warned('settings', text)));
  const areGood: AreGood = (...names) => !names.some((name) => bad.has(name));
  let runs = false;
  if (areGood('DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATA_DIR')) await add(...(await checkDatabase(config, areGood)));
  if (areGood('HOST', 'PORT', 'BASE_PATH', 'ISSUER_URL')) {
    const neighbour = await checkPort(config);
    runs = neighbour.runs;
    await add(neighbour.finding);
    if (runs) await add(...(await checkRunning(config, findings)));
    if (areGood('METRICS_PORT')) await add(...(await checkMetricsPort(config, runs)));
  }
  if (areGood('ISSUER_URL', 'TRUST_PROXY')) await add(...checkProxy(config));
  if (areGood('AUDIENCE_RESOURCES', 'AUDIENCES', 'ADMIN_AUDIENCE')) await add(...checkResources(config));
  if (areGood('ID_TOKEN_ISSUERS')) await add(...(await checkIssuers(config, runs)));
  if (areGood('ID_TOKEN_ISSUERS', 'ISSUER_URL', 'BASE_PATH')) await checkSignIns(config, add);
  return findings;
}

interface CheckedSettings {
  config?: Config;
  /** Names of the settings that are invalid or missing. */
  bad: ReadonlySet<string>;
  finding: Finding;
}

/** For a file that it can't read, Node writes one line at its start and continues without it. */
function checkAuthorities({ NODE_EXTRA_CA_CERTS: path }: Record<string, string | undefined>): Finding[] {
  if (!path) return [];
  const what = 'NODE_EXTRA_CA_CERTS';
  try {
    const begin = '-----BEGIN CERTIFICATE-----';
    const [, ...bodies] = readFileSync(path, 'utf8').split(begin);
    const count = bodies.length;
    const certificates = bodies.map((body) => parseCertificate(begin + body));
    const nameOf = (index: number) => `${path}: certificate ${index + 1} of ${count}`;
    const unreadable = certificates.indexOf(undefined);
    if (unreadable >= 0) return [failed(what, `${nameOf(unreadable)} can't be read: copy the file again from your CA`)];
    if (count === 0) return [failed(what, `${path} has 0 certificates: it must be a file in PEM form`)];
    const expired = certificates.findIndex((certificate) => Date.parse(certificate!.validTo) < Date.now());
    if (expired >= 0) {
      const { subject, validTo } = certificates[expired]!;
      const old = `(${subject?.split('\n').at(-1)}) was valid until ${new Date(validTo).toISOString()}`;
      return [warned(what, `${nameOf(expired)} ${old}: remove it, and add the present one of that CA`)];
    }
    return [passed(what, `${path} has ${count} certificate${count === 1 ? '' : 's'}`)];
  } catch (error) {
    return [failed(what, `${path} can't be read: ${messageOf(error)}`)];
  }
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function checkNode(): Finding {
  const fault = nodeFault();
  return { ok: !fault, what: 'Node', text: fault ?? process.version };
}

/** If settings are invalid, the checks that don't need them continue. */
function checkSettings(environment: Record<string, string | undefined>): CheckedSettings {
  const what = 'settings';
  try {
    const config = loadConfig(environment);
    return { config, bad: new Set(), finding: passed(what, kindOf(config)) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const finding = failed(what, error.message);
    const settingOf = (name: string) => name.replace(/_FILE$/, '');
    const bad = new Set([...error.message.matchAll(/^ {2}- ([A-Z_]+)/gm)].map(([, name]) => settingOf(name!)));
    const others = Object.entries(environment).filter(([name]) => name !== 'NODE_ENV' && !bad.has(settingOf(name)));
    try {
      return { config: loadConfig(Object.fromEntries(others)), bad, finding };
    } catch {
      return { bad, finding };
    }
  }
}

const kindOf = ({ production }: Config): string => (production ? 'for production' : 'for development');
