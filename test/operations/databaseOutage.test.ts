/** Behind HAProxy with the file of ops/haproxy, what needs no database goes on while the database is away. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { operatorFile, programs, readEnvironment } from '../failover/operatorFiles.js';
import { startTestApp } from '../support/app.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { createProxiedDatabase } from '../support/proxiedDatabase.js';
import { until } from '../support/until.js';

const itWithHaproxy = existsSync(programs.haproxy) ? it : it.skip;

itWithHaproxy('public keys and /validate-token are answered under load while the database is stopped', async () => {
  const database = await createProxiedDatabase();
  const app = await startTestApp({ DATABASE_URL: database.proxy.url, DATABASE_TIMEOUT_MS: '1000' });
  const [front, postgres] = [await freePort(), await freePort()];
  const host = new URL(app.url).host;
  const environment = await readEnvironment('haproxy/haproxy.env', {
    GATEHOUSE_BIND: `127.0.0.1:${front}`,
    POSTGRES_BIND: `127.0.0.1:${postgres}`,
    ...Object.fromEntries([1, 2, 3].map((n) => [`GATEHOUSE_${n}`, host])),
    ...Object.fromEntries([1, 2, 3].map((n) => [`POSTGRES_${n}`, '127.0.0.1:1'])),
    ...Object.fromEntries([1, 2, 3].map((n) => [`PATRONI_${n}_PORT`, '1'])),
  });
  const child = spawn(programs.haproxy, ['-db', '-f', operatorFile('haproxy/haproxy.cfg')], {
    env: environment,
    stdio: 'ignore',
  });
  closeAtEnd(async () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${front}`;
  const statusOf = (path: string, init?: RequestInit): Promise<number> =>
    fetch(`${url}${path}`, init).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
  const validation = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"token":"x"}' };
  await until(async () => (await statusOf('/readyz')) === 200);
  let isOver = false;
  const statuses: Record<string, Set<number>> = { keys: new Set(), validation: new Set() };
  const load = async () => {
    while (!isOver) {
      statuses.keys!.add(await statusOf('/.well-known/jwks.json'));
      statuses.validation!.add(await statusOf('/validate-token', validation));
    }
  };
  const loads = Array.from({ length: 4 }, load);
  await database.proxy.close();
  await until(async () => (await statusOf('/docs')) === 503);
  for (let round = 0; round < 50; round++) await statusOf('/.well-known/jwks.json');
  isOver = true;
  await Promise.all(loads);
  expect(statuses).toEqual({ keys: new Set([200]), validation: new Set([400]) });
});
