/** Rows of TOKEN_POLICY=hardened beside the limit: `/validate-token` and `/introspect`, which read whether the session lives. */
import { randomUUID } from 'node:crypto';
import { issueAccessToken } from '../src/services/tokens/claims.js';
import type { Answer } from './answers.js';
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { limitDescription, tailRatios, throughputRatio } from './limitRatios.js';
import { post, type Target } from './load.js';
import type { Outcome, Row, Stage } from './row.js';
import { type Side, startGatehouse, startSide } from './service.js';
import {
  clientId,
  clientSecret,
  makeLimitTokens,
  openTokenBench,
  profileId,
  roleId,
  scopes,
  type TokenBench,
} from './tokenData.js';

const connections = 32;
const sessionsInUse = 500;
const credentials = `"client_id":"${clientId}","client_secret":"${clientSecret}"`;

/** What a row asks, of the limit as of Gatehouse. */
interface Work {
  name: string;
  description: string;
  target(bench: TokenBench, side: Side): Promise<Target>;
}

const works: Work[] = [
  {
    name: 'validate-hardened',
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
    description: `The same by a form, with HTTP Basic: ${sessionsInUse} sessions' tokens come again and again.`,
    target: async (bench, side) => {
      const tokens = await makeSessions(bench, side);
      const basic = `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}\r\n`;
      return asking(side, (used) => postForm('/introspect', `token=${tokens[used % tokens.length]}`, basic));
    },
  },
];

export const rows: Row[] = works.map((work) => ({ name: work.name, run: (stage) => run(stage, work) }));

async function run(stage: Stage, { name, description, target }: Work): Promise<Outcome> {
  const bench = await openTokenBench(stage.cluster, name);
  const environment = { ...bench.environment, TOKEN_POLICY: 'hardened', LIMIT_HARDENED: 'yes' };
  const sides: Side[] = [];
  try {
    sides.push(await startSide('limit', ['dist/bench/limit/server.js'], environment));
    sides.push(await startGatehouse(environment));
    const contenders = sides.map((side) => ({ side, target: () => target(bench, side) }));
    const figures = await compare(contenders, stage);
    const [limit, own] = [figures[0]!, figures[1]!];
    const work = `${name}, ${connections} connections`;
    return {
      ratios: [throughputRatio(work, own, limit, 0.7, 0.9), ...tailRatios(work, own, limit)],
      figures,
      details: `${description} ${limitDescription} It remembers what it verified.\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
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

/** The answer, which must have the claims of a live session. */
function textOf(name: string, { status, body }: Answer): string {
  const text = body!.toString('latin1');
  if (status !== 200 || !/^\{"(is_valid|active)":true,/.test(text))
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
  if (name !== 'Gatehouse') return makeLimitTokens(sessionsInUse, (index) => ({ sid: sids[index] }));
  const holding = { userGuid: users[0]!, profileId, roleId, scopes };
  return sids.map((sid) =>
    issueAccessToken(context, context.keys.ring(), holding, new Date(), {
      client_id: clientId,
      jti: randomUUID(),
      sid,
    }),
  );
}
