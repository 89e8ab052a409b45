/** A file system that takes no writes, as in the image: everything is answered, and nothing is missed on disk. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Trial } from '../failover/trial.js';
import { must, openServices, openUser, startPostgres } from './processes.js';

/** A shell in a mount namespace of its own, in which all is read-only, `/tmp` too; then the program. */
const readOnly =
  'mount --make-rprivate / && mount -o remount,bind,ro / && (mount -o bind,ro /tmp /tmp && mount -o remount,bind,ro /tmp) && ! touch /tmp/written 2>/dev/null && exec "$@"';

export async function tryReadOnly(trial: Trial): Promise<string> {
  const may = await promisify(execFile)('unshare', ['--mount', 'sh', '-c', readOnly, 'sh', 'true']).then(
    () => true,
    () => false,
  );
  if (!may) return 'skipped: making a file system read-only takes root, and a kernel that allows mount namespaces';
  const postgres = await startPostgres(trial);
  const services = await openServices(trial, postgres.url);
  const before = ['unshare', '--mount', 'sh', '-c', readOnly, 'sh'];
  const seen: string[] = [];
  for (const [name, settings] of Object.entries({
    alone: {},
    workers: { WORKERS: '2' },
    traced: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', METRICS_PORT: '0' },
  })) {
    const url = await services.start(name, settings, { before });
    const user = openUser(url, services);
    const first = await user.exchange(1);
    const answers = [
      first,
      await user.renew(first.json?.refresh_token),
      await user.graph('{ roles(first: 1) { nodes { roleId } } }'),
      await user.list(),
    ];
    for (const path of ['/openapi.json', '/.well-known/jwks.json', '/readyz'])
      answers.push(await user.ask('GET', path));
    const outcomes = answers.map(({ outcome }) => outcome);
    must(
      `${name}: all are 200`,
      outcomes.every((outcome) => outcome === 200),
      outcomes,
    );
    seen.push(`${name} ${outcomes.length}`);
    user.close();
    await trial.kill(name);
  }
  return `answers 200 without a place to write: ${seen.join(', ')}`;
}
