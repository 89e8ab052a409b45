/**
 * The floor that the token endpoints are measured against: bare node:http and what can't be left out.
 * POST /token: one UPDATE … RETURNING and two signatures (ES256, HS256). POST /validate-token: one verification.
 */
import { createHash, createHmac, generateKeyPairSync, sign, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_MAX ?? 20),
});
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secret = Buffer.alloc(32, 1);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const accessHeader = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'floor' });
const renewalHeader = encode({ alg: 'HS256', typ: 'rt+jwt', kid: 'floor' });
const monthMilliseconds = 30 * 86_400_000;

const statement = {
  name: 'renew',
  text: `update tokens set token = $2, generation = generation + 1, created_at = $3, expires_at = $4
         where token = $1 and not is_revoked and expires_at > now() returning user_id, profile_id`,
};

function signAccess(sub: string, profileId: string): string {
  const iat = Math.floor(Date.now() / 1_000);
  const input = `${accessHeader}.${encode({ iss: 'http://127.0.0.1', sub, aud: ['GRID', 'IOT'], profileId, roleId: 'r', scopes: ['a:1', 'a:2', 'a:3', 'a:4', 'a:5'], exp: iat + 3_600, iat })}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

async function renew(body: { refresh_token: string }): Promise<object> {
  const now = new Date();
  const expires = new Date(now.getTime() + monthMilliseconds);
  const input = `${renewalHeader}.${encode({ iss: 'http://127.0.0.1', sub: body.refresh_token.slice(0, 36), created_at: now, expires_at: expires, jti: `${body.refresh_token.slice(-36)}` })}`;
  const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const { rows } = await pool.query({ ...statement, values: [hash(body.refresh_token), hash(token), now, expires] });
  if (!rows[0]) throw new Error('unknown token');
  return {
    access_token: signAccess(rows[0].user_id, rows[0].profile_id),
    refresh_token: token,
    token_type: 'Bearer',
    expires_in: 3_600,
  };
}

function validate({ token }: { token: string }): object {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const isValid = verify(
    'sha256',
    Buffer.from(token.slice(0, end)),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    signature,
  );
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  return { is_valid: isValid, claims };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const result =
        request.url === '/token'
          ? await renew(body)
          : request.url === '/sign'
            ? { token: signAccess('u', 'p') }
            : validate(body);
      const text = JSON.stringify(result);
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
