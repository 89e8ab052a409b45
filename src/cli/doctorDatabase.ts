/** The doctor's look at the database: reachable, new enough, migrated, on time, and its keys open. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { Database } from '../database/connect.js';
import { checkScopes, checkUsers } from './doctorCatalogue.js';
import { checkPolicy } from './doctorPolicy.js';
import { failureText } from './failure.js';
import type { AreGood, Finding } from './finding.js';
import { withDatabase } from './migrateCommand.js';

const versionMin = 14;
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
    if (areGood('TOKEN_POLICY', 'REHEARSAL_DAYS')) findings.push(...(await checkPolicy(database.sql, config)));
    if (!areGood('ID_TOKEN_ISSUERS')) return;
    findings.push(await checkDemonstration(config, database), ...(await checkUsers(database.sql, config)));
  } finally {
    await database.close();
  }
}

async function checkVersion({ sql }: Database): Promise<Finding> {
  const [row] = await sql.rows<{ server_version: string }>('show server_version');
  const version = row!.server_version;
  const ok = Number.parseInt(version, 10) >= versionMin;
  const text = `PostgreSQL ${version}${ok ? '' : `: ${versionMin} or newer is needed`}`;
  return { ok, what: 'database', text };
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
  const [table] = await database.sql.rows("select 1 from pg_tables where tablename = 'migrations'");
  const applied = table ? await database.sql.rows<{ name: string }>('select name from migrations') : [];
  const done = new Set(applied.map(({ name }) => name));
  const pending = allMigrations.filter(({ name }) => !done.delete(name));
  if (pending.length === allMigrations.length)
    return { ok: true, what, text: 'none yet: the first start or npx gatehouse migrate makes the tables' };
  if (pending.length > 0) return { ok: false, what, text: `${pending.length} to run: npx gatehouse migrate` };
  const newer = done.size > 0 ? `; ${done.size} of a newer version than this one` : '';
  const { findLeftovers } = await import('../database/finish.js');
  const left = await findLeftovers(database.sql);
  const finish = left.length > 0 ? '; npx gatehouse migrate --finish removes what the version before left' : '';
  return { ok: true, what, text: `all ${allMigrations.length} are there${newer}${finish}` };
}

async function hasTables({ sql }: Database): Promise<boolean> {
  const tables = await sql.rows("select 1 from pg_tables where tablename in ('signing_keys', 'clients')");
  return tables.length === 2;
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
