/** Lists the settings with which production refuses to start, and those that it warns about. */

import type { Config } from './config.js';
import { isThisMachine, readDatabaseUrl } from './databaseUrl.js';
import { isLocalHost } from './parsers.js';

/** The client of the demonstration, whose secret is public. */
export const demonstrationClientId = 'demo-client';

const policies = `TOKEN_POLICY must be set in production:
      documented: the contract to the letter, for clients that rely on it. Whoever has a renewal token can revoke it, and any client can renew it.
      rehearsal: answers as documented, and counts for each client what hardened would refuse; for the way from one to the other.
      hardened: for new installations. Renewal tokens are bound to their client, and an ID token is exchanged once for each profile.`;

/** Returns all refusals, as sentences that begin with the setting's name and say what to do. @param environment as it was set, without defaults */
export function refusedInProduction(config: Config, environment: Record<string, string | undefined>): string[] {
  const refusals: string[] = [];
  if (!config.databaseUrl)
    refusals.push('DATABASE_URL must be set in production: the embedded database is for development.');
  if (!config.idTokenIssuers)
    refusals.push('ID_TOKEN_ISSUERS must be set in production: the development identity provider signs in anybody.');
  if (!config.keyEncryptionKeys)
    refusals.push('KEY_ENCRYPTION_KEY must be set in production: openssl rand -base64 32 makes one.');
  if (!config.issuerUrl) refusals.push('ISSUER_URL must be set in production: it is the `iss` of every token.');
  if (!environment.TOKEN_POLICY) refusals.push(policies);
  if (config.adminAuth === 'none' && !config.adminAuthNoneAccepted)
    refusals.push('ADMIN_AUTH=none is refused in production unless ADMIN_AUTH_NONE_ACCEPTED=yes.');
  for (const [index, { issuer, jwksUri }] of (config.idTokenIssuers ?? []).entries())
    if (isPlainBeyondOwnNetwork(jwksUri ?? issuer, config))
      refusals.push(
        `ID_TOKEN_ISSUERS has http:// in [${index}].${jwksUri ? 'jwksUri' : 'issuer'}: production fetches keys from outside its own network only by https://.`,
      );
  return refusals;
}

/** What a start warns of, and `doctor` too: sentences that begin with the setting's name. */
export function cautions(config: Config): string[] {
  const cautions: string[] = [];
  if (config.adminAuth === 'none')
    cautions.push('ADMIN_AUTH=none: the administration does not authenticate its callers.');
  if (!config.databaseUrl)
    cautions.push(`DATABASE_URL is not set: the embedded PostgreSQL keeps its data under ${config.dataDir}.`);
  if (!config.idTokenIssuers)
    cautions.push('ID_TOKEN_ISSUERS is not set: a development identity provider signs in anybody.');
  if (!config.production) return cautions;
  if (config.issuerUrl && isPlainBeyondOwnNetwork(config.issuerUrl, config))
    cautions.push(
      'ISSUER_URL is http://: anyone on the network path can read client secrets and tokens, and change the JWKS.',
    );
  cautions.push(...databaseCautions(config));
  if (config.clientFailureLimit === 0)
    cautions.push('CLIENT_FAILURE_LIMIT=0: client secrets can be guessed without limit.');
  const isLimited = config.clientFailureLimit + config.tokenRateLimit + config.adminRateLimit > 0;
  if (config.workers > 1 && isLimited && config.limiterStore === 'memory')
    cautions.push('LIMITER_STORE=memory: each of the WORKERS counts failures and requests for itself.');
  if (config.bcryptCost < 10)
    cautions.push('BCRYPT_COST is below 10: client secrets can be guessed quickly from their hashes.');
  if (config.renewalRecoverySeconds > 0)
    cautions.push(
      'RENEWAL_RECOVERY_SECONDS: in that time a used renewal token works again for its client, and its theft is not noticed.',
    );
  if (config.keyRotationDays === 0) cautions.push('KEY_ROTATION_DAYS=0: the signing key stays until `keys rotate`.');
  if (config.corsOrigins.includes('*'))
    cautions.push('CORS_ORIGINS=*: pages of any site may call the token endpoints.');
  if (config.adminAuth === 'none' && config.adminCorsOrigins.length > 0)
    cautions.push(
      'ADMIN_CORS_ORIGINS with ADMIN_AUTH=none: pages of these origins can administer without authentication.',
    );
  return cautions;
}

const risks = {
  none: 'is not encrypted: passwords and data can be read on the network',
  optional: 'is not encrypted if the server, or somebody who intercepts the connection, refuses encryption',
  unchecked: 'is encrypted, but the certificate is not checked: another server could answer',
};

/** Returns a sentence for each database address on another machine whose connection is not encrypted, or whose server is not checked. */
export function databaseCautions({ databaseUrl, databaseDirectUrl, databaseReplicaUrls }: Config): string[] {
  const addresses = [
    ['DATABASE_URL', databaseUrl],
    ['DATABASE_DIRECT_URL', databaseDirectUrl],
    ...databaseReplicaUrls.map((url) => ['DATABASE_REPLICA_URLS', url] as const),
  ] as const;
  return addresses.flatMap(([name, url]) => {
    const { hosts, encryption } = url ? readDatabaseUrl(url) : { hosts: [], encryption: 'checked' as const };
    const others = new Set(hosts.filter((host) => !isThisMachine(host)).map((host) => host.name));
    if (encryption === 'checked' || others.size === 0) return [];
    return [
      `${name}: the connection to ${[...others].join(', ')} ${risks[encryption]}. Write sslmode=verify-full&sslrootcert=FILE.`,
    ];
  });
}

function isPlainBeyondOwnNetwork(address: string, { privateProviderHosts }: Config): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && !isLocalHost(url.hostname) && !privateProviderHosts.includes(url.hostname);
}
