/** Row `exchange`: ID tokens that were made in advance, each used once, beside the limit. */
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { limitDescription, tailRatios, throughputRatio } from './limitRatios.js';
import { post, type Target } from './load.js';
import type { Outcome, Row, Stage } from './row.js';
import { type Side, startGatehouse, startSide } from './service.js';
import { clientId, clientSecret, makeIdTokens, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const connections = 32;

export const rows: Row[] = [{ name: 'exchange', run }];

async function run(stage: Stage): Promise<Outcome> {
  const bench = await openTokenBench(stage.cluster, 'exchange');
  const sides: Side[] = [];
  try {
    sides.push(await startSide('limit', ['dist/bench/limit/server.js'], bench.environment));
    sides.push(await startGatehouse(bench.environment));
    const contenders = sides.map((side) => ({
      side,
      target: (answersMax: number) => exchangeTarget(bench, side, answersMax),
    }));
    const figures = await compare(contenders, stage);
    const [limit, own] = figures;
    const work = `exchange, ${connections} connections`;
    const description = `ES256 ID tokens of a provider on this machine, made in advance, each used once; client check on (secret remembered). ${limitDescription}`;
    return {
      ratios: [throughputRatio(work, own!, limit!, 0.75, 0.9), ...tailRatios(work, own!, limit!)],
      figures,
      details: `${description}\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

function exchangeTarget(bench: TokenBench, { port }: Side, answersMax: number): Target {
  const tokens = makeIdTokens(bench, answersMax);
  let used = 0;
  return {
    port,
    connections,
    request: () =>
      post(
        '/token',
        `{"grant_type":"urn:service:authz:exchange","id_token":"${tokens[used++ % tokens.length]}","profileId":"${profileId}","client_id":"${clientId}","client_secret":"${clientSecret}"}`,
      ),
    answered: (_connection, { status, body }) => {
      const text = body!.toString('latin1');
      if (status !== 200 || !/"access_token":"[\w-]+\.[\w-]+\.[\w-]+".*"refresh_token":"[\w.-]+"/.test(text))
        throw new Error(`an exchange was answered ${status} ${text}`);
    },
  };
}
