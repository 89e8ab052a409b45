/** A little identity provider on 127.0.0.1 for tests: its keys rotate, and it misbehaves on demand. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SigningAlgorithm } from '../../src/auth/jwt.js';
import type { JsonObject } from '../../src/jsonObject.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { signJwt } from '../support/signJwt.js';

export interface ProviderKey {
  kid: string;
  alg: SigningAlgorithm;
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: JsonObject;
}

export interface LocalProvider {
  issuer: string;
  /** What the JWKS holds; assign to rotate. */
  keys: JsonObject[];
  /** Replaces the answers; undefined is the good provider. */
  answer: ((path: string, response: ServerResponse) => void) | undefined;
  /** Paths asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

export function makeKey(kid: string, alg: SigningAlgorithm = 'ES256', modulusLength = 2048): ProviderKey {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength });
  return toProviderKey(kid, alg, privateKey);
}

function toProviderKey(kid: string, alg: SigningAlgorithm, privateKey: KeyObject): ProviderKey {
  const publicKey = createPublicKey(privateKey);
  return { kid, alg, privateKey, publicKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

const sharedKeyVariable = 'GATEHOUSE_TEST_PROVIDER_KEY';

/** In globalSetup: to make an RSA key takes longer than most of a service's start, so all files of a run have the same. */
export function makeSharedKey(): void {
  const { privateKey } = makeKey('', 'RS256');
  process.env[sharedKeyVariable] = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** The key that makeSharedKey made, of RS256. */
export const readSharedKey = (kid: string): ProviderKey =>
  toProviderKey(kid, 'RS256', createPrivateKey(process.env[sharedKeyVariable]!));

/** A token of the key; header members and claims that are given as undefined are left out. */
export function makeToken(key: ProviderKey, claims: JsonObject, header: JsonObject = {}): string {
  return signJwt({ typ: 'JWT', kid: key.kid, ...header }, claims, { alg: key.alg, privateKey: key.privateKey });
}

export async function startProvider(keys: ProviderKey[]): Promise<LocalProvider> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    provider.asked.push(path);
    if (provider.answer) return provider.answer(path, response);
    const document =
      path === '/jwks' ? { keys: provider.keys } : { issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: LocalProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: keys.map((key) => key.jwk),
    answer: undefined,
    asked: [],
    close: closeAtEnd(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }),
  };
  return provider;
}
