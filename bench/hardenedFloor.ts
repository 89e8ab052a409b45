/**
 * The floor of the hardened rows: bare node:http, and what can't be left out. POST /token: a renewal bound to its client, with
 * the proof of its key (DPoP) or the client's assertion where there is one, or an exchange that takes an ID token once.
 * POST /validate-token and /introspect: one verification, and whether the session lives. Secrets are not checked.
 */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
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
const clientKey = createPublicKey(process.env.FLOOR_CLIENT_KEY!);
const secret = Buffer.alloc(32, 1);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
const sha256 = (text: string) => createHash('sha256').update(text);
const accessHeader = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'floor' });
const renewalHeader = encode({ alg: 'HS256', typ: 'rt+jwt', kid: 'floor' });
const issuer = process.env.ISSUER_URL!;
const monthMs = 30 * 86_400_000;

const renewal = {
  name: 'renew',
  text: `update tokens set token = $2, generation = generation + 1, created_at = $3, expires_at = $4, client_id = $5, jkt = $6
         where token_guid = $7 and token = $1 and not is_revoked and expires_at > now() and (client_id is null or client_id = $5)
           and (jkt is null or jkt = $6) returning user_id, profile_id, token_guid`,
};
const lookUp = {
  name: 'look-up',
  text: `select user_guid as user_id, profile_id from users join user_profiles using (user_id)
         where user_guid = $1 and not is_blocked and profile_id = $2`,
};
const insert = {
  name: 'insert',
  text: `with used as (insert into id_token_uses (use_hash, ends_at) values ($7, $6) on conflict do nothing returning 1)
         insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at, client_id)
         select $1, $2, $3, $4, $5, $6, $8 from used returning token_guid`,
};
const once = {
  name: 'once',
  text: 'insert into single_uses (use_hash, ends_at) values ($1, $2) on conflict do nothing returning 1',
};
const session = { name: 'session', text: 'select 1 from tokens where token_guid = $1 and not is_revoked' };

type Fields = Record<string, string>;

function signRenewal(sub: string, jti: string, now: number) {
  const [created, expires] = [new Date(now).toISOString(), new Date(now + monthMs).toISOString()];
  const input = `${renewalHeader}.${encode({ iss: issuer, sub, created_at: created, expires_at: expires, jti })}`;
  return { token: `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`, created, expires };
}

function issued(holder: Fields | undefined, client_id: string, token: string, now: number, jkt?: string): object {
  if (!holder) throw new Error('unknown');
  const iat = Math.floor(now / 1_000);
  const { user_id: sub, profile_id: profileId, token_guid: sid } = holder;
  const scopes = ['bench:s1', 'bench:s2', 'bench:s3', 'bench:s4', 'bench:s5'];
  const claims = { iss: issuer, sub, aud: ['GRID', 'IOT'], profileId, roleId: 'role', scopes, exp: iat + 3_600, iat };
  const further = { client_id, jti: randomUUID(), sid, ...(jkt && { cnf: { jkt } }) };
  const input = `${accessHeader}.${encode({ ...claims, ...further })}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const access_token = `${input}.${signature.toString('base64url')}`;
  return { access_token, refresh_token: token, token_type: jkt ? 'DPoP' : 'Bearer', expires_in: 3_600 };
}

function verifies(token: string, key: KeyObject): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return verify('sha256', Buffer.from(token.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** The claims of a token that is good and was not used before. */
async function takeOnce(token: string, key: KeyObject, maker: string): Promise<void> {
  if (!verifies(token, key)) throw new Error('signature');
  const { jti } = decode(token.split('.')[1]);
  const values = [sha256(JSON.stringify([maker, jti])).digest('base64url'), new Date(Date.now() + 60_000)];
  const { rows } = await pool.query({ ...once, values });
  if (rows.length === 0) throw new Error('used');
}

/** The thumbprint of the proof's key (RFC 7638). */
async function takeProof(proof: string): Promise<string> {
  const { jwk } = decode(proof.split('.')[0]);
  const { crv, kty, x, y } = jwk;
  const jkt = sha256(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const { htu, iat } = decode(proof.split('.')[1]);
  if (htu !== `${issuer}/token` || Math.abs(Date.now() / 1_000 - iat) > 60) throw new Error('proof');
  await takeOnce(proof, createPublicKey({ key: jwk, format: 'jwk' }), jkt);
  return jkt;
}

async function renew({ refresh_token: old, client_id, client_assertion }: Fields, proof?: string): Promise<object> {
  const now = Date.now();
  if (client_assertion) await takeOnce(client_assertion, clientKey, 'client');
  const client = client_assertion ? decode(client_assertion.split('.')[1]).sub : client_id;
  const jkt = proof === undefined ? undefined : await takeProof(proof);
  // the hash has no index: the record is found by its guid
  const { sub, jti } = decode(old!.split('.')[1]);
  const [guid, generation] = jti.split('.');
  const { token, created, expires } = signRenewal(sub, `${guid}.${Number(generation) + 1}`, now);
  const values = [sha256(old!).digest(), sha256(token).digest(), created, expires, client, jkt ?? null, guid];
  const { rows } = await pool.query({ ...renewal, values });
  return issued(rows[0], client, token, now, jkt);
}

async function exchange({ id_token: idToken = '', profileId, client_id }: Fields): Promise<object> {
  const now = Date.now();
  if (!verifies(idToken, providerKey)) throw new Error('signature');
  const { sub, exp, jti } = decode(idToken.split('.')[1]);
  if (exp * 1_000 < now) throw new Error('expired');
  const { rows } = await pool.query({ ...lookUp, values: [sub, profileId] });
  const guid = randomUUID();
  const { token, created, expires } = signRenewal(sub, `${guid}.0`, now);
  const use = sha256(JSON.stringify([jti, profileId])).digest('base64url');
  const values = [guid, sub, profileId, sha256(token).digest(), created, expires, use, client_id];
  const inserted = await pool.query({ ...insert, values });
  return issued(inserted.rows[0] && { ...rows[0], token_guid: guid }, client_id!, token, now);
}

async function liveClaims(token: string): Promise<object | undefined> {
  if (!verifies(token, publicKey)) return undefined;
  const claims = decode(token.split('.')[1]);
  const { rows } = await pool.query({ ...session, values: [claims.sid] });
  return rows.length > 0 ? claims : undefined;
}

async function result(path: string, body: Fields, proof: string | undefined): Promise<object> {
  if (path === '/token') return body.grant_type === 'refresh_token' ? renew(body, proof) : exchange(body);
  const claims = await liveClaims(body.token!);
  if (path === '/introspect') return claims ? { active: true, token_type: 'Bearer', ...claims } : { active: false };
  return claims ? { is_valid: true, claims } : { is_valid: false };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const given = Buffer.concat(chunks).toString();
      const isJson = request.headers['content-type'] === 'application/json';
      const body = isJson ? JSON.parse(given) : Object.fromEntries(new URLSearchParams(given));
      const text = JSON.stringify(await result(request.url!, body, request.headers.dpop as string | undefined));
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
