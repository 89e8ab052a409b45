/** The files of ops/, which are what an operator copies and what the trials run with; and the programs that they are for. */
import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** From dist/test/failover. */
export const operatorFile = (path: string): string => fileURLToPath(new URL(`../../../ops/${path}`, import.meta.url));

/** The variables of an environment file of ops/, some with the trial's own values; a name that the file lacks is refused. */
export async function readEnvironment(path: string, own: Record<string, string>): Promise<Record<string, string>> {
  const lines = (await readFile(operatorFile(path), 'utf8')).split('\n').filter((line) => /^[A-Z]/.test(line));
  const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const strange = Object.keys(own).filter((name) => !(name in given));
  if (strange.length > 0) throw new Error(`ops/${path} has no ${strange.join(', ')}`);
  return { ...given, ...own };
}

export const programs = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgresql: '/usr/lib/postgresql/15/bin/postgres',
  faketime: '/usr/bin/faketime',
};

const packages: Record<keyof typeof programs, string> = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  postgresql: 'postgresql-15',
  faketime: 'faketime',
};

/** Throws with the Debian packages that are missing. */
export async function requirePrograms(names: (keyof typeof programs)[]): Promise<void> {
  const there = await Promise.all(
    names.map((name) =>
      access(programs[name]).then(
        () => true,
        () => false,
      ),
    ),
  );
  const missing = names.filter((_name, index) => !there[index]).map((name) => packages[name]);
  if (missing.length > 0)
    throw new Error(
      `This needs Debian 12's packages: apt-get install ${missing.join(' ')} (and no service of them has to run).`,
    );
}
