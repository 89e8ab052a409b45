/** What renewals among many records are measured on: one client, a thousand users of one profile, records of tokens that were imported. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Bench } from './service.js';

export const clientSecret = randomBytes(16).toString('hex');
export const fewRecords = 10_000;

export async function prepare({ app: { dependencies } }: Bench): Promise<void> {
  const { sql, secrets, config } = dependencies;
  const by = config.systemUserGuid;
  await sql.rows('insert into clients (client_id, client_secret, name) values ($1, $2, $1)', [
    'bench',
    await secrets.hash(clientSecret),
  ]);
  await sql.rows('insert into roles (role_id, name, created_by) values ($1, $1, $2)', ['role', by]);
  await sql.rows('insert into profiles (profile_id, name, created_by) values ($1, $1, $2)', ['bench', by]);
  await sql.rows('insert into users (first_name, created_by) select $2 || n, $1 from generate_series(1, 1000) n', [
    by,
    'user',
  ]);
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, 'bench', 'role', $1 from users`,
    [by],
  );
  await sql.rows('analyze');
}

const stepRecords = 500_000;
const tokenOf = (number: number): string => `renewal token ${number}`;

/** The records of `tokenOf(1)` and on, as an import makes them; expired ones bear hashes of nothing that anybody presents. */
export async function addRecords({ app }: Bench, count: number, expiresIn: string): Promise<void> {
  const { sql } = app.dependencies;
  const named = expiresIn.startsWith('-') ? 'expired' : 'renewal';
  for (let from = 1; from <= count; from += stepRecords)
    await sql.rows(
      `insert into tokens (token_guid, user_id, profile_id, token, created_at, expires_at)
       select encode(set_byte(set_byte(substr(hash, 1, 16), 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid,
         (array(select user_guid from users))[1 + n % 1000], 'bench', hash, now(), now() + $4::interval + n * interval '1 millisecond'
       from generate_series($1::int, $2::int) n, sha256(($3 || ' token ' || n)::bytea) hash`,
      [from, Math.min(count, from + stepRecords - 1), named, expiresIn],
    );
  await sql.rows('vacuum analyze tokens');
}

export function tokensOf(records: number): string[] {
  const numbers = new Set<number>();
  while (numbers.size < Math.min(records, fewRecords)) numbers.add(randomInt(1, records + 1));
  return [...numbers].map(tokenOf);
}
