/** PostGraphile 5 on the benchmark's database. */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makeV4Preset } from 'postgraphile/presets/v4';

const preset = {
  extends: [
    PostGraphileAmberPreset,
    makeV4Preset({ simpleCollections: 'omit', disableDefaultMutations: true, dynamicJson: true }),
  ],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolSize: 20 })],
  grafserv: { watch: false, graphiql: false },
  grafast: { explain: false },
};
const server = createServer();
const instance = postgraphile(preset);
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => process.stdout.write(`listens on ${server.address().port}\n`));
