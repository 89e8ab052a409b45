/** Rows `renewal-ends` and `exchange-ends`: grants that end beside the same grants without an end. */
import { compare, cpuRatio, speedRatio } from './compare.js';
import { exchangeTarget } from './exchange.js';
import { figuresTable } from './figuresTable.js';
import { renewalTarget } from './renewal.js';
import type { Contender, Outcome, Row, Stage } from './row.js';
import { type Side, startSide } from './service.js';
import { openTokenBench, type TokenBench } from './tokenData.js';

const connections = 32;

export const rows: Row[] = [
  {
    name: 'renewal-ends',
    run: (stage) => run(stage, 'renewal', (bench, side) => renewalTarget(bench, side, connections)),
  },
  { name: 'exchange-ends', run: (stage) => run(stage, 'exchange', exchangeTarget) },
];

type TargetOf = (bench: TokenBench, side: Side, answersMax: number) => ReturnType<Contender['target']>;

async function run(stage: Stage, work: string, targetOf: TargetOf): Promise<Outcome> {
  const benches: TokenBench[] = [];
  const contenders: Contender[] = [];
  try {
    for (const name of ['without ends', 'with ends']) {
      const bench = await openTokenBench(stage.cluster, `${work}-${name.replace(' ', '-')}`);
      benches.push(bench);
      if (name === 'with ends') await giveEnds(bench);
      const side = await startSide(name, ['dist/src/main.js'], bench.environment);
      contenders.push({ side, target: (answersMax) => targetOf(bench, side, answersMax) });
    }
    const figures = await compare(contenders, stage);
    const [without, withEnds] = figures;
    const of = { work: `${work} with ends`, against: 'without ends' };
    const description =
      'Two services, each with a database of its own. In one, the assignment of each user and each of the five access scopes ends in a year; nothing ends in the other.';
    return {
      ratios: [
        { ...of, value: speedRatio(withEnds!, without!), kind: 'least', bar: 0.97, aim: 1 },
        { ...of, work: `${of.work}, CPU`, value: cpuRatio(withEnds!, without!), kind: 'most', bar: 1.05, aim: 1 },
      ],
      figures,
      details: `${description}\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const { side } of contenders) await side.stop();
    for (const bench of benches) await bench.close();
  }
}

async function giveEnds({ context: { sql } }: TokenBench): Promise<void> {
  for (const table of ['user_profiles', 'profile_access_scopes'])
    await sql.rows(`update ${table} set valid_until = now() + interval '1 year'`);
  await sql.rows('vacuum full analyze');
}
