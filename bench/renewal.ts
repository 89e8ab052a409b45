/** Rows `renewal` and `renewal-alone`: beside the limit and two peers with 32 connections, beside the limit with one. */
import type { Answer } from './answers.js';
import { compare, latencyRatio, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { cpuToLimit, limitDescription, tailRatios, throughputRatio } from './limitRatios.js';
import { post, type Target } from './load.js';
import { addPeers, startPeer } from './peers.js';
import type { Contender, Figures, Outcome, Ratio, Row, Stage } from './row.js';
import { type Side, startGatehouse, startSide } from './service.js';
import { clientId, clientSecret, makeRenewalTokens, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const connections = 32;
const work = `renewal, ${connections} connections`;
/** @param path of their token endpoint */
const peers = [
  { name: 'oidc-provider 9', file: 'oidcProvider', path: '/token' },
  { name: 'Better Auth 1.7', file: 'betterAuth', path: '/oauth2/token' },
] as const;

export const rows: Row[] = [
  { name: 'renewal', run: (stage) => renew(stage, 'renewal', connections, true) },
  { name: 'renewal-alone', run: (stage) => renew(stage, 'renewal-alone', 1, false) },
];

async function renew(stage: Stage, name: string, atOnce: number, withPeers: boolean): Promise<Outcome> {
  const bench = await openTokenBench(stage.cluster, name);
  const sides: Side[] = [];
  try {
    const limit = await startSide('limit', ['dist/bench/limit/server.js'], bench.environment);
    sides.push(limit);
    const gatehouse = await startGatehouse(bench.environment);
    sides.push(gatehouse);
    const contenders: Contender[] = [limit, gatehouse].map((side) => ({
      side,
      target: () => renewalTarget(bench, side, atOnce),
      warmUp: () => renewalTarget(bench, side, connections),
    }));
    if (withPeers) for (const peer of peers) contenders.push(await startRenewing(peer, bench, sides, atOnce));
    const figures = await compare(contenders, stage);
    return {
      ratios: withPeers ? throughputRatios(figures) : latencyRatios(figures),
      figures,
      details: details(figures, withPeers),
    };
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

const throughputRatios = ([limit, own, ...others]: Figures[]): Outcome['ratios'] => [
  throughputRatio(work, own!, limit!, 0.75, 0.9),
  cpuToLimit(work, own!, limit!),
  ...tailRatios(work, own!, limit!),
  ...others.map(
    (other): Ratio => ({ work, against: other.name, value: speedRatio(own!, other), kind: 'least', bar: 3, aim: 4 }),
  ),
];

const workAlone = 'renewal, one connection';
const alone = { work: `${workAlone}, p50`, kind: 'most', bar: 1.5, aim: 1.25 } as const;
const latencyRatios = ([limit, own]: Figures[]): Outcome['ratios'] => [
  { ...alone, against: 'the limit', value: latencyRatio(own!, limit!) },
  ...tailRatios(workAlone, own!, limit!),
];

function details(figures: Figures[], withPeers: boolean): string {
  const description = 'Each connection renews tokens of its own; client check on (secret remembered).';
  const ofPeers =
    ' oidc-provider 9: refresh grant with rotation, ES256 JWT access tokens, `client_secret_basic` (it keeps secrets in clear and compares them as they are), adapter on `pg` with named statements, its grants in PostgreSQL, its client and account in memory. Better Auth 1.7: its OAuth provider plugin, the same grant and tokens, `client_secret_basic` (SHA-256), its own adapter on `pg`, all in PostgreSQL, without its limit of requests.';
  return `${description} ${limitDescription}${withPeers ? ofPeers : ''}\n\n${figuresTable(figures)}`;
}

/** Each connection renews tokens of its own. */
export async function renewalTarget(bench: TokenBench, { port }: Side, atOnce: number): Promise<Target> {
  const tokens = await makeRenewalTokens(bench, atOnce);
  const request = (token: string): string =>
    post(
      '/token',
      `{"grant_type":"refresh_token","refresh_token":"${token}","profileId":"${profileId}","client_id":"${clientId}","client_secret":"${clientSecret}"}`,
    );
  return {
    port,
    connections: atOnce,
    request: (connection) => request(tokens[connection]!),
    answered: (connection, answer) => {
      tokens[connection] = renewedToken(answer);
    },
  };
}

/** The successor in an answer; it must be one, beside an access token of three parts. */
function renewedToken({ status, body }: Answer): string {
  const text = body!.toString('latin1');
  const [, access] = /"access_token":"([\w-]+\.[\w-]+\.[\w-]+)"/.exec(text) ?? [];
  const [, renewal] = /"refresh_token":"([\w.-]+)"/.exec(text) ?? [];
  if (status !== 200 || !access || !renewal) throw new Error(`a renewal was answered ${status} ${text}`);
  return renewal;
}

async function startRenewing(
  { name, file, path }: (typeof peers)[number],
  bench: TokenBench,
  sides: Side[],
  atOnce: number,
): Promise<Contender> {
  addPeers();
  const environment = { ...bench.environment, PEER_CLIENT_ID: clientId, PEER_CLIENT_SECRET: clientSecret };
  const side = await startPeer(name, file, environment);
  sides.push(side);
  const authorization = `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}\r\n`;
  const target = async (): Promise<Target> => {
    const accounts = bench.users.slice(0, atOnce);
    const response = await fetch(`http://127.0.0.1:${side.port}/seed`, {
      method: 'POST',
      body: JSON.stringify(accounts),
    });
    const tokens = (await response.json()) as string[];
    const request = (token: string): string => {
      const form = `grant_type=refresh_token&refresh_token=${token}`;
      return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${authorization}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`;
    };
    return {
      port: side.port,
      connections: atOnce,
      request: (connection) => request(tokens[connection]!),
      answered: (connection, answer) => {
        tokens[connection] = renewedToken(answer);
      },
    };
  };
  return { side, target };
}
