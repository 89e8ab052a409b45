/** Row `list`: all applications with everything nested, over REST. */
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { adminToken } from './graph.js';
import { fillGraph } from './graphData.js';
import type { Outcome, Row, Stage } from './row.js';
import { type Bench, type Side, startGatehouse } from './service.js';
import { stillTarget } from './stillTarget.js';

const connections = 2;
const applications = 500;

export const rows: Row[] = [{ name: 'list', run }];

async function run(stage: Stage): Promise<Outcome> {
  const bench = await stage.cluster.openDatabase('list');
  const sides: Side[] = [];
  try {
    await fillGraph(bench.app.commandContext().sql, applications);
    const side = await startGatehouse(bench.environment);
    sides.push(side);
    const target = await stillTarget(side, await listRequest(bench), connections);
    // answers are few: twice the time
    const figures = await compare([{ side, target: () => target }], { ...stage, seconds: 2 * stage.seconds });
    return {
      ratios: [],
      figures,
      details: `${applications} applications with everything nested, 13.8 MB, ${connections} connections.\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

const listRequest = async ({ app }: Bench): Promise<string> =>
  `GET /api/applications HTTP/1.1\r\nhost: 127.0.0.1\r\napi-version: 1.0\r\nauthorization: Bearer ${await adminToken(app.commandContext())}\r\n\r\n`;
