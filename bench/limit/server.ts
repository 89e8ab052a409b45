/**
 * The limit that the token endpoints are measured against: what bare node:http can do by every trick that we know.
 * Signatures in DER, rewritten by hand; keys made once; statements that requests of the same moment share; answers put
 * together as text. POST /token: renewal is one statement and two signatures (ES256, HS256), the exchange one verification,
 * a shared look-up, a shared insert and the same signatures. POST /validate-token: one verification; with LIMIT_HARDENED,
 * and at /introspect, a shared look at the record too. No client is checked.
 */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { fromDer, toDer } from '../../src/auth/ecdsaSignature.js';
import { openBatch } from './batch.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const privateKey = createPrivateKey(process.env.FLOOR_PRIVATE_KEY!);
const publicKey = createPublicKey(privateKey);
const providerKey = createPublicKey(process.env.FLOOR_PROVIDER_KEY!);
const secret = createSecretKey(Buffer.alloc(32, 1));
const isHardened = process.env.LIMIT_HARDENED === 'yes';
const issuer = process.env.ISSUER_URL!;
const monthMs = 30 * 86_400_000;

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const accessHeader = `${encode('{"alg":"ES256","typ":"at+jwt","kid":"floor"}')}.`;
const renewalHeader = `${encode('{"alg":"HS256","typ":"rt+jwt","kid":"floor"}')}.`;
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

interface Holder {
  ord: string;
  user_id: string;
  profile_id: string;
}
const renewals = openBatch<Holder>(pool, {
  name: 'renew',
  text: `update tokens t set token = asked.next, generation = t.generation + 1, created_at = asked.created, expires_at = asked.expires
         from unnest($1::bytea[], $2::bytea[], $3::timestamptz[], $4::timestamptz[]) with ordinality asked(token, next, created, expires, ord)
         where t.token = asked.token and not t.is_revoked and t.expires_at > now() returning asked.ord, t.user_id, t.profile_id`,
});
const lookUps = openBatch<Holder>(pool, {
  name: 'look-up',
  text: `select asked.ord, u.user_guid as user_id, link.profile_id from unnest($1::uuid[], $2::text[]) with ordinality asked(sub, profile_id, ord)
         join users u on u.user_guid = asked.sub and not u.is_blocked
         join user_profiles link on link.user_id = u.user_id and link.profile_id = asked.profile_id`,
});
const inserts = openBatch<{ ord: string }>(pool, {
  name: 'insert',
  text: `with asked as materialized (select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::timestamptz[], $6::timestamptz[])
           with ordinality asked(guid, user_id, profile_id, token, created, expires, ord)),
         made as (insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
           select guid, user_id, profile_id, token, created, expires from asked returning token_guid)
         select asked.ord from asked join made on made.token_guid = asked.guid`,
});
const lives = openBatch<{ ord: string }>(pool, {
  name: 'lives',
  text: `select asked.ord from unnest($1::uuid[]) with ordinality asked(guid, ord)
         join tokens t on t.token_guid = asked.guid and not t.is_revoked and t.expires_at > now()`,
});

function signAccess(sub: string, profileId: string, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  const claims = `{"iss":"${issuer}","sub":"${sub}","aud":["GRID","IOT"],"profileId":"${profileId}","roleId":"role","scopes":["bench:s1","bench:s2","bench:s3","bench:s4","bench:s5"],"exp":${iat + 3_600},"iat":${iat}}`;
  const input = accessHeader + encode(claims);
  return `${input}.${fromDer(sign('sha256', Buffer.from(input), privateKey)).toString('base64url')}`;
}

function signRenewal(sub: string, jti: string, nowMs: number): { token: string; created: string; expires: string } {
  const created = new Date(nowMs).toISOString();
  const expires = new Date(nowMs + monthMs).toISOString();
  const claims = `{"iss":"${issuer}","sub":"${sub}","created_at":"${created}","expires_at":"${expires}","jti":"${jti}"}`;
  const input = renewalHeader + encode(claims);
  return { token: `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`, created, expires };
}

interface Asked {
  grant_type: string;
  refresh_token: string;
  id_token: string;
  profileId: string;
  token: string;
}

async function renew({ refresh_token: old }: Asked): Promise<string> {
  const nowMs = Date.now();
  const { token, created, expires } = signRenewal(old.slice(-36), old.slice(-40), nowMs);
  return issued(await renewals([hash(old), hash(token), created, expires]), token, nowMs);
}

async function exchange({ id_token: idToken, profileId }: Asked): Promise<string> {
  const nowMs = Date.now();
  const claims = JSON.parse(openPayload(idToken, providerKey));
  if (claims.exp * 1_000 < nowMs) throw new Error('expired');
  const holder = await lookUps([claims.sub, profileId]);
  if (!holder) throw new Error('not held');
  const guid = randomUUID();
  const { token, created, expires } = signRenewal(claims.sub, `${guid}.0`, nowMs);
  await inserts([guid, holder.user_id, holder.profile_id, hash(token), created, expires]);
  return issued(holder, token, nowMs);
}

function issued(holder: Holder | undefined, renewal: string, nowMs: number): string {
  if (!holder) throw new Error('unknown');
  const access = signAccess(holder.user_id, holder.profile_id, nowMs);
  return `{"access_token":"${access}","refresh_token":"${renewal}","token_type":"Bearer","expires_in":3600}`;
}

/** The claims as text, of a token whose signature is good. */
function openPayload(token: string, key: typeof publicKey): string {
  const end = token.lastIndexOf('.');
  const der = toDer(Buffer.from(token.slice(end + 1), 'base64url'));
  if (!verify('sha256', Buffer.from(token.slice(0, end)), key, der)) throw new Error('signature');
  return Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString();
}

async function validate(token: string): Promise<string> {
  const text = openPayload(token, publicKey);
  const { exp, iss, aud, sid } = JSON.parse(text);
  if (exp * 1_000 < Date.now() || iss !== issuer || !aud.includes('GRID')) throw new Error('claims');
  if (isHardened && !(await lives([sid]))) throw new Error('session');
  return `{"is_valid":true,"claims":${text}}`;
}

async function introspect(token: string): Promise<string> {
  const text = openPayload(token, publicKey);
  const { exp, sid, scopes } = JSON.parse(text);
  if (exp * 1_000 < Date.now() || !(await lives([sid]))) return '{"active":false}';
  return `{"active":true,"scope":"${scopes.join(' ')}","token_type":"Bearer",${text.slice(1)}`;
}

function answerOf(path: string, body: string): Promise<string> {
  if (path === '/introspect') return introspect(new URLSearchParams(body).get('token')!);
  const asked = JSON.parse(body) as Asked;
  if (path === '/validate-token') return validate(asked.token);
  return asked.grant_type === 'refresh_token' ? renew(asked) : exchange(asked);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    answerOf(request.url!, body.toString()).then(
      (text) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
          .end(text),
      () => response.writeHead(401, { 'content-length': 0 }).end(),
    );
  });
}

const server = createServer(answer);
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${(server.address() as AddressInfo).port}\n`));
