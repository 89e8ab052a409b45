/**
 * Rows `validate-new` and `validate-seen`: access tokens that each come once, or again and again, beside the limit.
 * Row `verify`: what a reverse proxy asks, beside `/validate-token` of the same process.
 */
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { limitDescription, tailRatios, throughputRatio } from './limitRatios.js';
import { post, type Target } from './load.js';
import type { Outcome, Row, Stage } from './row.js';
import { type Side, startGatehouse, startSide } from './service.js';
import { makeAccessTokens, makeLimitTokens, openTokenBench, scopes } from './tokenData.js';

const connections = 32;
/** As many tokens as an API sees in use at a time. */
const tokensInUse = 500;

export const rows: Row[] = [
  { name: 'validate-new', run: (stage) => run(stage, 'new') },
  { name: 'validate-seen', run: (stage) => run(stage, 'seen') },
  { name: 'verify', run: runVerify },
];

async function run(stage: Stage, tokens: 'new' | 'seen'): Promise<Outcome> {
  const bench = await openTokenBench(stage.cluster, `validate-${tokens}`);
  const sides: Side[] = [];
  try {
    const limit = await startSide('limit', ['dist/bench/limit/server.js'], bench.environment);
    sides.push(limit);
    const own = await startGatehouse(bench.environment);
    sides.push(own);
    const seen = { limit: makeLimitTokens(tokensInUse), own: makeAccessTokens(bench, tokensInUse) };
    const isNew = tokens === 'new';
    const figures = await compare(
      [
        { side: limit, target: (count) => target(limit, isNew ? makeLimitTokens(count) : seen.limit) },
        { side: own, target: (count) => target(own, isNew ? makeAccessTokens(bench, count) : seen.own) },
      ],
      stage,
    );
    const work = `/validate-token, ${connections} connections, ${isNew ? 'every token new' : 'tokens seen before'}`;
    const [ofLimit, ofOwn] = figures;
    const description = isNew ? 'Each token comes once.' : `${tokensInUse} tokens come again and again.`;
    return {
      ratios: [
        isNew ? throughputRatio(work, ofOwn!, ofLimit!, 0.8, 0.95) : throughputRatio(work, ofOwn!, ofLimit!, 0.7, 0.9),
        ...tailRatios(work, ofOwn!, ofLimit!),
      ],
      figures,
      details: `${description} ${limitDescription} It remembers what it verified.\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

async function runVerify(stage: Stage): Promise<Outcome> {
  const bench = await openTokenBench(stage.cluster, 'verify');
  let own: Side | undefined;
  try {
    own = await startGatehouse(bench.environment);
    const { port } = own;
    const tokens = makeAccessTokens(bench, tokensInUse);
    const validating: Side = { ...own, name: '/validate-token' };
    const verifying: Side = { ...own, name: '/verify' };
    let used = 0;
    const verify: Target = {
      port,
      connections,
      request: () =>
        `GET /verify?scope=${scopes[0]} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tokens[used++ % tokens.length]}\r\n\r\n`,
      answered: (_connection, { status }) => {
        if (status !== 204) throw new Error(`/verify answered ${status}`);
      },
    };
    const figures = await compare(
      [
        { side: validating, target: () => target(validating, tokens) },
        { side: verifying, target: () => verify },
      ],
      stage,
    );
    const [ofValidation, ofVerify] = figures;
    const ratio = {
      work: `/verify with a scope, ${connections} connections, tokens seen before: CPU`,
      against: '/validate-token',
      value: ofVerify!.cpu.service / ofValidation!.cpu.service,
      kind: 'most' as const,
      bar: 1.2,
      aim: 1,
    };
    return { ratios: [ratio], figures, details: `The same process answers both.\n\n${figuresTable(figures)}` };
  } finally {
    await own?.stop();
    await bench.close();
  }
}

function target({ name, port }: Side, tokens: readonly string[]): Target {
  let used = 0;
  return {
    port,
    connections,
    request: () => post('/validate-token', `{"token":"${tokens[used++ % tokens.length]}"}`),
    answered: (_connection, { status, body }) => {
      const text = body!.toString('latin1');
      if (status !== 200 || !text.startsWith('{"is_valid":true,"claims":{"iss":'))
        throw new Error(`${name} answered ${status} ${text}`);
    },
  };
}
