/**
 * oidc-provider 9 on the benchmark's database: the refresh grant with rotation and ES256 JWT access tokens. The adapter is
 * what its documentation asks for, on `pg` with named statements. POST /seed makes grants and refresh tokens for accounts.
 */

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import pg from 'pg';

const { DATABASE_URL, DATABASE_POOL_MAX, ISSUER_URL, PEER_CLIENT_ID, PEER_CLIENT_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_MAX ?? 20) });
await pool.query(`create table if not exists peer_models (
  model text, id text, payload jsonb not null, grant_id text, user_code text, uid text, expires_at timestamptz,
  consumed_at timestamptz, primary key (model, id)) with (fillfactor = 80)`);
await pool.query('create index if not exists peer_models_grant_id on peer_models (grant_id)');
await pool.query('create index if not exists peer_models_uid on peer_models (uid) where uid is not null');
await pool.query(
  'create index if not exists peer_models_user_code on peer_models (user_code) where user_code is not null',
);

const columns = 'payload, extract(epoch from consumed_at)::bigint as consumed';
const alive = '(expires_at is null or expires_at > now())';
const statements = {
  find: `select ${columns} from peer_models where model = $1 and id = $2 and ${alive}`,
  findByUid: `select ${columns} from peer_models where model = $1 and uid = $2 and ${alive}`,
  findByUserCode: `select ${columns} from peer_models where model = $1 and user_code = $2 and ${alive}`,
  upsert: `insert into peer_models (model, id, payload, grant_id, user_code, uid, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
    on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
      user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
  consume: 'update peer_models set consumed_at = now() where model = $1 and id = $2',
  destroy: 'delete from peer_models where model = $1 and id = $2',
  revokeByGrantId: 'delete from peer_models where model = $1 and grant_id = $2',
};
const run = async (name, ...values) => (await pool.query({ name, text: statements[name], values })).rows[0];

class PostgresAdapter {
  constructor(model) {
    this.model = model;
  }
  async #found(name, key) {
    const row = await run(name, this.model, key);
    return row && (row.consumed ? { ...row.payload, consumed: Number(row.consumed) } : row.payload);
  }
  find = (id) => this.#found('find', id);
  findByUid = (uid) => this.#found('findByUid', uid);
  findByUserCode = (code) => this.#found('findByUserCode', code);
  upsert(id, payload, seconds) {
    const { grantId = null, userCode = null, uid = null } = payload;
    return run('upsert', this.model, id, JSON.stringify(payload), grantId, userCode, uid, seconds ?? null);
  }
  consume = (id) => run('consume', this.model, id);
  destroy = (id) => run('destroy', this.model, id);
  revokeByGrantId = (grantId) => run('revokeByGrantId', this.model, grantId);
}

const resource = 'https://api.example.com';
const scope = 'bench:s1 bench:s2 bench:s3 bench:s4 bench:s5';
const month = 30 * 86_400;
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const provider = new Provider(ISSUER_URL, {
  adapter: PostgresAdapter,
  jwks: { keys: [{ ...key, kid: 'peer', alg: 'ES256', use: 'sig' }] },
  clients: [
    {
      client_id: PEER_CLIENT_ID,
      client_secret: PEER_CLIENT_SECRET,
      grant_types: ['refresh_token', 'authorization_code'],
      redirect_uris: ['https://client.example.com/callback'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  cookies: { keys: ['bench'] },
  scopes: ['offline_access'],
  rotateRefreshToken: true,
  ttl: { AccessToken: 3_600, RefreshToken: month, Grant: month },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  extraTokenClaims: () => ({ profileId: 'bench', roleId: 'role' }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        scope,
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
      useGrantedResource: () => true,
    },
  },
});
provider.on('server_error', (_ctx, error) => process.stderr.write(`${error.stack}\n`));

async function seed(accountId) {
  const client = await provider.Client.find(PEER_CLIENT_ID);
  const grant = new provider.Grant({ accountId, clientId: PEER_CLIENT_ID });
  grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId,
    client,
    grantId,
    gty: 'authorization_code',
    resource,
    scope: `offline_access ${scope}`,
  });
  return token.save();
}

const callback = provider.callback();
const server = createServer((request, response) => {
  if (request.url !== '/seed') return callback(request, response);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const tokens = await Promise.all(JSON.parse(Buffer.concat(chunks)).map(seed));
    response.end(JSON.stringify(tokens));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${server.address().port}\n`));
