/** The doctor's look at the database: reachable, new enough, migrated, on time, and its keys open. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { Database } from '../database/connect.js';
import { checkAudiences, checkScopes, checkUsers } from './doctorCatalogue.js';
import { checkPolicy } from './doctorPolicy.js';
import { failureText } from './failure.js';
import type { AreGood, Finding } from './finding.js';
import { withDatabase } from './migrateCommand.js';

const versionMin = 15;
const clockDifferenceMaxMs = 2_000;

export async function checkDatabase(config: Config, areGood: AreGood): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await withDatabase(config, (url) => examineDatabase(config, areGood, config.databaseUrl ?? url, findings));
  } catch (error) {
    findings.push({ ok: false, what: 'database', text: failureText(error) });
  }
  return findings;
}

async function examineDatabase(config: Config, areGood: AreGood, url: string, findings: Finding[]): Promise<void> {
  const { connect } = await import('../database/connect.js');
  const database = await connect({ url, poolMax: 2, timeoutMs: config.databaseTimeoutMs });
  try {
    findings.push(await checkVersion(database));
    findings.push(await checkClock(database));
    const migrations = await checkMigrations(database);
    findings.push(migrations);
    if (!migrations.ok || !(await hasTables(database))) return;
    if (areGood('KEY_ENCRYPTION_KEY')) findings.push(await checkKeys(config, database));
    findings.push(...(await checkScopes(database.sql)));
    if (areGood('AUDIENCES', 'ADMIN_AUDIENCE')) findings.push(...(await checkAudiences(database.sql, config)));
    if (areGood('TOKEN_POLICY', 'REHEARSAL_DAYS')) findings.push(...(await checkPolicy(database.sql, config)));
    if (!areGood('ID_TOKEN_ISSUERS')) return;
    findings.push(await checkDemonstration(config, database), ...(await checkUsers(database.sql, config)));
  } finally {
    await database.close();
  }
}

async function checkVersion({ sql }: Database): Promise<Finding> {
  const [row] = await sql.rows<{ version: string; is_read_only: boolean }>(
    `select current_setting('server_version') as version, current_setting('transaction_read_only') = 'on' as is_read_only`,
  );
  const { version, is_read_only: isReadOnly } = row!;
  const isOld = Number.parseInt(version, 10) < versionMin;
  const old = isOld ? `: ${versionMin} or newer is needed` : '';
  const standby = isReadOnly ? '; it takes no writes: DATABASE_URL must lead to the primary' : '';
  return { ok: !isOld && !isReadOnly, what: 'database', text: `PostgreSQL ${version}${old}${standby}` };
}

async function checkClock({ sql }: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await sql.rows<{ now: string }>('select clock_timestamp() as now');
  const difference = Date.parse(row!.now) - (before + Date.now()) / 2;
  const ok = Math.abs(difference) <= clockDifferenceMaxMs;
  const seconds = (Math.abs(difference) / 1_000).toFixed(3);
  const text = `the database's clock is ${seconds} s ${difference < 0 ? 'behind' : 'ahead of'} this machine's`;
  return { ok, what: 'clock', text: ok ? text : `${text}: set both by NTP, for tokens live by them` };
}

async function checkMigrations(database: Database): Promise<Finding> {
  const what = 'migrations';
  const { allMigrations } = await import('../database/migrations/all.js');
  const { missingMigrations } = await import('../database/migrate.js');
  const missing = await missingMigrations(database.sql);
  if (missing.length === allMigrations.length) return checkRoom(database);
  if (missing.length > 0) return { ok: false, what, text: `${missing.length} to run: npx gatehouse migrate` };
  const [applied] = await database.sql.rows<{ count: number }>('select count(*)::int as count from migrations');
  const newerCount = applied!.count - allMigrations.length;
  const newer = newerCount > 0 ? `; ${newerCount} of a newer version than this one` : '';
  const { findLeftovers } = await import('../database/finish.js');
  const left = await findLeftovers(database.sql);
  const finish = left.length > 0 ? '; npx gatehouse migrate --finish removes what the version before left' : '';
  return { ok: true, what, text: `all ${allMigrations.length} are there${newer}${finish}` };
}

/** Whether the first migration can make its tables; a schema public that is missing it makes itself. */
async function checkRoom({ orm, sql }: Database): Promise<Finding> {
  const what = 'migrations';
  const names = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
  const [room] = await sql.rows<{ may_create: boolean; taken: string[] }>(
    `select coalesce(has_schema_privilege(current_schema(), 'create'), to_regnamespace('public') is null) as may_create,
       array(select tablename::text from pg_tables where schemaname = current_schema() and tablename = any($1) order by 1) as taken`,
    [names],
  );
  if (!room!.may_create)
    return {
      ok: false,
      what,
      text: 'the role may make no tables: alter database … owner to it, and look at its search_path',
    };
  if (room!.taken.length > 0)
    return {
      ok: false,
      what,
      text: `${room!.taken.join(', ')}: tables of another program; give Gatehouse a database of its own`,
    };
  return { ok: true, what, text: 'none yet: the first start or npx gatehouse migrate makes the tables' };
}

async function hasTables({ sql }: Database): Promise<boolean> {
  const [found] = await sql.rows<{ all: boolean }>(
    `select to_regclass('signing_keys') is not null and to_regclass('clients') is not null as all`,
  );
  return found!.all;
}

async function checkKeys({ keyEncryptionKeys, dataDir }: Config, { sql }: Database): Promise<Finding> {
  const what = 'signing keys';
  const { readKeys } = await import('../services/keys/keyStore.js');
  const { openKeyRing } = await import('../auth/keyRing.js');
  const rows = await readKeys(sql);
  if (rows.length === 0) return { ok: true, what, text: 'none yet: the first start makes them' };
  const encryptionKeys = keyEncryptionKeys ?? developmentKeys(dataDir);
  if (encryptionKeys.length === 0)
    return {
      ok: false,
      what,
      text: 'KEY_ENCRYPTION_KEY is not set, and DATA_DIR has none: set the one they were made with',
    };
  try {
    const { signing } = openKeyRing(rows, encryptionKeys);
    return { ok: true, what, text: `${signing.alg} ${signing.kid} signs` };
  } catch (error) {
    return { ok: false, what, text: failureText(error) };
  }
}

function developmentKeys(dataDir: string): Buffer[] {
  const file = join(dataDir, 'key-encryption-key');
  return existsSync(file) ? [Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')] : [];
}

/** Its secret is known to everybody. */
async function checkDemonstration({ idTokenIssuers }: Config, { sql }: Database): Promise<Finding> {
  const what = 'demonstration data';
  const { demonstration } = await import('../dev/demoData.js');
  const [client] = await sql.rows('select 1 from clients where client_id = $1 and is_active', [demonstration.clientId]);
  if (!client) return { ok: true, what, text: 'its client is not in use' };
  return idTokenIssuers
    ? {
        ok: false,
        what,
        text: `its client works, and everybody knows its secret: npx gatehouse client deactivate ${demonstration.clientId}`,
      }
    : { ok: true, what, text: 'its client works, for development' };
}
