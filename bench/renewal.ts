/** Rows `renewal` and `renewal-alone`: beside the limit and two peers with 32 connections, beside the limit with one. */
import { besideLimit, cpuToLimit, halfway, tails, throughput } from './besideLimit.js';
import { speedRatio } from './compare.js';
import { post, postForm, type Target } from './load.js';
import { startPeer } from './peers.js';
import type { Contender, Ratio, Row } from './row.js';
import type { Side, Start } from './service.js';
import {
  basic,
  clientId,
  clientSecret,
  credentials,
  makeRenewalTokens,
  profileId,
  type TokenBench,
} from './tokenData.js';

const connections = 32;
/** @param path of their token endpoint */
const peers = [
  { name: 'oidc-provider 9', file: 'oidcProvider', path: '/token' },
  { name: 'Better Auth 1.7', file: 'betterAuth', path: '/oauth2/token' },
] as const;
const description = 'Each connection renews tokens of its own; client check on (secret remembered). LIMIT';
const ofPeers =
  'oidc-provider 9: refresh grant with rotation, ES256 JWT access tokens, `client_secret_basic` (it keeps secrets in clear and compares them as they are), adapter on `pg` with named statements, its grants in PostgreSQL, its client and account in memory. Better Auth 1.7: its OAuth provider plugin, the same grant and tokens, `client_secret_basic` (SHA-256), its own adapter on `pg`, all in PostgreSQL, without its limit of requests.';

export const rows: Row[] = [
  besideLimit({
    name: 'renewal',
    work: `renewal, ${connections} connections`,
    description: `${description} ${ofPeers}`,
    target: (bench, side) => renewalTarget(bench, side, connections),
    others: (bench, start) => Promise.all(peers.map((peer) => startRenewing(peer, bench, start))),
    ratios: (work, figures) => {
      const [, own, ...others] = figures;
      const toPeers = others.map((other): Ratio => {
        return { work, against: other.name, value: speedRatio(own!, other), kind: 'least', bar: 3, aim: 4 };
      });
      return [...throughput(0.75, 0.9)(work, figures), ...cpuToLimit(work, figures), ...toPeers];
    },
  }),
  besideLimit({
    name: 'renewal-alone',
    work: 'renewal, one connection',
    description,
    target: (bench, side) => renewalTarget(bench, side, 1),
    warmUp: (bench, side) => renewalTarget(bench, side, connections),
    ratios: (work, figures) => [halfway(work, figures, 'p50', 1.5, 1.25), ...tails(work, figures)],
  }),
];

/** Of Gatehouse and of the limit. */
export async function renewalTarget(bench: TokenBench, side: Side, atOnce: number): Promise<Target> {
  const request = (token: string): string =>
    post(
      '/token',
      `{"grant_type":"refresh_token","refresh_token":"${token}","profileId":"${profileId}",${credentials}}`,
    );
  return renewing(side, await makeRenewalTokens(bench, atOnce), request);
}

/** The same by a form, as others are asked. @param path of their token endpoint */
export const formRenewing = (side: Side, tokens: string[], path: string): Target =>
  renewing(side, tokens, (token) => postForm(path, `grant_type=refresh_token&refresh_token=${token}`, basic));

/** Each connection renews a token of its own, and each answer must have a successor beside an access token. */
export const renewing = ({ name, port }: Side, tokens: string[], request: (token: string) => string): Target => ({
  port,
  connections: tokens.length,
  request: (connection) => request(tokens[connection]!),
  answered: (connection, { status, body }) => {
    const text = body!.toString('latin1');
    const access = /"access_token":"[\w-]+(\.[\w-]+){1,2}"/.test(text);
    const [, renewal] = /"refresh_token":"([\w.-]+)"/.exec(text) ?? [];
    if (status !== 200 || !access || !renewal) throw new Error(`${name} answered a renewal ${status} ${text}`);
    tokens[connection] = renewal;
  },
});

async function startRenewing(
  { name, file, path }: (typeof peers)[number],
  bench: TokenBench,
  start: Start,
): Promise<Contender> {
  const environment = { ...bench.environment, PEER_CLIENT_ID: clientId, PEER_CLIENT_SECRET: clientSecret };
  const side = await start(startPeer(name, file, environment));
  const target = async (): Promise<Target> => {
    const body = JSON.stringify(bench.users.slice(0, connections));
    const response = await fetch(`http://127.0.0.1:${side.port}/seed`, { method: 'POST', body });
    return formRenewing(side, (await response.json()) as string[], path);
  };
  return { side, target };
}
