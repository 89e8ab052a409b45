/** Rows `list` and `list-unchanged`: all applications with everything nested, over REST, beside its SQL and JSON.stringify over bare http. */
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { adminToken } from './graph.js';
import { fillGraph } from './graphData.js';
import type { Contender, Figures, Outcome, Row, Stage } from './row.js';
import { type Bench, type Side, startGatehouse, startSide } from './service.js';
import { stillTarget, wholeAnswer } from './stillTarget.js';

const connections = 2;
const applications = 500;

const work = `GET /api/applications, ${applications} applications with everything nested`;
const against = 'its SQL and JSON.stringify';
const floorDescription =
  'The floor: seven batched prepared statements of plain columns, stitched, one JSON.stringify, over bare http; its answer says the same.';

export const rows: Row[] = [
  { name: 'list', run },
  { name: 'list-unchanged', run: runUnchanged },
];

async function run(stage: Stage): Promise<Outcome> {
  return beside(stage, async ({ bench, floor, request, started }) => {
    const own = await started(startGatehouse(bench.environment));
    const expected = await wholeAnswer(floor.port, request);
    const contenders: Contender[] = [];
    for (const side of [floor, own]) {
      const target = await stillTarget(side, request, connections, expected);
      contenders.push({ side, target: () => target });
    }
    // answers are few: twice the time
    const figures = await compare(contenders, { ...stage, seconds: 2 * stage.seconds });
    const value = speedRatio(figures[1]!, figures[0]!);
    const description = `${(expected.length / 1e6).toFixed(1)} MB, ${connections} connections. ${floorDescription}`;
    return {
      ratios: [{ work, against, value, kind: 'least', bar: 0.7, aim: 0.9 }],
      details: `${description}\n\n${figuresTable(figures)}`,
    };
  });
}

/** The same list again and again, remembered; the floor makes it anew each time. */
async function runUnchanged(stage: Stage): Promise<Outcome> {
  return beside(stage, async ({ bench, floor, request, started }) => {
    const own = await started(startGatehouse({ ...bench.environment, ANSWERS_REMEMBERED_MB: '64' }));
    const expected = await wholeAnswer(floor.port, request);
    const coded = request.replace('\r\n\r\n', '\r\naccept-encoding: zstd\r\n\r\n');
    const targets = [
      { side: floor, target: await stillTarget(floor, request, connections, expected) },
      { side: own, target: await stillTarget(own, request, connections, expected) },
      { side: { ...own, name: 'Gatehouse, zstd' }, target: await stillTarget(own, coded, connections) },
    ];
    const bytes = (await wholeAnswer(own.port, coded)).length;
    const contenders = targets.map(({ side, target }) => ({ side, target: () => target }));
    const figures = await compare(contenders, { ...stage, seconds: 2 * stage.seconds });
    const [floorFigures, ...ownFigures] = figures as [Figures, Figures, Figures];
    const values = ownFigures.map((own) => speedRatio(own, floorFigures));
    const ratio = (named: string, value: number) =>
      ({ work: `${named}, unchanged`, against, value, kind: 'least', bar: 10, aim: 10 }) as const;
    const description = `${(expected.length / 1e6).toFixed(1)} MB, or ${(bytes / 1e6).toFixed(1)} MB in zstd; ${connections} connections. The list is unchanged, and remembered. ${floorDescription}`;
    return {
      ratios: [ratio(work, values[0]!), ratio(`${work}, in zstd`, values[1]!)],
      details: `${description}\n\n${figuresTable(figures)}`,
    };
  });
}

export const listRequest = async ({ app }: Bench): Promise<string> =>
  `GET /api/applications HTTP/1.1\r\nhost: 127.0.0.1\r\napi-version: 1.0\r\nauthorization: Bearer ${await adminToken(app.commandContext())}\r\n\r\n`;

interface ListBench {
  bench: Bench;
  floor: Side;
  request: string;
  /** Has the side stopped at the end. */
  started(side: Promise<Side>): Promise<Side>;
}

async function beside(stage: Stage, measure: (list: ListBench) => Promise<Outcome>): Promise<Outcome> {
  const bench = await stage.cluster.openDatabase('list');
  const sides: Side[] = [];
  const started = async (starting: Promise<Side>) => {
    const side = await starting;
    sides.push(side);
    return side;
  };
  try {
    const context = bench.app.commandContext();
    await fillGraph(context.sql, applications, stage.data);
    const floor = await started(startSide('floor', ['dist/bench/listFloor.js'], bench.environment));
    return await measure({ bench, floor, request: await listRequest(bench), started });
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}
