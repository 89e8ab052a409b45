/**
 * Better Auth on the benchmark's database, with its OAuth provider plugin: the refresh grant with rotation and ES256 JWT
 * access tokens, settings as its documentation has them for production. POST /seed makes refresh tokens for accounts.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import pg from 'pg';

const { DATABASE_URL, DATABASE_POOL_MAX, ISSUER_URL, PEER_CLIENT_ID, PEER_CLIENT_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_MAX ?? 20) });
const resource = 'https://api.example.com';
const scopes = ['bench:s1', 'bench:s2', 'bench:s3', 'bench:s4', 'bench:s5'];
const options = {
  database: pool,
  baseURL: ISSUER_URL,
  basePath: '/',
  secret: randomBytes(32).toString('hex'),
  rateLimit: { enabled: false },
  emailAndPassword: { enabled: true },
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: '/sign-in',
      consentPage: '/consent',
      scopes: ['openid', 'offline_access', ...scopes],
      resources: [{ identifier: resource, name: 'API' }],
      enforcePerClientResources: false,
      customAccessTokenClaims: () => ({ profileId: 'bench', roleId: 'role' }),
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const { adapter } = await auth.$context;
const hash = (text) => createHash('sha256').update(text).digest('base64url');
const now = () => new Date();

await adapter.create({
  model: 'oauthClient',
  data: {
    clientId: PEER_CLIENT_ID,
    clientSecret: hash(PEER_CLIENT_SECRET),
    redirectUris: ['https://client.example.com/callback'],
    scopes: ['offline_access', ...scopes],
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    createdAt: now(),
    updatedAt: now(),
  },
});

const users = new Map();
async function userOf(account) {
  if (!users.has(account)) {
    const data = {
      name: 'A user',
      email: `${account}@example.com`,
      emailVerified: true,
      createdAt: now(),
      updatedAt: now(),
    };
    users.set(account, (await adapter.create({ model: 'user', data })).id);
  }
  return users.get(account);
}

async function seed(account) {
  const token = randomBytes(24).toString('hex');
  await adapter.create({
    model: 'oauthRefreshToken',
    data: {
      token: hash(token),
      clientId: PEER_CLIENT_ID,
      userId: await userOf(account),
      scopes: ['offline_access', ...scopes],
      resources: [resource],
      createdAt: now(),
      expiresAt: new Date(Date.now() + 30 * 86_400_000),
    },
  });
  return token;
}

const handle = toNodeHandler(auth);
const server = createServer((request, response) => {
  if (request.url !== '/seed') return handle(request, response);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const tokens = await Promise.all(JSON.parse(Buffer.concat(chunks)).map(seed));
    response.end(JSON.stringify(tokens));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${server.address().port}\n`));
