/**
 * `npm run bench -- pages --records 5000000`: why renewals among many records are slower than among few. After a checkpoint
 * PostgreSQL writes each page whole into its log at the page's first change; settings that matter there, one by one.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fewRecords } from './manyRecords.js';
import { compare, heading, type Installation, line, type Measured, renewals, withInstallations } from './operations.js';
import { replaceSection } from './results.js';
import { administer, type Cluster } from './service.js';

/** None comes by itself while it is measured. */
const noCheckpoint = { max_wal_size: '32GB', checkpoint_timeout: '1h' };

interface Variant {
  name: string;
  settings?: Record<string, string>;
  /** Before each round. */
  checkpoint: boolean;
  restart?: boolean;
}

const variants: Variant[] = [
  { name: 'right after a checkpoint', checkpoint: true },
  { name: 'no checkpoint since', checkpoint: false },
  {
    name: 'right after a checkpoint, `full_page_writes = off`',
    settings: { full_page_writes: 'off' },
    checkpoint: true,
  },
  { name: 'right after a checkpoint, `wal_compression = on`', settings: { wal_compression: 'on' }, checkpoint: true },
  {
    name: 'right after a checkpoint, `shared_buffers = 4GB`',
    settings: { shared_buffers: '4GB' },
    checkpoint: true,
    restart: true,
  },
  { name: 'no checkpoint since, `shared_buffers = 4GB`', settings: { shared_buffers: '4GB' }, checkpoint: false },
];

export async function run({ records }: { records: string }): Promise<void> {
  await withInstallations(Number(records), async ({ cluster, few, many }) => {
    const lines: string[] = [];
    for (const variant of variants) {
      const [small, large] = await measure(cluster, variant, few, many);
      lines.push(line(`${fewRecords.toLocaleString('en')} records, ${variant.name}`, small));
      lines.push(line(`${Number(records).toLocaleString('en')} records, ${variant.name}`, large));
      process.stderr.write(`${lines.slice(-2).join('\n')}\n`);
    }
    const text = [
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; renewals as in \`operations\`, the two of a variant in interleaved rounds. Settings of PostgreSQL as it comes (\`shared_buffers\` 128 MB) but those named, and no checkpoint by itself.`,
      '',
      ...heading,
      ...lines,
    ].join('\n');
    process.stdout.write(`${text}\n`);
    replaceSection('pages', text);
  });
}

async function measure(
  cluster: Cluster,
  { settings, checkpoint, restart }: Variant,
  few: Installation,
  many: Installation,
): Promise<[Measured, Measured]> {
  const set = Object.entries({ ...noCheckpoint, ...settings }).map(
    ([name, value]) => `alter system set ${name} = '${value}'`,
  );
  await administer(cluster.url, 'alter system reset all', ...set, 'select pg_reload_conf()');
  if (restart) await restartPostgres(cluster);
  const round = (installation: Installation) => async () => {
    if (checkpoint) await administer(cluster.url, 'checkpoint');
    return renewals(installation);
  };
  return compare(round(few), round(many));
}

/** Its keeper starts it again on the same port. */
async function restartPostgres({ directory, url }: Cluster): Promise<void> {
  const pid = () => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const before = pid();
  process.kill(before, 'SIGINT');
  for (;;) {
    await pause(200);
    try {
      await administer(url, 'select 1');
      if (pid() !== before) return;
    } catch {
      // it is not back yet
    }
  }
}
