/**
 * The limit that the token endpoints are measured against: what bare node:http can do by every trick that we know.
 * Signatures in DER, rewritten by hand; statements that requests of the same moment share, in PostgreSQL's own protocol;
 * answers put together as text, and written together where they are ready together; no promise on the way. POST /token:
 * renewal is one statement and two signatures (ES256, HS256), the exchange one verification, a shared look-up, a shared
 * insert and the same signatures. POST /validate-token: one verification, none for a token that was seen before; with
 * LIMIT_HARDENED, and at /introspect, a shared look at the record too. No client is checked.
 */
import { createPublicKey, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeTogether } from '../../src/engine/writeTogether.js';
import { openBatch } from './batch.js';
import { hashOf, issuer, openPayload, ownKey, payloadOf, signAccess, signRenewal, timesFrom } from './tokens.js';

const database = process.env.DATABASE_URL!;
const providerKey = createPublicKey(process.env.FLOOR_PROVIDER_KEY!);
const isHardened = process.env.LIMIT_HARDENED === 'yes';
const seenMax = 10_000;

interface Renewal {
  old: string;
  guid: string;
  sub: string;
  jti: string;
  next: string;
}
const renewals = await openBatch<Renewal>(
  database,
  {
    name: 'renew',
    text: `update tokens t set token = asked.next, generation = t.generation + 1, created_at = $3::timestamptz, expires_at = $4::timestamptz
           from unnest($1::bytea[], $2::bytea[], $5::uuid[]) with ordinality asked(token, next, guid, ord)
           where t.token_guid = asked.guid and t.token = asked.token and not t.is_revoked and t.expires_at > now() returning asked.ord, t.user_id, t.profile_id`,
    kinds: ['bytea[]', 'bytea[]', 'text', 'text', 'uuid[]'],
    columns: 3,
  },
  (batch) => {
    const times = timesFrom(Date.now());
    const nexts = batch.map((renewal) => {
      renewal.next = signRenewal(renewal.sub, renewal.jti, times);
      return hashOf(renewal.next);
    });
    const guids = batch.map(({ guid }) => guid);
    return [batch.map(({ old }) => hashOf(old)), nexts, times.created, times.expires, guids];
  },
);

interface Holding {
  sub: string;
  profileId: string;
}
const lookUps = await openBatch<Holding>(
  database,
  {
    name: 'look_up',
    text: `select asked.ord, u.user_guid, link.profile_id from unnest($1::uuid[], $2::text[]) with ordinality asked(sub, profile_id, ord)
           join users u on u.user_guid = asked.sub and not u.is_blocked
           join user_profiles link on link.user_id = u.user_id and link.profile_id = asked.profile_id`,
    kinds: ['uuid[]', 'text[]'],
    columns: 3,
  },
  (batch) => [batch.map(({ sub }) => sub), batch.map(({ profileId }) => profileId)],
);

interface NewRecord extends Holding {
  guid: string;
  token: string;
}
const inserts = await openBatch<NewRecord>(
  database,
  {
    name: 'insert',
    text: `with asked as materialized (select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) with ordinality asked(guid, user_id, profile_id, token, ord)),
           made as (insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
             select guid, user_id, profile_id, token, $5::timestamptz, $6::timestamptz from asked returning token_guid)
           select asked.ord from asked join made on made.token_guid = asked.guid`,
    kinds: ['uuid[]', 'uuid[]', 'text[]', 'bytea[]', 'text', 'text'],
    columns: 1,
  },
  (batch) => {
    const times = timesFrom(Date.now());
    const hashes = batch.map((record) => {
      record.token = signRenewal(record.sub, `${record.guid}.0`, times);
      return hashOf(record.token);
    });
    const profiles = batch.map(({ profileId }) => profileId);
    return [batch.map(({ guid }) => guid), batch.map(({ sub }) => sub), profiles, hashes, times.created, times.expires];
  },
);

const lives = await openBatch<string>(
  database,
  {
    name: 'lives',
    text: `select asked.ord from unnest($1::uuid[]) with ordinality asked(guid, ord)
           join tokens t on t.token_guid = asked.guid and not t.is_revoked and t.expires_at > now()`,
    kinds: ['uuid[]'],
    columns: 1,
  },
  (batch) => [batch],
);

/** Told of the answer; undefined: 401. */
type Tell = (text: string | undefined) => void;
interface Asked {
  grant_type: string;
  refresh_token: string;
  id_token: string;
  profileId: string;
  token: string;
}

function renew({ refresh_token: old }: Asked, tell: Tell): void {
  const { sub, jti } = JSON.parse(payloadOf(old)) as { sub: string; jti: string };
  const dot = jti.lastIndexOf('.');
  const guid = jti.slice(0, dot);
  const renewal = { old, guid, sub, jti: `${guid}.${Number(jti.slice(dot + 1)) + 1}`, next: '' };
  renewals(renewal, (_error, row) => tell(row && issued(row[1] as string, row[2] as string, renewal.next)));
}

function exchange({ id_token: idToken, profileId }: Asked, tell: Tell) {
  const { sub, exp } = JSON.parse(openPayload(idToken, providerKey)) as { sub: string; exp: number };
  if (exp * 1_000 < Date.now()) return tell(undefined);
  lookUps({ sub, profileId }, (_error, holder) => {
    if (!holder) return tell(undefined);
    const record = { guid: randomUUID(), sub: holder[1] as string, profileId: holder[2] as string, token: '' };
    inserts(record, (_fault, row) => tell(row && issued(record.sub, record.profileId, record.token)));
  });
}

const issued = (sub: string, profileId: string, renewal: string): string =>
  `{"access_token":"${signAccess(sub, profileId, Date.now())}","refresh_token":"${renewal}","token_type":"Bearer","expires_in":3600}`;

/** An access token whose signature was verified, and what is answered while it is good. */
interface Seen {
  exp: number;
  sid: string;
  validation: string;
  introspection: string;
}
const seen = new Map<string, Seen>();

function openAccess(token: string): Seen {
  const claims = seen.get(token);
  if (claims) return claims;
  const text = openPayload(token, ownKey);
  const { exp, iss, aud, sid, scopes } = JSON.parse(text);
  if (iss !== issuer || !aud.includes('GRID')) throw new Error('claims');
  const validation = `{"is_valid":true,"claims":${text}}`;
  const introspection = `{"active":true,"scope":"${scopes.join(' ')}","token_type":"Bearer",${text.slice(1)}`;
  const opened = { exp: exp * 1_000, sid, validation, introspection };
  if (seen.size === seenMax) seen.delete(seen.keys().next().value!);
  seen.set(token, opened);
  return opened;
}

function validate({ token }: Asked, tell: Tell) {
  const { exp, sid, validation } = openAccess(token);
  if (exp < Date.now()) return tell(undefined);
  if (!isHardened) return tell(validation);
  lives(sid, (_error, row) => tell(row && validation));
}

function introspect(form: string, tell: Tell) {
  const isPlain = form.startsWith('token=') && !/[%+&]/.test(form);
  const { exp, sid, introspection } = openAccess(isPlain ? form.slice(6) : new URLSearchParams(form).get('token')!);
  if (exp < Date.now()) return tell('{"active":false}');
  lives(sid, (_error, row) => tell(row ? introspection : '{"active":false}'));
}

function answer(path: string, body: string, tell: Tell) {
  if (path === '/introspect') return introspect(body, tell);
  const request = JSON.parse(body) as Asked;
  if (path === '/validate-token') return validate(request, tell);
  return request.grant_type === 'refresh_token' ? renew(request, tell) : exchange(request, tell);
}

function listen(request: IncomingMessage, response: ServerResponse): void {
  let body: Buffer | undefined;
  request.on('data', (chunk: Buffer) => {
    body = body ? Buffer.concat([body, chunk]) : chunk;
  });
  request.on('end', () => {
    // text of one byte a character throughout: what is ASCII stays it, what is not is written as it was read
    const tell: Tell = (text) => {
      if (text === undefined) response.writeHead(401, ['content-length', '0']).end();
      else {
        response.writeHead(200, ['content-type', 'application/json', 'content-length', `${text.length}`]);
        writeTogether(() => response.end(text, 'latin1'));
      }
    };
    try {
      answer(request.url!, body?.toString('latin1') ?? '', tell);
    } catch {
      tell(undefined);
    }
  });
}

const server = createServer(listen);
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${(server.address() as AddressInfo).port}\n`));
