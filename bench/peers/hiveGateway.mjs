/** Hive Gateway 2 before the graph's floor, in the leanest way it has: as a proxy of one GraphQL service. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';

const gateway = createGatewayRuntime({
  // equal requests of one moment would share an answer, which no other side does
  proxy: { endpoint: process.env.SUBGRAPH_URL, deduplicateInflightRequests: false },
  schema: readFileSync('schema.graphql', 'utf8'),
  logging: 'warn',
});
const server = createServer(gateway);
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${server.address().port}\n`));
// it has a way of its own to end, which leaves the server open
process.prependListener('SIGTERM', () => process.exit());
