/** The short screen at the end of a start: the addresses, and in development three commands to paste. */
import type { Dependencies } from '../context.js';
import { loadDevelopment } from '../development.js';

export async function welcome({ dependencies, url }: { dependencies: Dependencies; url: string }): Promise<string> {
  const base = url + dependencies.config.basePath;
  const lines = ['', `Gatehouse listens on ${base}`, ''];
  lines.push(...addresses(base).map(([what, address]) => `  ${what.padEnd(18)}${address}`));
  if (!dependencies.config.idTokenIssuers) {
    const { firstSteps } = await loadDevelopment();
    lines.push(...(await firstSteps(dependencies, base)));
  }
  return `${lines.join('\n')}\n\n`;
}

const addresses = (base: string): [string, string][] => [
  ['tokens', `POST ${base}/token  /revoke  /validate-token`],
  ['applications', `${base}/api/applications (described at ${base}/docs)`],
  ['graph', `${base}/graphql`],
  ['console', `${base}/console/`],
  ['public keys', `${base}/.well-known/jwks.json`],
];
