/** Row `graph`: the deep view beside its floor, PostGraphile 5 and Hive Gateway 2. */
import type { Context } from '../src/context.js';
import { importFile } from '../src/modules/transfer/importFile.js';
import { issueAccessToken } from '../src/services/tokens/claims.js';
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { fillGraph, view } from './graphData.js';
import { post, type Target } from './load.js';
import { addPeers, startPeer } from './peers.js';
import type { Contender, Figures, Outcome, Row, Stage } from './row.js';
import { type Bench, type Side, startGatehouse, startSide } from './service.js';
import { stillTarget, wholeAnswer } from './stillTarget.js';

export const connections = 8;
export const applications = 500;
const variables = { first: 50, mappings: 200 };
const work = `graph view, ${connections} connections`;
const peer = 'PostGraphile 5';
const gateway = 'Hive Gateway 2';
const queryDescription =
  '50 applications of 500 → 20 mappings each → access scope → access scope type, created-by user, translations; 8 connections; the answers are the same, to the byte within a side.';

export const rows: Row[] = [{ name: 'graph', run }];

async function run(stage: Stage): Promise<Outcome> {
  const bench = await stage.cluster.openDatabase('graph');
  const sides: Side[] = [];
  try {
    await fillGraph(bench.app.commandContext().sql, applications);
    const floor = await startSide('floor', ['dist/bench/graphFloor.js'], bench.environment);
    sides.push(floor);
    const own = await startGatehouse(bench.environment);
    sides.push(own);
    const expected = await wholeAnswer(own.port, await ownRequest(bench));
    const contenders = [
      { side: floor, target: await stillTarget(floor, post('/', JSON.stringify(variables)), connections, expected) },
      { side: own, target: await stillTarget(own, await ownRequest(bench), connections, expected) },
      await postgraphile(bench, sides, expected),
      await hiveGateway(bench, sides, floor, expected),
    ];
    const figures = await compare(contenders.map(still), stage);
    return {
      ratios: ratios(figures),
      figures,
      details: `${queryDescription} ${floorDescription} ${gatewayDescription}\n\n${figuresTable(figures)}`,
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

const floorDescription = 'The floor: six batched prepared statements, stitched, over bare http.';
const gatewayDescription =
  'Hive Gateway has no data of its own: it is a proxy of the floor, and its CPU is that of both. Over a supergraph of this one service it takes the same with its router runtime and three times as much with its own; equal requests don’t share an answer.';

const ratios = ([floor, own, other, proxy]: Figures[]): Outcome['ratios'] => [
  { work, against: 'the floor', value: speedRatio(own!, floor!), kind: 'least', bar: 1.3, aim: 1.6 },
  { work, against: peer, value: speedRatio(own!, other!), kind: 'least', bar: 3.5, aim: 4.5 },
  { work, against: gateway, value: speedRatio(own!, proxy!), kind: 'least', bar: 2, aim: 3 },
];

interface Still extends Omit<Contender, 'target'> {
  target: Target;
}
const still = ({ target, ...rest }: Still): Contender => ({ ...rest, target: () => target });

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

async function postgraphile(bench: Bench, sides: Side[], expected: Buffer): Promise<Still> {
  addPeers();
  const { sql } = bench.app.commandContext();
  // relations that have no constraint are told by comments
  await sql.rows(
    `comment on table applications is '@foreignKey (created_by) references users (user_guid)|@fieldName createdByNavigation'`,
  );
  await sql.rows(
    `comment on table translations is '@foreignKey (translation_group) references applications (translation_group)|@foreignFieldName translations'`,
  );
  const side = await startPeer(peer, 'postgraphile', bench.environment);
  sides.push(side);
  const peerView = view
    .replace('applications(first: $first)', 'applications: allApplications(first: $first)')
    .replace(/accessScopeApplicationsMappers(?=\(first)/, '$&: $&ByApplicationId')
    .replace('accessScope {', 'accessScope: accessScopeByAccessScopeId {')
    .replace('accessScopeType {', 'accessScopeType: accessScopeTypeByAccessScopeTypeId {');
  const request = post('/graphql', JSON.stringify({ query: peerView, variables }));
  return { side, target: await stillTarget(side, request, connections, expected) };
}

async function hiveGateway(bench: Bench, sides: Side[], floor: Side, expected: Buffer): Promise<Still> {
  addPeers();
  const SUBGRAPH_URL = `http://127.0.0.1:${floor.port}/`;
  const side = await startPeer(gateway, 'hiveGateway', { ...bench.environment, SUBGRAPH_URL });
  sides.push(side);
  const request = post('/graphql', JSON.stringify({ query: view, variables }));
  return { side, behind: floor, target: await stillTarget(side, request, connections, expected) };
}
