/** Other makes of the same work, from bench/'s own package, so that nobody else installs them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Side, startSide } from './service.js';

/** @param file in bench/peers, without its ending */
export function startPeer(name: string, file: string, environment: NodeJS.ProcessEnv): Promise<Side> {
  const packages = ['postgraphile', '@graphql-hive/gateway-runtime', 'oidc-provider', 'better-auth'];
  if (!packages.every((each) => existsSync(`bench/node_modules/${each}`))) {
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: 'bench', stdio: 'inherit' });
    if (status !== 0) throw new Error('npm ci in bench failed');
  }
  return startSide(name, [`bench/peers/${file}.mjs`], { ...environment, GRAPHILE_ENV: 'production' });
}
