/** `npm run bench -- tracing`: what traces cost renewals, beside the same service without them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { renewalTarget } from './renewal.js';
import { replaceSection } from './results.js';
import { openCluster, type Side, startSide } from './service.js';
import { openTokenBench } from './tokenData.js';

const connections = 32;
const command = ['dist/src/main.js'];

export async function run({ seconds, rounds }: { seconds: string; rounds: string }): Promise<void> {
  const cluster = await openCluster();
  const bench = await openTokenBench(cluster, 'tracing');
  const sink = await openSink();
  const sides: Side[] = [];
  try {
    const start = async (name: string, further: NodeJS.ProcessEnv) => {
      sides.push(await startSide(name, command, { ...bench.environment, ...further }));
    };
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url };
    await start('no traces', {});
    await start('each hundredth', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.01' });
    await start('each', traced);
    const contenders = sides.map((side) => ({ side, target: () => renewalTarget(bench, side, connections) }));
    const figures = await compare(contenders, { cluster, seconds: Number(seconds), rounds: Number(rounds) });
    const text = [
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s.`,
      `Renewals on ${connections} connections, as in the row \`renewal\`; the collector is a sink in the load generator's process. ${sink.spans()} spans came.`,
      figuresTable(figures),
    ].join('\n\n');
    process.stdout.write(`${text}\n`);
    replaceSection('tracing', text);
  } finally {
    for (const side of sides) await side.stop();
    sink.close();
    await bench.close();
    await cluster.close();
  }
}

/** Takes whatever traces come, and counts their spans. */
async function openSink(): Promise<{ url: string; spans(): number; close(): void }> {
  let spans = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('latin1')) body += chunk;
    spans += body.split('"spanId"').length - 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans: () => spans, close: () => server.close().closeAllConnections() };
}
