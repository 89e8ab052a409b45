/** A server that is killed in the middle of exchanges and renewals: whatever it answered is true after its restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import { openSecretChecker } from '../../src/auth/clientSecret.js';
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import type { Context } from '../../src/context.js';
import { connect, type Database } from '../../src/database/connect.js';
import { type LocalProvider, makeKey, makeToken, startProvider } from '../auth/localProvider.js';
import { nowSeconds } from '../support/app.js';
import { createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient, newHolder } from '../support/records.js';
import { factor } from '../support/schedules.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const key = makeKey('provider-key');
const users = 16;
const rounds = 3;
const answersPerRound = 150 * factor;

let database: TestDatabase;
let direct: Database;
let provider: LocalProvider;
let url: string;
let environment: Record<string, string>;
let server: ChildProcess | undefined;
let client: { client_id: string; client_secret: string };
let holders: { userGuid: string; profileId: string }[];
beforeAll(async () => {
  [database, provider] = await Promise.all([createMigratedDatabase(), startProvider([key])]);
  direct = await connect({ url: database.url, poolMax: 2, timeoutMs: 60_000 });
  closeAtEnd(() => direct.close());
  const context = { sql: direct.sql, secrets: openSecretChecker({ cost: 4 }) } as Context;
  const { clientId, clientSecret } = await newClient(context);
  client = { client_id: clientId, client_secret: clientSecret };
  holders = await Promise.all(Array.from({ length: users }, () => newHolder(context)));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  environment = {
    PATH: process.env.PATH ?? '',
    PORT: String(port),
    DATABASE_URL: database.url,
    BCRYPT_COST: '4',
    LOG_LEVEL: 'silent',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ID_TOKEN_ISSUERS: JSON.stringify([
      { issuer: provider.issuer, audience: 'crash', idpname: 'guids', subject: 'userGuid' },
    ]),
  };
});
afterAll(() => kill());

async function start(): Promise<void> {
  server = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const [screen] = await once(server.stdout!, 'data');
  expect(String(screen)).toContain(url);
}

async function kill(): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** One user's tokens, as that one's client knows them. */
interface Session {
  tokens: Tokens;
  /** Asked for when the server died: nobody knows whether it was done. */
  isRenewing: boolean;
}

const ask = async (path: string, body: object): Promise<{ status: number; tokens: Tokens }> => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, tokens: response.status === 200 ? JSON.parse(text) : undefined };
};
const exchange = ({ userGuid: sub, profileId }: { userGuid: string; profileId: string }) => {
  const claims = { iss: provider.issuer, aud: 'crash', sub, iat: nowSeconds(), exp: nowSeconds() + 900 };
  return ask('/token', {
    ...exchangeBody(makeToken(key, claims)),
    profileId,
    ...client,
  });
};
const renew = (refresh_token: string) => ask('/token', { ...renewalBody(refresh_token), profileId: 'any', ...client });

/** What all rounds together know. */
interface Known {
  /** Access tokens that were answered. */
  answered: string[];
  sessions: Session[];
  unknownExchanges: number;
}

/** Clients ask, each for its user, until so many answers are there; then the server dies in the middle. */
async function crash(known: Known): Promise<void> {
  const wanted = known.answered.length + answersPerRound;
  let isDead = false;
  const live = async (holder: (typeof holders)[number]): Promise<void> => {
    let session: Session | undefined;
    while (!isDead) {
      const old = known.answered.length % 5 === 0 ? undefined : session;
      if (old) old.isRenewing = true;
      const answer = await (old ? renew(old.tokens.refresh_token) : exchange(holder)).catch(() => undefined);
      if (!answer) {
        if (!old) known.unknownExchanges++;
        return;
      }
      expect(answer.status).toBe(200);
      known.answered.push(answer.tokens.access_token);
      session = Object.assign(old ?? ({} as Session), { tokens: answer.tokens, isRenewing: false });
      if (!old) known.sessions.push(session);
      if (known.answered.length < wanted || isDead) continue;
      isDead = true;
      await kill();
    }
  };
  await Promise.all(holders.map(live));
}

it('every answered token works, every token is answered or unused, and no row is half written', async () => {
  const known: Known = { answered: [], sessions: [], unknownExchanges: 0 };
  for (let round = 0; round < rounds; round++) {
    await start();
    await crash(known);
  }
  await start();
  for (const token of known.answered) expect((await ask('/validate-token', { token })).status).toBe(200);
  await expectWholeRows(known);
  for (const { tokens, isRenewing } of known.sessions) {
    const { status } = await renew(tokens.refresh_token);
    expect(isRenewing ? [200, 401] : [200]).toContain(status);
  }
  expect(known.answered.length).toBeGreaterThanOrEqual(rounds * answersPerRound);
});

interface Row {
  guid: string;
  generation: number;
  token: Buffer;
  is_whole: boolean;
}

/** Each record is at what was answered last, or one renewal further where that answer was lost. */
async function expectWholeRows({ sessions, unknownExchanges }: Known): Promise<void> {
  const rows = await direct.sql.rows<Row>(
    `select token_guid as guid, generation, token, octet_length(token) = 32 and not is_revoked and revoked_at is null
       and expires_at = created_at + interval '720 hours' and created_at >= started_at
       and exists (select 1 from users where user_guid = tokens.user_id) as is_whole
     from tokens`,
  );
  expect(rows.filter(({ is_whole }) => !is_whole)).toEqual([]);
  const open = new Map(rows.map((row) => [row.guid, row]));
  for (const { tokens, isRenewing } of sessions) {
    const [guid, generation] = (decodeJwt(tokens.refresh_token).jti ?? '').split('.');
    const row = open.get(guid!)!;
    open.delete(guid!);
    const isAsAnswered = row.token.equals(renewalTokenHash(tokens.refresh_token));
    expect(row.generation).toBe(Number(generation) + (isAsAnswered ? 0 : 1));
    if (!isRenewing) expect(isAsAnswered).toBe(true);
  }
  expect(open.size).toBeLessThanOrEqual(unknownExchanges);
}
