/** Row `list`: all applications with everything nested, over REST. */
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { adminToken } from './graph.js';
import { fillGraph } from './graphData.js';
import type { Outcome, Row, Stage } from './row.js';
import { type Bench, startGatehouse, withSides } from './service.js';
import { stillTarget } from './stillTarget.js';

const connections = 2;
const applications = 500;

const run = (stage: Stage): Promise<Outcome> =>
  withSides(stage.cluster.openDatabase('list'), async (bench, start) => {
    await fillGraph(bench.app.commandContext().sql, applications);
    const side = await start(startGatehouse(bench.environment));
    const target = await stillTarget(side, await listRequest(bench), connections);
    // answers are few: twice the time
    const figures = await compare([{ side, target: () => target }], { ...stage, seconds: 2 * stage.seconds });
    const description = `${applications} applications with everything nested, 13.8 MB, ${connections} connections.`;
    return { ratios: [], figures, details: `${description}\n\n${figuresTable(figures)}` };
  });

export const rows: Row[] = [{ name: 'list', run }];

const listRequest = async ({ app }: Bench): Promise<string> =>
  `GET /api/applications HTTP/1.1\r\nhost: 127.0.0.1\r\napi-version: 1.0\r\nauthorization: Bearer ${await adminToken(app.commandContext())}\r\n\r\n`;
