/** `npm run bench -- rehearsal`: what the rehearsal of the hardened policy costs renewals, beside the same service without it. */
import { cpus } from 'node:os';
import { compare, cpuRatio, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { renewalTarget } from './renewal.js';
import { replaceSection } from './results.js';
import { openCluster, type Side, startSide } from './service.js';
import { openTokenBench } from './tokenData.js';

const connections = 32;
const command = ['dist/src/main.js'];
/** Least speed, as a share of that without it. */
const bar = 0.95;

export async function run({ seconds, rounds }: { seconds: string; rounds: string }): Promise<void> {
  const cluster = await openCluster();
  const bench = await openTokenBench(cluster, 'rehearsal');
  const sides: Side[] = [];
  try {
    for (const policy of ['documented', 'rehearsal'])
      sides.push(await startSide(policy, command, { ...bench.environment, TOKEN_POLICY: policy }));
    const contenders = sides.map((side) => ({ side, target: () => renewalTarget(bench, side, connections) }));
    const figures = await compare(contenders, { cluster, seconds: Number(seconds), rounds: Number(rounds) });
    const [documented, rehearsal] = [figures[0]!, figures[1]!];
    const ratios = rehearsal.rounds.map((speed, round) => speed / documented.rounds[round]!);
    const text = [
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s.`,
      `Renewals on ${connections} connections, as in the row \`renewal\`. Speed of rehearsal by documented: ${speedRatio(rehearsal, documented).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; at least ${bar}); CPU of the service: ${cpuRatio(rehearsal, documented).toFixed(2)}.`,
      figuresTable(figures),
    ].join('\n\n');
    process.stdout.write(`${text}\n`);
    replaceSection('rehearsal', text);
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
    await cluster.close();
  }
}
