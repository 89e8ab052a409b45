/** Row `change`: one administrative change after the other over GraphQL, for what it costs and what it writes. */
import { issueAdminToken } from '../src/services/tokens/operatorTokens.js';
import { compare } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { fillGraph } from './graphData.js';
import { inTurn, post } from './load.js';
import type { Outcome, Row, Stage } from './row.js';
import { startGatehouse, withSides } from './service.js';

const connections = 8;
const applications = 500;
const mutation =
  'mutation Change($guid: UUID!, $text: String!) { updateApplication(applicationGuid: $guid, input: {description: $text}) { revision } }';

const run = (stage: Stage): Promise<Outcome> =>
  withSides(stage.cluster.openDatabase('change'), async (bench, start) => {
    const context = bench.app.commandContext();
    await fillGraph(context.sql, applications);
    const token = await issueAdminToken(context, {
      scopes: ['admin:read', 'admin:write'],
      minutes: 60,
      userGuid: context.config.systemUserGuid,
    });
    const found = await context.sql.rows<{ guid: string }>('select application_guid as guid from applications');
    const own = await start(startGatehouse(bench.environment));
    let turn = 0;
    const request = () => {
      turn += 1;
      const variables = { guid: found[turn % found.length]!.guid, text: `Changed ${turn}` };
      return post('/graphql', JSON.stringify({ query: mutation, variables }), `authorization: Bearer ${token}\r\n`);
    };
    const target = () => inTurn(own, connections, request, /"revision":/);
    const figures = await compare([{ side: own, target }], stage);
    const description = `\`updateApplication\` of one of ${applications} applications after the other, ${connections} connections: permission, the change with its history and its audit event, and the catalogue's version, which all changes write in turn.`;
    return { ratios: [], figures, details: `${description}\n\n${figuresTable(figures)}` };
  });

export const rows: Row[] = [{ name: 'change', run }];
