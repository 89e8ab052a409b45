/** Row `list`: all applications with everything nested, over REST, beside its SQL and JSON.stringify over bare http. */
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { adminToken } from './graph.js';
import { fillGraph } from './graphData.js';
import type { Outcome, Row, Stage } from './row.js';
import { type Side, startGatehouse, startSide } from './service.js';
import { stillTarget, wholeAnswer } from './stillTarget.js';

const connections = 2;
const applications = 500;

export const rows: Row[] = [{ name: 'list', run }];

async function run(stage: Stage): Promise<Outcome> {
  const bench = await stage.cluster.openDatabase('list');
  const sides: Side[] = [];
  try {
    const context = bench.app.commandContext();
    await fillGraph(context.sql, applications, stage.data);
    const floor = await startSide('floor', ['dist/bench/listFloor.js'], bench.environment);
    sides.push(floor);
    const own = await startGatehouse(bench.environment);
    sides.push(own);
    const request = `GET /api/applications HTTP/1.1\r\nhost: 127.0.0.1\r\napi-version: 1.0\r\nauthorization: Bearer ${await adminToken(context)}\r\n\r\n`;
    const expected = await wholeAnswer(floor.port, request);
    const contenders = [];
    for (const side of [floor, own]) {
      const target = await stillTarget(side, request, connections, expected);
      contenders.push({ side, target: () => target });
    }
    // answers are few: twice the time
    const figures = await compare(contenders, { ...stage, seconds: 2 * stage.seconds });
    const work = `GET /api/applications, ${applications} applications with everything nested`;
    const value = speedRatio(figures[1]!, figures[0]!);
    const told = `${(expected.length / 1e6).toFixed(1)} MB, ${connections} connections. The floor: seven batched prepared statements of plain columns, stitched, one JSON.stringify, over bare http; its answer says the same.`;
    return {
      ratios: [{ work, against: 'its SQL and JSON.stringify', value, kind: 'least', bar: 0.7, aim: 0.9 }],
      details: `${told}\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}
