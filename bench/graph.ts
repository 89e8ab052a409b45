/** Row `graph`: the deep view beside its floor, PostGraphile 5 and Hive Gateway 2. */
import type { Context } from '../src/context.js';
import { importFile } from '../src/modules/transfer/importFile.js';
import { issueAccessToken } from '../src/services/tokens/claims.js';
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { fillGraph, view } from './graphData.js';
import { post } from './load.js';
import { startPeer } from './peers.js';
import type { Contender, Figures, Outcome, Row, Stage } from './row.js';
import { type Bench, type Side, type Start, startGatehouse, startSide, withSides } from './service.js';
import { stillTarget, wholeAnswer } from './stillTarget.js';

export const connections = 8;
export const applications = 500;
const variables = { first: 50, mappings: 200 };
const work = `graph view, ${connections} connections`;
const peer = 'PostGraphile 5';
const gateway = 'Hive Gateway 2';
const queryDescription =
  '50 applications of 500 → 20 mappings each → access scope → access scope type, created-by user, translations; 8 connections; the answers are the same, to the byte within a side.';

const run = (stage: Stage): Promise<Outcome> =>
  withSides(stage.cluster.openDatabase('graph'), async (bench, start) => {
    await fillGraph(bench.app.commandContext().sql, applications);
    const floor = await start(startSide('floor', ['dist/bench/graphFloor.js'], bench.environment));
    const own = await start(startGatehouse(bench.environment));
    const expected = await wholeAnswer(own.port, await ownRequest(bench));
    const contenders = [
      await asking(floor, post('/', JSON.stringify(variables)), expected),
      await asking(own, await ownRequest(bench), expected),
      await postgraphile(bench, start, expected),
      await hiveGateway(bench, start, floor, expected),
    ];
    const figures = await compare(contenders, stage);
    const details = `${queryDescription} ${floorDescription} ${gatewayDescription}\n\n${figuresTable(figures)}`;
    return { ratios: ratios(figures), figures, details };
  });

export const rows: Row[] = [{ name: 'graph', run }];

const floorDescription = 'The floor: six batched prepared statements, stitched, over bare http.';
const gatewayDescription =
  'Hive Gateway has no data of its own: it is a proxy of the floor, and its CPU is that of both. Over a supergraph of this one service it takes the same with its router runtime and three times as much with its own; equal requests don’t share an answer.';

const ratios = ([floor, own, other, proxy]: Figures[]): Outcome['ratios'] => [
  { work, against: 'the floor', value: speedRatio(own!, floor!), kind: 'least', bar: 1.3, aim: 1.6 },
  { work, against: peer, value: speedRatio(own!, other!), kind: 'least', bar: 3.5, aim: 4.5 },
  { work, against: gateway, value: speedRatio(own!, proxy!), kind: 'least', bar: 2, aim: 3 },
];

async function asking(side: Side, request: string, expected: Buffer): Promise<Contender> {
  const target = await stillTarget(side, request, connections, expected);
  return { side, target: () => target };
}

async function ownRequest({ app }: Bench): Promise<string> {
  const authorization = `authorization: Bearer ${await adminToken(app.commandContext())}\r\n`;
  return post('/graphql', JSON.stringify({ query: view, variables }), authorization);
}

/** Of a user who holds a profile with admin:read: both are made where they aren't there yet. */
export async function adminToken(context: Context): Promise<string> {
  const { userGuid, profileId, roleId } = administrator;
  await importFile(context, {
    roles: [{ roleId, name: 'Administrator' }],
    users: [{ userGuid }],
    profiles: [{ profileId, name: 'Administration', accessScopeGuids: ['ad300000-0000-4000-8000-000000000001'] }],
    userProfiles: [administrator],
  });
  const holding = { ...administrator, scopes: ['admin:read'] };
  return issueAccessToken(context, context.keys.ring(), holding, new Date());
}
const administrator = { userGuid: 'be000000-0000-4000-8000-000000000001', profileId: 'bench', roleId: 'bench' };

async function postgraphile(bench: Bench, start: Start, expected: Buffer): Promise<Contender> {
  const { sql } = bench.app.commandContext();
  // relations that have no constraint are told by comments
  await sql.rows(
    `comment on table applications is '@foreignKey (created_by) references users (user_guid)|@fieldName createdByNavigation'`,
  );
  await sql.rows(
    `comment on table translations is '@foreignKey (translation_group) references applications (translation_group)|@foreignFieldName translations'`,
  );
  const side = await start(startPeer(peer, 'postgraphile', bench.environment));
  const peerView = view
    .replace('applications(first: $first)', 'applications: allApplications(first: $first)')
    .replace(/accessScopeApplicationsMappers(?=\(first)/, '$&: $&ByApplicationId')
    .replace('accessScope {', 'accessScope: accessScopeByAccessScopeId {')
    .replace('accessScopeType {', 'accessScopeType: accessScopeTypeByAccessScopeTypeId {');
  const request = post('/graphql', JSON.stringify({ query: peerView, variables }));
  return asking(side, request, expected);
}

async function hiveGateway(bench: Bench, start: Start, floor: Side, expected: Buffer): Promise<Contender> {
  const SUBGRAPH_URL = `http://127.0.0.1:${floor.port}/`;
  const side = await start(startPeer(gateway, 'hiveGateway', { ...bench.environment, SUBGRAPH_URL }));
  const request = post('/graphql', JSON.stringify({ query: view, variables }));
  return { ...(await asking(side, request, expected)), behind: floor };
}
