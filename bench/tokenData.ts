/** What the token rows work on: one client, 1,000 users of one profile with five scopes, 10,000 token records; and tokens. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from '../src/context.js';
import { issueAccessToken, prepareRenewalToken } from '../src/services/tokens/claims.js';
import { type Bench, type Cluster, issuerUrl } from './service.js';

export const profileId = 'bench';
export const clientId = 'bench';
export const clientSecret = randomBytes(16).toString('hex');
/** In JSON, and in a header. */
export const credentials = `"client_id":"${clientId}","client_secret":"${clientSecret}"`;
export const basic = `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}\r\n`;
export const roleId = 'role';
export const scopes = [1, 2, 3, 4, 5].map((number) => `bench:s${number}`);
const audience = 'gatehouse-bench';
const usersMax = 1_000;

const provider = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The limit's own, for access tokens. */
const limit = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export interface TokenBench extends Bench {
  context: Context;
  users: string[];
  /** The `iss` of its ID tokens. */
  issuer: string;
}

/** A database for token rows, and an identity provider that publishes its keys on this machine. */
export async function openTokenBench(
  cluster: Cluster,
  name: string,
  settings?: NodeJS.ProcessEnv,
): Promise<TokenBench> {
  const idp = await openProvider();
  const issuer = { issuer: idp.url, jwksUri: `${idp.url}/jwks`, audience, idpname: 'bench', subject: 'userGuid' };
  const bench = await cluster.openDatabase(name, {
    ID_TOKEN_ISSUERS: JSON.stringify([issuer]),
    FLOOR_PRIVATE_KEY: pem(limit.privateKey),
    FLOOR_PROVIDER_KEY: pem(provider.publicKey),
    ...settings,
  });
  const context = bench.app.commandContext();
  const users = await fill(context);
  const close = async () => {
    idp.close();
    await bench.close();
  };
  return { ...bench, context, users, issuer: idp.url, close };
}

const pem = (key: KeyObject): string =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }).toString();

function openProvider(): Promise<{ url: string; close(): void }> {
  const keys = [{ ...provider.publicKey.export({ format: 'jwk' }), kid: 'idp', alg: 'ES256', use: 'sig' }];
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys })));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve({ url, close: () => server.close().closeAllConnections() });
    });
  });
}

async function fill({ sql, secrets, config }: Context): Promise<string[]> {
  const by = config.systemUserGuid;
  await sql.rows('insert into clients (client_id, client_secret, name) values ($1, $2, $1)', [
    clientId,
    await secrets.hash(clientSecret),
  ]);
  await sql.rows('insert into roles (role_id, name, created_by) values ($1, $1, $2)', [roleId, by]);
  await sql.rows('insert into profiles (profile_id, name, created_by) values ($1, $1, $2)', [profileId, by]);
  await sql.rows(`insert into access_scope_types (name, created_by) values ('bench', $1)`, [by]);
  await sql.rows(
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 's' || n, 's' || n, (select access_scope_type_id from access_scope_types where name = 'bench'), $1 from generate_series(1, 5) n`,
    [by],
  );
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select $1, access_scope_id, $2 from access_scopes join access_scope_types using (access_scope_type_id) where access_scope_types.name = 'bench'`,
    [profileId, by],
  );
  await sql.rows(`insert into users (first_name, created_by) select 'user' || n, $1 from generate_series(1, $2) n`, [
    by,
    usersMax,
  ]);
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, $1, $3, $2 from users`,
    [profileId, by, roleId],
  );
  // as many records as a small installation has: of an empty table PostgreSQL would rather read every row
  await sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at)
     select user_guid, $1, sha256((user_guid::text || n)::bytea), now(), now() + interval '30 days' from users, generate_series(1, 10) n`,
    [profileId],
  );
  await sql.rows('vacuum analyze');
  return (await sql.rows<{ guid: string }>('select user_guid as guid from users')).map(({ guid }) => guid);
}

/** New records of random users; gives their renewal tokens, which the limit takes as well. */
export async function makeRenewalTokens({ context, users }: TokenBench, count: number): Promise<string[]> {
  const now = new Date();
  const made = Array.from({ length: count }, () => {
    const record = { userGuid: randomUser(users), tokenGuid: randomUUID(), generation: 0 };
    return { ...record, ...prepareRenewalToken(context, context.keys.ring(), record, now) };
  });
  await context.sql.rows(
    `insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
     select guid, user_id, $1, token, $2, $3 from unnest($4::uuid[], $5::uuid[], $6::bytea[]) made (guid, user_id, token)`,
    [
      profileId,
      now,
      made[0]!.expiresAt,
      made.map(({ tokenGuid }) => tokenGuid),
      made.map(({ userGuid }) => userGuid),
      made.map(({ token }) => createHash('sha256').update(token).digest()),
    ],
  );
  return made.map(({ token }) => token);
}

const randomUser = (users: readonly string[]): string => users[Math.floor(Math.random() * users.length)]!;

/** Each of its own, and young. */
export function makeIdTokens({ users, issuer }: Pick<TokenBench, 'users' | 'issuer'>, count: number): string[] {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuer, aud: audience, iat, exp: iat + 900 };
  const further = { email: 'user@example.com', name: 'A user of the benchmark', nonce: 'n-0S6_WzA2Mj' };
  return Array.from({ length: count }, () =>
    signEs256(
      provider.privateKey,
      { kid: 'idp', typ: 'JWT' },
      { ...claims, sub: randomUser(users), jti: randomUUID(), ...further },
    ),
  );
}

/** Of users that are each another one. */
export function makeAccessTokens({ context }: TokenBench, count: number): string[] {
  const ring = context.keys.ring();
  const now = new Date();
  return Array.from({ length: count }, () =>
    issueAccessToken(context, ring, { userGuid: randomUUID(), profileId, roleId, scopes }, now),
  );
}

/** The same, signed with the limit's key. @param further claims of each */
export function makeLimitTokens(count: number, further: (index: number) => object = () => ({})): string[] {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { aud: ['GRID', 'IOT'], profileId, roleId, scopes, exp: iat + 3_600, iat };
  return Array.from({ length: count }, (_, index) => {
    const own = { iss: issuerUrl, sub: randomUUID(), ...claims, ...further(index) };
    return signEs256(limit.privateKey, { kid: 'floor', typ: 'at+jwt' }, own);
  });
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signEs256(key: KeyObject, header: object, claims: object): string {
  const input = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
