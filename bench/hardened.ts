/**
 * Rows of TOKEN_POLICY=hardened, each beside a floor by hand that does the same: renewal, exchange, `/validate-token` and
 * `/introspect`, and renewals by clients with keys of their own (`private_key_jwt`) and with bound tokens (DPoP).
 */
import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { issueAccessToken } from '../src/services/tokens/claims.js';
import type { Answer } from './answers.js';
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { limitDescription, tailRatios, throughputRatio } from './limitRatios.js';
import { post, type Target } from './load.js';
import type { Outcome, Ratio, Row, Stage } from './row.js';
import { issuerUrl, type Side, startGatehouse, startSide } from './service.js';
import {
  clientId,
  clientSecret,
  makeFloorTokens,
  makeIdTokens,
  makeRenewalTokens,
  openTokenBench,
  profileId,
  roleId,
  scopes,
  signEs256,
  type TokenBench,
} from './tokenData.js';

const connections = 32;
const sessionsInUse = 500;
/** What is good once must not come again, on a machine that becomes faster too. */
const onceOnly = (answersMax: number): number => Math.min(30_000, 2 * answersMax);
const keyClientId = 'bench-keys';
const client = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const proofKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const credentials = `"client_id":"${clientId}","client_secret":"${clientSecret}"`;

/** What a row asks, of the floor as of Gatehouse. */
interface Work {
  name: string;
  description: string;
  /** Whether the limit does it too. */
  hasLimit?: true;
  target(bench: TokenBench, side: Side, answersMax: number): Promise<Target>;
}

const renewalBody = (token: string): string =>
  `{"grant_type":"refresh_token","refresh_token":"${token}","profileId":"${profileId}",${credentials}}`;

const works: Work[] = [
  {
    name: 'renewal-hardened',
    description: 'Bound to its client; client check on (secret remembered), which the floor leaves out.',
    target: (bench, side) => renewing(bench, side, (token) => post('/token', renewalBody(token))),
  },
  {
    name: 'exchange-hardened',
    description: 'Each ID token is taken once: its use is written by the statement that writes the record.',
    target: async (bench, side, answersMax) => {
      const tokens = makeIdTokens(bench, onceOnly(answersMax));
      return asking(side, (used) => {
        const idToken = tokens[used % tokens.length];
        const grant = `"grant_type":"urn:service:authz:exchange","id_token":"${idToken}","profileId":"${profileId}"`;
        return post('/token', `{${grant},${credentials}}`);
      });
    },
  },
  {
    name: 'validate-hardened',
    hasLimit: true,
    description: `${sessionsInUse} sessions' tokens come again and again; whether the session lives is read each time.`,
    target: async (bench, side) => {
      const tokens = await makeSessions(bench, side);
      return asking(side, (used) =>
        post('/validate-token', `{"token":"${tokens[used % tokens.length]}",${credentials}}`),
      );
    },
  },
  {
    name: 'introspect-hardened',
    hasLimit: true,
    description: `The same by a form, with HTTP Basic: ${sessionsInUse} sessions' tokens come again and again.`,
    target: async (bench, side) => {
      const tokens = await makeSessions(bench, side);
      const basic = `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}\r\n`;
      return asking(side, (used) => postForm('/introspect', `token=${tokens[used % tokens.length]}`, basic));
    },
  },
  {
    name: 'renewal-private-key-jwt',
    description:
      'Each renewal has an assertion of its own, ES256, made in advance; it is verified by the key of the record, and noted as used.',
    target: async (bench, side, answersMax) => {
      await addKeyClient(bench);
      const assertions = makeAssertions(onceOnly(answersMax));
      return renewing(bench, side, (token, used) => {
        const type = encodeURIComponent('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
        const assertion = `client_assertion_type=${type}&client_assertion=${assertions[used % assertions.length]}`;
        return postForm('/token', `grant_type=refresh_token&refresh_token=${token}&${assertion}`);
      });
    },
  },
  {
    name: 'renewal-dpop',
    description:
      'Each renewal has a proof of its own by one key, ES256, made in advance; it is verified and noted as used, and the record is bound to the key.',
    target: async (bench, side, answersMax) => {
      const proofs = makeProofs(onceOnly(answersMax));
      return renewing(bench, side, (token, used) =>
        post('/token', renewalBody(token), `dpop: ${proofs[used % proofs.length]}\r\n`),
      );
    },
  },
];

export const rows: Row[] = works.map((work) => ({ name: work.name, run: (stage) => run(stage, work) }));

async function run(stage: Stage, { name, description, hasLimit, target }: Work): Promise<Outcome> {
  const bench = await openTokenBench(stage.cluster, name);
  const publicKey = client.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const environment = {
    ...bench.environment,
    TOKEN_POLICY: 'hardened',
    FLOOR_CLIENT_KEY: publicKey,
    LIMIT_HARDENED: 'yes',
  };
  const sides: Side[] = [];
  try {
    sides.push(await startSide('floor', ['dist/bench/hardenedFloor.js'], environment));
    if (hasLimit) sides.push(await startSide('limit', ['dist/bench/limit/server.js'], environment));
    sides.push(await startGatehouse(environment));
    const contenders = sides.map((side) => ({ side, target: (answersMax: number) => target(bench, side, answersMax) }));
    const figures = await compare(contenders, stage);
    const [floor, own, limit] = [figures[0]!, figures.at(-1)!, figures.at(-2)!];
    const work = `${name}, ${connections} connections`;
    const toFloor: Ratio = {
      work,
      against: 'the floor',
      value: speedRatio(own, floor),
      kind: 'least',
      bar: 0.7,
      aim: 0.9,
    };
    const toLimit = () => [throughputRatio(work, own, limit, 0.7, 0.9), ...tailRatios(work, own, limit)];
    const limitNote = hasLimit ? ` ${limitDescription} It remembers what it verified.` : '';
    return {
      ratios: hasLimit ? [toFloor, ...toLimit()] : [toFloor],
      figures,
      details: `${description} The floor: bare node:http, the same statements and signatures by hand, none shared.${limitNote}\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

/** Each connection renews tokens of its own. */
async function renewing(
  bench: TokenBench,
  { name, port }: Side,
  request: (token: string, used: number) => string,
): Promise<Target> {
  const tokens = await makeRenewalTokens(bench, connections);
  let used = 0;
  return {
    port,
    connections,
    request: (connection) => request(tokens[connection]!, used++),
    answered: (connection, answer) => {
      const [, successor] = /"refresh_token":"([\w.-]+)"/.exec(textOf(name, answer)) ?? [];
      tokens[connection] = successor!;
    },
  };
}

function asking({ name, port }: Side, request: (used: number) => string): Target {
  let used = 0;
  return {
    port,
    connections,
    request: () => request(used++),
    answered: (_connection, answer) => void textOf(name, answer),
  };
}

/** The answer, which must be a good one: tokens, or claims of a live session. */
function textOf(name: string, { status, body }: Answer): string {
  const text = body!.toString('latin1');
  if (status !== 200 || !/"access_token":"[\w-]+\.[\w-]+\.[\w-]+"|^\{"(is_valid|active)":true,/.test(text))
    throw new Error(`${name} answered ${status} ${text}`);
  return text;
}

const postForm = (path: string, form: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`;

/** Access tokens of live sessions, signed by the side's own key. */
async function makeSessions(bench: TokenBench, { name }: Side): Promise<string[]> {
  const { context, users } = bench;
  const sids = Array.from({ length: sessionsInUse }, () => randomUUID());
  await context.sql.rows(
    `insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
     select sid, $2::uuid, $3, sha256(sid::text::bytea), now(), now() + interval '30 days' from unnest($1::uuid[]) sid`,
    [sids, users[0], profileId],
  );
  if (name !== 'Gatehouse') return makeFloorTokens(sessionsInUse, (index) => ({ sid: sids[index] }));
  const holding = { userGuid: users[0]!, profileId, roleId, scopes };
  return sids.map((sid) =>
    issueAccessToken(context, context.keys.ring(), holding, new Date(), {
      client_id: clientId,
      jti: randomUUID(),
      sid,
    }),
  );
}

async function addKeyClient({ context }: TokenBench): Promise<void> {
  const jwks = JSON.stringify({ keys: [{ ...client.publicKey.export({ format: 'jwk' }), kid: 'bench' }] });
  await context.sql.rows(
    `insert into clients (client_id, client_secret, name, jwks) values ($1, 'none', $1, $2) on conflict do nothing`,
    [keyClientId, jwks],
  );
}

function makeAssertions(count: number): string[] {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: keyClientId, sub: keyClientId, aud: issuerUrl, iat, exp: iat + 290 };
  return Array.from({ length: count }, () =>
    signEs256(client.privateKey, { kid: 'bench', typ: 'JWT' }, { ...claims, jti: randomUUID() }),
  );
}

function makeProofs(count: number): string[] {
  const jwk: JsonWebKey = proofKey.publicKey.export({ format: 'jwk' });
  // good for a minute, and so many take some time to make
  const iat = () => Math.floor(Date.now() / 1_000);
  return Array.from({ length: count }, () =>
    signEs256(
      proofKey.privateKey,
      { typ: 'dpop+jwt', jwk },
      { htm: 'POST', htu: `${issuerUrl}/token`, iat: iat(), jti: randomUUID() },
    ),
  );
}
