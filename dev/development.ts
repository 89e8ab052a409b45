/** Adds to a development start: an identity provider without passwords, demonstration data, first commands. */
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import type { IdTokenIssuer } from '../src/config/config.js';
import { consoleAddress } from '../src/config/consoleAddress.js';
import type { Context, Dependencies } from '../src/context.js';
import { load } from '../src/modules/demonstration.js';
import { systemCaller } from '../src/services/tokens/caller.js';
import { accessTokenSeconds } from '../src/services/tokens/claims.js';
import { issueOperatorToken } from '../src/services/tokens/operatorTokens.js';
import { demonstration, demonstrationFile, demonstrationHolding, demonstrationUsers } from './demoData.js';
import { createDevelopmentProvider } from './identityProvider.js';
import { fillLarge } from './largeData.js';
import { isOwnHost } from './ownHost.js';

export { encryptionKeyIn, findIssuer, keepIssuer } from './keptFiles.js';

const providerPath = '/development/identity-provider';
const audience = 'gatehouse';
const consoleClientId = 'gatehouse-console';

/**
 * The entry that ID_TOKEN_ISSUERS would have for the development identity provider.
 * @param ownUrl address at which this service reads its own keys, if it differs from the issuer
 */
export function developmentIssuer(issuerUrl: string, ownUrl = issuerUrl): IdTokenIssuer {
  const askedAt = ownUrl + providerPath;
  return {
    issuer: issuerUrl + providerPath,
    audience,
    idpname: 'development',
    subject: 'userGuid',
    jwksUri: `${askedAt}/jwks`,
    askedAt,
    console: { clientId: consoleClientId },
  };
}

/** What only a development start has. */
interface Development {
  /** The path of the development identity provider below the base path. */
  path: string;
  router: RequestHandler;
  /** Issues an access token of the demonstration's administrator to requests for a local host name. */
  signIn(host: string | undefined, context: Context): Promise<string | undefined>;
}

export function openDevelopment({ config, issuerUrl }: Dependencies): Development {
  const { callback } = consoleAddress({ config, issuerUrl });
  const names = [config.host, new URL(issuerUrl).hostname];
  const provider = createDevelopmentProvider({
    issuer: issuerUrl + providerPath,
    audience,
    // the second is for clients under development on this machine, such as docs/samples/admin-ui
    clients: [{ clientId: consoleClientId, redirectUri: callback }, { clientId: audience }],
    keyFile: join(config.dataDir, 'development-identity-provider.pem'),
    users: demonstrationUsers,
    isOwnHost: (host) => isOwnHost(host, names),
  });
  const signIn: Development['signIn'] = async (host, context) => {
    if (!isOwnHost(host, names)) return undefined;
    const operator = { ...context, caller: systemCaller(config.systemUserGuid) };
    return issueOperatorToken(operator, demonstrationHolding, accessTokenSeconds);
  };
  return { path: providerPath, router: (request, response) => provider.handle(request, response), signIn };
}

/** Fills an empty database. A database with records stays as it is. */
export async function loadDemoData(context: Context): Promise<void> {
  if (context.config.idTokenIssuers) return;
  const [record] = await context.sql.rows(
    `select 1 from (select 1 from users union all select 1 from roles union all select 1 from profiles
     union all select 1 from applications union all select 1 from clients) ours limit 1`,
  );
  if (record) return;
  await load?.(context, demonstrationFile);
  if (context.config.demonstration === 'large') await fillLarge(context);
}

/** Three commands to paste, if the demonstration is there. */
export async function firstSteps(dependencies: Dependencies, base: string): Promise<string[]> {
  const isThere = await isDemonstration(dependencies);
  return isThere ? ['', ...firstCommands(base, dependencies.config.tokenPolicy === 'hardened')] : [];
}

/** Whether the client that the commands use exists: a database filled by an import has other records. */
const isDemonstration = ({ sql }: Dependencies): Promise<boolean> =>
  sql.rows('select 1 from clients where client_id = $1 and is_active', [demonstration.clientId]).then(
    (rows) => rows.length > 0,
    // the service already runs: a lost database must not end it
    () => false,
  );

/** Each command is one line, works in any POSIX shell, and needs only curl and sed. */
function firstCommands(base: string, withClient: boolean): string[] {
  const { user, profileId, clientId, clientSecret } = demonstration;
  const post = (path: string, body: Record<string, string>) =>
    `curl -s ${base}${path} -H 'content-type: application/json' -d "${JSON.stringify(body).replaceAll('"', '\\"')}"`;
  const client = { client_id: clientId, client_secret: clientSecret };
  const exchange = post('/token', {
    grant_type: 'urn:service:authz:exchange',
    id_token: '$ID_TOKEN',
    profileId,
    ...client,
  });
  const validate = post('/validate-token', { token: '$ACCESS_TOKEN', ...(withClient && client) });
  return [
    `For development only: the identity provider at ${base}${providerPath}/ signs in anybody,`,
    `and the demonstration client ${clientId} has the secret ${clientSecret}. Three commands to paste:`,
    '',
    '1. get an ID token',
    `  ID_TOKEN=$(curl -s '${base}${providerPath}/id-token?user=${user}'); echo "$ID_TOKEN"`,
    '2. exchange it',
    `  TOKENS=$(${exchange}); echo "$TOKENS"`,
    '3. validate the access token',
    `  ACCESS_TOKEN=$(echo "$TOKENS" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); ${validate}; echo`,
  ];
}
