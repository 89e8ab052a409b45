/** Behind HAProxy with the file of ops/haproxy, what needs no database goes on while the database is away. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { operatorFile, programs, readEnvironment } from '../failover/operatorFiles.js';
import { startTestApp } from '../support/app.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { until } from '../support/until.js';
import { startProxy } from './proxy.js';

const itWithHaproxy = existsSync(programs.haproxy) ? it : it.skip;

it('the files of Kubernetes and HAProxy name the same paths that need no database', async () => {
  const haproxy = await readFile(operatorFile('haproxy/haproxy.cfg'), 'utf8');
  const kubernetes = await readFile(operatorFile('kubernetes/gatehouse.yaml'), 'utf8');
  const live = /use_backend gatehouse-live if \{ path ([^}]+) \}/.exec(haproxy)?.[1]?.split(' ');
  expect(live).toHaveLength(2);
  const paths = kubernetes.matchAll(/- path: (\S+)\n +pathType: Exact\n +backend: [&*]live-service\n/g);
  expect([...paths].map(([, path]) => path)).toEqual(live);
});

itWithHaproxy('public keys and /validate-token are answered under load while the database is stopped', async () => {
  const database = await startProxy((await createMigratedDatabase()).url);
  const app = await startTestApp({ DATABASE_URL: database.url, DATABASE_TIMEOUT_MS: '1000' });
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
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
  const posted = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const exchange = () => ({
    ...exchangeBody(app.idToken({ sub: userGuid })),
    profileId,
    client_id: clientId,
    client_secret: clientSecret,
  });
  const { access_token: token } = (await app.post('/token', exchange())).json;
  const statusOfExchange = () => statusOf('/token', posted(exchange()));
  await until(async () => (await statusOf('/readyz')) === 200);
  let isOver = false;
  const statuses = { keys: new Set<number>(), validation: new Set<number>(), exchange: new Set<number>() };
  const load = async () => {
    while (!isOver) {
      statuses.keys.add(await statusOf('/.well-known/jwks.json'));
      statuses.validation.add(await statusOf('/validate-token', posted({ token })));
      statuses.exchange.add(await statusOfExchange());
    }
  };
  const loads = Array.from({ length: 4 }, load);
  await until(() => statuses.exchange.has(200));
  await database.cut();
  await until(async () => (await statusOf('/docs')) === 503);
  for (let round = 0; round < 50; round++) {
    await statusOf('/.well-known/jwks.json');
    expect(await statusOfExchange()).toBe(503);
  }
  await database.restore();
  await until(async () => (await statusOfExchange()) === 200);
  isOver = true;
  await Promise.all(loads);
  expect(statuses).toEqual({ keys: new Set([200]), validation: new Set([200]), exchange: new Set([200, 503]) });
});
