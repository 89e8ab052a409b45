/**
 * Beside the limit, rows `validate-new` and `validate-seen`: access tokens that each come once, or again and again; and
 * `validate-hardened` and `introspect-hardened`: TOKEN_POLICY=hardened, which reads whether the session lives.
 * Row `verify`: what a reverse proxy asks, beside `/validate-token` of the same process.
 */
import { randomUUID } from 'node:crypto';
import { issueAccessToken } from '../src/services/tokens/claims.js';
import { besideLimit, throughput } from './besideLimit.js';
import { compare, cpuRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { inTurn, post, postForm, type Target } from './load.js';
import type { Row } from './row.js';
import { type Side, startGatehouse, withSides } from './service.js';
import {
  basic,
  clientId,
  credentials,
  makeAccessTokens,
  makeLimitTokens,
  openTokenBench,
  profileId,
  roleId,
  scopes,
  type TokenBench,
} from './tokenData.js';

const connections = 32;
/** As many tokens as an API sees in use at a time. */
const tokensInUse = 500;
const remembers = 'LIMIT It remembers what it verified.';
const again = `${tokensInUse} sessions' tokens come again and again`;

const validating = (side: Side, tokens: readonly string[], further = ''): Target => {
  const request = (index: number) => post('/validate-token', `{"token":"${tokens[index % tokens.length]}"${further}}`);
  return inTurn(side, connections, request, /^\{"is_valid":true,"claims":\{"iss":/);
};

/** Signed by the side's own key. */
const makeTokens = (bench: TokenBench, { name }: Side, count: number): string[] =>
  name === 'limit' ? makeLimitTokens(count) : makeAccessTokens(bench, count);

const validateNew = besideLimit({
  name: 'validate-new',
  work: `/validate-token, ${connections} connections, every token new`,
  description: `Each token comes once. ${remembers}`,
  target: (bench, side, answersMax) => validating(side, makeTokens(bench, side, answersMax)),
  ratios: throughput(0.8, 0.95),
});

const seen = new WeakMap<Side, string[]>();
const validateSeen = besideLimit({
  name: 'validate-seen',
  work: `/validate-token, ${connections} connections, tokens seen before`,
  description: `${tokensInUse} tokens come again and again. ${remembers}`,
  target: (bench, side) => {
    if (!seen.has(side)) seen.set(side, makeTokens(bench, side, tokensInUse));
    return validating(side, seen.get(side)!);
  },
  ratios: throughput(0.7, 0.9),
});

const hardened = (name: string, description: string, target: (side: Side, tokens: string[]) => Target): Row =>
  besideLimit({
    name,
    work: `${name}, ${connections} connections`,
    description: `${description} ${remembers}`,
    settings: { TOKEN_POLICY: 'hardened', LIMIT_HARDENED: 'yes' },
    target: async (bench, side) => target(side, await makeSessions(bench, side)),
    ratios: throughput(0.7, 0.9),
  });

const verify: Row = {
  name: 'verify',
  run: (stage) =>
    withSides(openTokenBench(stage.cluster, 'verify'), async (bench, start) => {
      const own = await start(startGatehouse(bench.environment));
      const tokens = makeAccessTokens(bench, tokensInUse);
      const [validates, verifies] = ['/validate-token', '/verify'].map((name): Side => ({ ...own, name }));
      const request = (index: number) =>
        `GET /verify?scope=${scopes[0]} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tokens[index % tokens.length]}\r\n\r\n`;
      const figures = await compare(
        [
          { side: validates!, target: () => validating(own, tokens) },
          { side: verifies!, target: () => inTurn(own, connections, request, /^$/, 204) },
        ],
        stage,
      );
      const work = `/verify with a scope, ${connections} connections, tokens seen before: CPU`;
      const value = cpuRatio(figures[1]!, figures[0]!);
      return {
        ratios: [{ work, against: '/validate-token', value, kind: 'most', bar: 1.2, aim: 1 }],
        figures,
        details: `The same process answers both.\n\n${figuresTable(figures)}`,
      };
    }),
};

export const rows: Row[] = [
  validateNew,
  validateSeen,
  verify,
  hardened('validate-hardened', `${again}; whether the session lives is read each time.`, (side, tokens) =>
    validating(side, tokens, `,${credentials}`),
  ),
  hardened('introspect-hardened', `The same by a form, with HTTP Basic: ${again}.`, (side, tokens) => {
    const request = (index: number) => postForm('/introspect', `token=${tokens[index % tokens.length]}`, basic);
    return inTurn(side, connections, request, /^\{"active":true,/);
  }),
];

/** Access tokens of live sessions, signed by the side's own key. */
async function makeSessions({ context, users }: TokenBench, { name }: Side): Promise<string[]> {
  const sids = Array.from({ length: tokensInUse }, () => randomUUID());
  await context.sql.rows(
    `insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
     select sid, $2::uuid, $3, sha256(sid::text::bytea), now(), now() + interval '30 days' from unnest($1::uuid[]) sid`,
    [sids, users[0], profileId],
  );
  if (name === 'limit') return makeLimitTokens(tokensInUse, (index) => ({ sid: sids[index] }));
  const holding = { userGuid: users[0]!, profileId, roleId, scopes };
  return sids.map((sid) =>
    issueAccessToken(context, context.keys.ring(), holding, new Date(), {
      client_id: clientId,
      jti: randomUUID(),
      sid,
    }),
  );
}
