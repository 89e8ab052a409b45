/** Row `exchange`: ID tokens that were made in advance, each used once, beside the floor and the limit. */
import { compare, speedRatio } from './compare.js';
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
    sides.push(await startSide('floor', ['dist/bench/tokenFloor.js'], bench.environment));
    sides.push(await startSide('limit', ['dist/bench/limit/server.js'], bench.environment));
    sides.push(await startGatehouse(bench.environment));
    const contenders = sides.map((side) => ({
      side,
      target: (answersMax: number) => exchangeTarget(bench, side, answersMax),
    }));
    const figures = await compare(contenders, stage);
    const [floor, limit, own] = figures;
    const work = `exchange, ${connections} connections`;
    const description = `ES256 ID tokens of a provider on this machine, made in advance, each used once; client check on (secret remembered). The floor: bare node:http, one verification, one look-up of user and link, one insert, two signatures; role and scopes are constants there, and no client is checked. ${limitDescription}`;
    return {
      ratios: [
        { work, against: 'the floor', value: speedRatio(own!, floor!), kind: 'least', bar: 0.65, aim: 0.8 },
        throughputRatio(work, own!, limit!, 0.75, 0.9),
        ...tailRatios(work, own!, limit!),
      ],
      figures,
      details: `${description}\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

export function exchangeTarget(bench: TokenBench, { port }: Side, answersMax: number): Target {
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
