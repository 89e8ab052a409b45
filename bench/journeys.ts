/**
 * Journeys: the files of the service that a request crosses, by V8's coverage of functions. Functions that also run while
 * nobody asks are not counted. `npm run bench -- journeys` writes a line for each; with `FILES=yes` the files too.
 */
import { Session } from 'node:inspector/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig } from '../src/config/config.js';
import { issueAdminToken } from '../src/services/tokens/caller.js';
import { startApp } from '../src/startApp.js';
import { fillGraph, view } from './graphData.js';
import { openCluster } from './service.js';
import { clientId, clientSecret, makeAccessTokens, makeRenewalTokens, openTokenBench, profileId } from './tokenData.js';

const warmUps = 20;
const idleMs = 3_000;
const mutation =
  'mutation Change($guid: UUID!, $text: String!) { updateApplication(applicationGuid: $guid, input: {description: $text}) { revision } }';

type Call = (turn: number) => Promise<Response>;

export async function run(): Promise<void> {
  const cluster = await openCluster();
  const bench = await openTokenBench(cluster, 'journeys');
  const { context } = bench;
  await fillGraph(context.sql, 20, 'plain');
  const running = await startApp({ config: loadConfig(bench.environment), notice: () => undefined });
  const token = await issueAdminToken(context, {
    scopes: ['admin:read', 'admin:write'],
    minutes: 60,
    userGuid: context.config.systemUserGuid,
  });
  const [application] = await context.sql.rows<{ guid: string }>(
    'select application_guid as guid from applications limit 1',
  );
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const administrator = { authorization: `Bearer ${token}` };
  const renewalTokens = await makeRenewalTokens(bench, warmUps + 2);
  const accessTokens = makeAccessTokens(bench, warmUps + 2);
  const client = { client_id: clientId, client_secret: clientSecret };
  const journeys: Record<string, Call> = {
    renewal: (turn) =>
      post('/token', { grant_type: 'refresh_token', refresh_token: renewalTokens[turn], profileId, ...client }),
    list: () => fetch(`${running.url}/api/applications`, { headers: { 'api-version': '1.0', ...administrator } }),
    'compiled graph read': () =>
      post('/graphql', { query: view, variables: { first: 50, mappings: 200 } }, administrator),
    mutation: (turn) =>
      post('/graphql', { query: mutation, variables: { guid: application!.guid, text: `${turn}` } }, administrator),
    validation: (turn) => post('/validate-token', { token: accessTokens[turn] }),
  };
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    for (const call of Object.values(journeys)) for (let turn = 1; turn <= warmUps; turn++) await answered(call(turn));
    await takeFunctions(session);
    await wait(idleMs);
    const idle = await takeFunctions(session);
    for (const [name, call] of Object.entries(journeys)) {
      // connections that were closed while nobody asked are opened again: no part of the journey
      await answered(call(0));
      await takeFunctions(session);
      await answered(call(warmUps + 1));
      const functions = (await takeFunctions(session)).difference(idle);
      const files = [...new Set([...functions].map((each) => each.split(' ')[0]!))].sort();
      process.stdout.write(`${name}: ${files.length} files\n`);
      if (process.env.FILES) process.stdout.write(`${files.map((file) => `  ${file}\n`).join('')}`);
    }
  } finally {
    session.disconnect();
    await running.close();
    await bench.close();
    await cluster.close();
  }
}

async function answered(response: Promise<Response>): Promise<void> {
  const { status, ok } = await response;
  const text = await (await response).text();
  if (!ok || text.includes('"errors"')) throw new Error(`a request was answered ${status} ${text}`);
}

/** The service's functions that ran since the last call: file, name and place. */
async function takeFunctions(session: Session): Promise<Set<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return new Set(
    result.flatMap(({ url, functions }) => {
      const [, file] = /\/dist\/src\/(.*)\.js$/.exec(url) ?? [];
      if (!file) return [];
      return functions
        .filter(({ ranges: [range] }) => range!.count > 0)
        .map(({ functionName, ranges: [range] }) => `${file} ${functionName} ${range!.startOffset}`);
    }),
  );
}
