/**
 * The floor that the token endpoints are measured against: bare node:http and what can't be left out.
 * POST /token: renewal is one UPDATE … RETURNING and two signatures (ES256, HS256); the exchange is one verification, one
 * look-up, one insert and the same two signatures. POST /validate-token: one verification. No client is checked.
 */
import { createHash, createHmac, createPrivateKey, createPublicKey, randomUUID, sign, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_MAX ?? 20),
});
const privateKey = createPrivateKey(process.env.FLOOR_PRIVATE_KEY!);
const publicKey = createPublicKey(privateKey);
const providerKey = createPublicKey(process.env.FLOOR_PROVIDER_KEY!);
const secret = Buffer.alloc(32, 1);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
const accessHeader = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'floor' });
const renewalHeader = encode({ alg: 'HS256', typ: 'rt+jwt', kid: 'floor' });
const issuer = process.env.ISSUER_URL!;
const monthMs = 30 * 86_400_000;

const renewal = {
  name: 'renew',
  text: `update tokens set token = $2, generation = generation + 1, created_at = $3, expires_at = $4
         where token_guid = $5 and token = $1 and not is_revoked and expires_at > now() returning user_id, profile_id`,
};
const lookUp = {
  name: 'look-up',
  text: `select user_guid, profile_id from users join user_profiles using (user_id)
         where user_guid = $1 and not is_blocked and profile_id = $2`,
};
const insert = {
  name: 'insert',
  text: `insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)`,
};

function signAccess(sub: string, profileId: string, now: number): string {
  const iat = Math.floor(now / 1_000);
  const input = `${accessHeader}.${encode({ iss: issuer, sub, aud: ['GRID', 'IOT'], profileId, roleId: 'role', scopes: ['bench:s1', 'bench:s2', 'bench:s3', 'bench:s4', 'bench:s5'], exp: iat + 3_600, iat })}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

interface RenewalToken {
  token: string;
  created: string;
  expires: string;
}

function signRenewal(sub: string, jti: string, now: number): RenewalToken {
  const created = new Date(now).toISOString();
  const expires = new Date(now + monthMs).toISOString();
  const input = `${renewalHeader}.${encode({ iss: issuer, sub, created_at: created, expires_at: expires, jti })}`;
  return { token: `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`, created, expires };
}

interface TokenRequest {
  grant_type: string;
  refresh_token: string;
  id_token: string;
  profileId: string;
}

async function renew({ refresh_token: old }: TokenRequest): Promise<object> {
  const now = Date.now();
  // the hash has no index: the record is found by its guid
  const { sub, jti } = decode(old.split('.')[1]!);
  const [guid, generation] = jti.split('.');
  const { token, created, expires } = signRenewal(sub, `${guid}.${Number(generation) + 1}`, now);
  const { rows } = await pool.query({ ...renewal, values: [hash(old), hash(token), created, expires, guid] });
  return issued(rows[0], token, now);
}

async function exchange({ id_token: idToken, profileId }: TokenRequest): Promise<object> {
  const now = Date.now();
  if (!verifies(idToken, providerKey)) throw new Error('signature');
  const claims = decode(idToken.split('.')[1]!);
  if (claims.exp * 1_000 < now) throw new Error('expired');
  const { rows } = await pool.query({ ...lookUp, values: [claims.sub, profileId] });
  const guid = randomUUID();
  const { token, created, expires } = signRenewal(claims.sub, `${guid}.0`, now);
  await pool.query({ ...insert, values: [guid, claims.sub, profileId, hash(token), created, expires] });
  return issued(rows[0], token, now);
}

function issued(holder: Record<string, string> | undefined, token: string, now: number): object {
  if (!holder) throw new Error('unknown');
  const access = signAccess(holder.user_id ?? holder.user_guid!, holder.profile_id!, now);
  return { access_token: access, refresh_token: token, token_type: 'Bearer', expires_in: 3_600 };
}

function verifies(token: string, key: typeof publicKey): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return verify('sha256', Buffer.from(token.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function validate({ token }: { token: string }): object {
  return { is_valid: verifies(token, publicKey), claims: decode(token.split('.')[1]!) };
}

function result(path: string, body: TokenRequest & { token: string }): object | Promise<object> {
  if (path === '/validate-token') return validate(body);
  return body.grant_type === 'refresh_token' ? renew(body) : exchange(body);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const text = JSON.stringify(await result(request.url!, JSON.parse(Buffer.concat(chunks).toString())));
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text);
    } catch {
      response.writeHead(401, { 'content-length': 0 }).end();
    }
  });
}

const server = createServer(answer);
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${(server.address() as AddressInfo).port}\n`));
