/** The files of ops/: secrets go to whom they belong alone, and nobody commits them by mistake. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const namesIn = (path: string): string[] => [...read(path).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);

interface Service {
  env_file?: string;
  environment?: Record<string, string>;
}

it("compose.yaml gives the database's container nothing of Gatehouse's", () => {
  const { services } = parse(read('ops/compose.yaml')) as { services: Record<'database' | 'gatehouse', Service> };
  const given = ({ env_file, environment = {} }: Service) => [
    ...namesIn(`ops/${env_file}.example`),
    ...Object.keys(environment),
  ];
  expect(given(services.database).sort()).toEqual(['POSTGRES_DB', 'POSTGRES_PASSWORD', 'POSTGRES_USER']);
  expect(given(services.gatehouse)).toEqual(expect.arrayContaining(['KEY_ENCRYPTION_KEY', 'DATABASE_URL']));
  expect(given(services.gatehouse).filter((name) => name.startsWith('POSTGRES'))).toEqual([]);
});

it.each(['gatehouse.env', 'ops/gatehouse.env', 'ops/database.env'])('%s is ignored by git', (path) => {
  const { status, error } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', path], { cwd: root });
  if (error) expect(read('.gitignore').split('\n')).toContain(path.split('/').at(-1));
  else expect(status).toBe(0);
});
