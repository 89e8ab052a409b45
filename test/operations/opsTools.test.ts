/** The files of ops/, judged by the programs that they are for; where one is not installed its tests are skipped. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { operatorFile, programs, readEnvironment } from '../failover/operatorFiles.js';
import { startTestApp } from '../support/app.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const itWith = (program: string) => (existsSync(program) ? it : it.skip);
/** Debian's package prometheus has it, and so has the Go module github.com/prometheus/prometheus/cmd/promtool. */
const promtool =
  (process.env.PATH ?? '')
    .split(':')
    .map((place) => join(place, 'promtool'))
    .find(existsSync) ?? '/usr/bin/promtool';
const systemdAnalyze = '/usr/bin/systemd-analyze';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-ops-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; action: string };
}
const rules = (): Rule[] => parse(readFileSync(operatorFile('prometheus/rules.yaml'), 'utf8')).groups[0].rules;
interface Panel {
  id: number;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}
const panels = (): Panel[] => JSON.parse(readFileSync(operatorFile('grafana/gatehouse.json'), 'utf8')).panels;
const dashboardQueries = (): string[] =>
  panels().flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));

describe('Prometheus and Grafana', () => {
  it('for each fault of docs/disasters.md the page names the alert that the rules were tested for, and its minutes', () => {
    interface Tested {
      name: string;
      promql_expr_test?: { eval_time: string; exp_samples: { labels: string }[] }[];
    }
    const { tests } = parse(readFileSync(operatorFile('prometheus/rules.test.yaml'), 'utf8')) as { tests: Tested[] };
    const faults = readFileSync(join(root, 'docs/disasters.md'), 'utf8').split(/^## /m).slice(1);
    // the last sample before the fault is that of minute 4
    const faultAt = 4;
    const raised = Object.fromEntries(
      tests.map(({ name, promql_expr_test: [before, first] = [] }) => [
        name,
        before?.exp_samples.length === 0 &&
          first && [
            /alertname="(\w+)"/.exec(first.exp_samples[0]!.labels)![1],
            Number.parseInt(first.eval_time, 10) - faultAt,
            Number.parseInt(first.eval_time, 10) - Number.parseInt(before.eval_time, 10),
          ],
      ]),
    );
    expect(faults).toHaveLength(7);
    for (const fault of faults) {
      const heading = fault.split('\n', 1)[0]!;
      const [, said = ''] = /^- Alert: (.*)$/m.exec(fault) ?? [];
      const [, alert, minutes] = /^`(\w+)` after (\d+) minutes/.exec(said) ?? [];
      if (alert) expect([heading, alert, Number(minutes), 1]).toEqual([heading, ...(raised[heading] || [])]);
      else expect([heading, said]).toEqual([heading, expect.stringMatching(/^none\b/)]);
      for (const [, name] of said.matchAll(/`(Gatehouse\w+)`/g))
        expect(rules().map((rule) => rule.alert)).toContain(name);
    }
  });

  itWith(promtool)(
    'promtool: the alerts are rules, and are raised when they should be and at no other time',
    async () => {
      for (const words of [
        ['check', 'rules', 'rules.yaml'],
        ['test', 'rules', 'rules.test.yaml'],
      ])
        expect((await run(promtool, words, { cwd: operatorFile('prometheus') })).stdout).toContain('SUCCESS');
    },
  );

  itWith(promtool)('promtool: each query of the dashboard can be read', async () => {
    const file = join(folder, 'dashboard.json');
    const recorded = dashboardQueries().map((expr, index) => ({ record: `query_${index}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    expect((await run(promtool, ['check', 'rules', file])).stdout).toContain(`${recorded.length} rules found`);
  });

  it('every alert and every panel asks metrics that there are, and every alert says what to do, in messages that there are', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true })
      .map(String)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
      .join();
    const known = new Set([...sources.matchAll(/name: '(gatehouse_\w+)'/g)].map(([, name]) => name));
    const asked = [...rules().map(({ expr }) => expr), ...dashboardQueries()]
      .flatMap((expr) => [...expr.matchAll(/gatehouse_\w+/g)])
      .map(([name]) => name.replace(/_bucket$/, ''));
    expect(asked.length).toBeGreaterThan(25);
    const logs = readFileSync(join(root, 'docs/logs.md'), 'utf8');
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
    for (const { alert, annotations } of rules()) {
      expect(annotations.summary).toMatch(/\.$/);
      expect([alert, annotations.action]).toEqual([alert, expect.stringMatching(/\w.{20,}[.)]$/)]);
      for (const [, message] of annotations.action.matchAll(/"([^"]+)"/g)) expect(logs).toContain(`\`${message}`);
    }
  });

  it('no two panels of the dashboard have an id or a place in common', () => {
    const all = panels();
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const places = all.map(({ gridPos: { x, y, w } }) => [`${x},${y}`, x + w <= 24] as const);
    expect(new Set(places.map(([place]) => place)).size).toBe(all.length);
    expect(places.every(([, fits]) => fits)).toBe(true);
  });
});

describe('systemd', () => {
  /** As installed, but from this project. */
  function unit(): string {
    const file = join(folder, 'gatehouse.service');
    const text = readFileSync(operatorFile('systemd/gatehouse.service'), 'utf8');
    writeFileSync(file, text.replaceAll('/opt/gatehouse/', root));
    return file;
  }

  itWith(systemdAnalyze)('the unit is understood, every line of it', async () => {
    const { stdout, stderr } = await run(systemdAnalyze, ['verify', '--man=no', unit()]);
    expect(stdout + stderr).toBe('');
  });

  itWith(systemdAnalyze)('its exposure stays below 2.0 of 10', async () => {
    await run(systemdAnalyze, ['security', '--offline=true', '--threshold=20', unit()]);
  });
});

describe('Kubernetes', () => {
  interface Manifest {
    apiVersion: string;
    kind: string;
  }
  const manifests = (): Manifest[] =>
    ['gatehouse', 'migrate/migrate'].flatMap((name) =>
      parseAllDocuments(readFileSync(operatorFile(`kubernetes/${name}.yaml`), 'utf8'), { merge: true }).map(
        (document) => document.toJS() as Manifest,
      ),
    );

  /** What the compiler says of them as values of the API's types: unknown and missing members, and wrong types. */
  async function faultsOf(values: Manifest[]): Promise<string> {
    const lines = values.map(({ apiVersion, kind, ...members }, index) => {
      const module = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '');
      return `import type { ${kind} as T${index} } from 'kubernetes-types/${module}';
        export const value${index}: T${index} = ${JSON.stringify({ apiVersion, kind, ...members })};`;
    });
    const inside = mkdtempSync(join(root, 'dist', 'manifests-'));
    const file = join(inside, 'manifests.ts');
    writeFileSync(file, lines.join('\n'));
    const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--moduleResolution', 'bundler'];
    return run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...words, '--ignoreConfig', file])
      .then(
        ({ stdout }) => stdout,
        ({ stdout }) => stdout,
      )
      .finally(() => rmSync(inside, { recursive: true }));
  }

  it('the manifests are what the API takes, in every member', async () => {
    expect(await faultsOf(manifests())).toBe('');
    const misspelt = JSON.parse(JSON.stringify(manifests()).replaceAll('"periodSeconds"', '"periodSecond"'));
    expect(await faultsOf(misspelt)).toContain('periodSecond');
  });

  it('every container runs as nobody of importance on a read-only root, within measured bounds', () => {
    const pods = manifests()
      .map((manifest) => JSON.parse(JSON.stringify(manifest)).spec?.template?.spec)
      .filter(Boolean);
    expect(pods).toHaveLength(2);
    for (const { automountServiceAccountToken, securityContext, containers } of pods) {
      expect([automountServiceAccountToken, securityContext.runAsNonRoot]).toEqual([false, true]);
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    }
  });

  it('no pod is stopped before it has let its requests out', () => {
    const [config, deployment] = JSON.parse(JSON.stringify(manifests()));
    const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec;
    const { readinessProbe } = containers[0];
    const delaySeconds = Number(config.data.SHUTDOWN_DELAY_MS) / 1_000;
    expect(delaySeconds).toBeGreaterThanOrEqual(2 * readinessProbe.periodSeconds * readinessProbe.failureThreshold);
    // SHUTDOWN_GRACE_MS is 10 s
    expect(terminationGracePeriodSeconds).toBeGreaterThan(delaySeconds + 10);
  });
});

describe('HAProxy', () => {
  /** With a certificate of its own, before Gatehouse at that address. */
  async function startTls(gatehouse: string) {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost';
    await run('openssl', [
      ...words.split(' '),
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ]);
    const pem = join(folder, 'gatehouse.pem');
    writeFileSync(pem, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    chmodSync(pem, 0o600);
    const [plain, tls] = [await freePort(), await freePort()];
    const environment = await readEnvironment('haproxy/tls.env', {
      PLAIN_BIND: `127.0.0.1:${plain}`,
      TLS_BIND: `127.0.0.1:${tls}`,
      TLS_CERTIFICATE: pem,
      GATEHOUSE_1: gatehouse,
      GATEHOUSE_2: gatehouse,
    });
    const file = operatorFile('haproxy/tls.cfg');
    await run(programs.haproxy, ['-c', '-f', file], { env: environment });
    const child = spawn(programs.haproxy, ['-f', file], { env: environment, stdio: 'ignore' });
    closeAtEnd(async () => child.kill('SIGKILL'));
    return { plain: `http://localhost:${plain}`, tls, ca: readFileSync(certificate) };
  }

  itWith(programs.haproxy)(
    'ends TLS, passes on no address that a caller made up, and takes no secret without TLS',
    async () => {
      const app = await startTestApp({
        TRUST_PROXY: 'loopback',
        TOKEN_RATE_LIMIT: '3',
        ISSUER_URL: 'https://localhost',
      });
      const { plain, tls, ca } = await startTls(new URL(app.url).host);
      const ask = (path: string, headers: Record<string, string> = {}, body?: string, options: object = {}) =>
        new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
          const method = body === undefined ? 'GET' : 'POST';
          const sent = request(
            { host: 'localhost', port: tls, path, method, headers, ca, agent: false, ...options },
            (answer) => {
              answer.resume().once('end', () => resolve({ status: answer.statusCode!, headers: answer.headers }));
            },
          );
          sent.once('error', reject).end(body);
        });
      const isAlive = () =>
        ask('/livez').then(
          ({ status }) => status === 200,
          () => false,
        );
      await until(isAlive);
      expect((await ask('/.well-known/jwks.json')).headers['strict-transport-security']).toMatch(/^max-age=\d+/);
      await expect(ask('/livez', {}, undefined, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' })).rejects.toThrow();
      const statuses: number[] = [];
      for (let caller = 0; caller < 5; caller++) {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${caller}` };
        statuses.push((await ask('/validate-token', headers, '{"token":"x"}')).status);
      }
      expect(statuses).toEqual([400, 400, 400, 429, 429]);
      const unprotected = await fetch(`${plain}/token`, { method: 'POST', body: 'x', redirect: 'manual' });
      expect(unprotected.status).toBe(403);
      const moved = await fetch(`${plain}/docs`, { redirect: 'manual' });
      expect([moved.status, moved.headers.get('location')]).toEqual([
        308,
        expect.stringMatching(/^https:\/\/localhost.*\/docs$/),
      ]);
    },
  );
});
