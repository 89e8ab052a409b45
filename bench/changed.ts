/** Rows `list-changed` and `graph-changed`: what looking for an answer and remembering it cost where that is of no use, since the catalogue changes before each request. */
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { applications, connections, openGraph, ownRequest } from './graph.js';
import { listRequest } from './list.js';
import type { Contender, Figures, Outcome, Row, Stage } from './row.js';
import { type Bench, type Side, startGatehouse } from './service.js';
import { stillTarget } from './stillTarget.js';

interface Read {
  work: string;
  connections: number;
  /** Of a stage's round, since answers differ in how long they take. */
  timesSeconds: number;
  request(bench: Bench): Promise<string>;
}

const list: Read = {
  work: `GET /api/applications, ${applications} applications with everything nested`,
  connections: 2,
  timesSeconds: 2,
  request: listRequest,
};
const graph: Read = {
  work: `graph view, ${connections} connections`,
  connections,
  timesSeconds: 1,
  request: ownRequest,
};

export const rows: Row[] = [
  { name: 'list-changed', run: (stage) => run(stage, list) },
  { name: 'graph-changed', run: (stage) => run(stage, graph) },
];

async function run(stage: Stage, read: Read): Promise<Outcome> {
  const bench = await openGraph(stage, 'changed', applications);
  const sides: Side[] = [];
  try {
    const { sql } = bench.app.commandContext();
    const before = () => sql.rows('update catalogue_version set version = version + 1');
    const contenders: Contender[] = [];
    for (const [name, megabytes] of [
      ['nothing is remembered', '0'],
      ['Gatehouse', '64'],
    ] as const) {
      const side = { ...(await startGatehouse({ ...bench.environment, ANSWERS_REMEMBERED_MB: megabytes })), name };
      sides.push(side);
      const target = await stillTarget(side, await read.request(bench), read.connections);
      contenders.push({ side, target: () => ({ ...target, before }) });
    }
    const seconds = read.timesSeconds * stage.seconds;
    const [without, own] = (await compare(contenders, { ...stage, seconds })) as [Figures, Figures];
    const work = `${read.work}, changed before each request`;
    const against = 'itself, nothing remembered (ANSWERS_REMEMBERED_MB=0)';
    return {
      ratios: [
        { work, against, value: speedRatio(own, without), kind: 'least', bar: 0.9, aim: 1 },
        { work: `${work}, CPU`, against, value: cpuRatio(own, without), kind: 'most', bar: 1.1, aim: 1 },
      ],
      details: `${read.connections} connections. Before each request the catalogue's version is raised, so that what is remembered is of no use.\n\n${figuresTable([without, own])}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

/** Of the service and of PostgreSQL together. */
const cpuRatio = (own: Figures, other: Figures): number =>
  (own.cpu.service + own.cpu.postgres) / (other.cpu.service + other.cpu.postgres);
