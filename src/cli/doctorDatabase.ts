/** Checks the database for `doctor`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { readDatabaseUrl } from '../config/databaseUrl.js';
import { databaseCautions, demonstrationClientId } from '../config/production.js';
import type { Database } from '../database/connect.js';
import type { Sql } from '../sql.js';
import { type AreGood, type Finding, failed, passed, printable, warned } from './finding.js';
import { withDatabase } from './migrateCommand.js';
import { createAdvice, failureText, messageOf, readOnlyCauses } from './session.js';

const shownMax = 10;

/** Finds entries of old systems: those that a `scope` text can't contain, keys `*`, and types that resemble the reserved one. */
async function checkScopes(sql: Sql): Promise<Finding[]> {
  const { everyKey, notScopeToken, scopeEntryColumn, scopesAndTypes } = await import(
    '../services/access/scopeEntry.js'
  );
  const { reservedTypeGuid } = await import('../services/adminScopes/guard.js');
  const { looksLikeAdmin } = await import('../services/adminScopes/reservedNames.js');
  const entries = await listRows(
    sql,
    `select ${scopeEntryColumn} as text from ${scopesAndTypes} where ${notScopeToken(scopeEntryColumn)} group by 1`,
  );
  const wildcards = await listRows(
    sql,
    `select type.name || ':' || $1 || ' ' || scope.access_scope_guid as text from ${scopesAndTypes}
     where scope.access_scope_key = $1`,
    [everyKey],
  );
  const types = await sql.rows<{ name: string }>(
    'select name from access_scope_types where access_scope_type_guid <> $1 order by name',
    [reservedTypeGuid],
  );
  const alike = types.map(({ name }) => name).filter(looksLikeAdmin);
  const findings: Finding[] = [];
  if (entries) {
    const text = `only in the \`scopes\` array, since no \`scope\` text can hold them (RFC 6749 §3.3): ${entries}`;
    findings.push(passed('scopes', text));
  }
  if (wildcards) {
    const text = `${wildcards}: APIs read the key ${everyKey} as every scope of the type. Give another key, or clear it and set isWildcard`;
    findings.push(failed('scope keys', text));
  }
  if (alike.length > 0) {
    const text = `${listed(alike, alike.length)} resemble admin, which is reserved for Gatehouse: give them other names`;
    findings.push(failed('scope types', text));
  }
  return findings;
}

/** Finds clients with audiences that tokens can't have. */
async function checkAudiences(sql: Sql, config: Config): Promise<Finding[]> {
  const { allAudiences } = await import('../services/tokens/claims.js');
  const audiences = allAudiences(config);
  const clients = await listRows(
    sql,
    `select client_id as text from clients where not string_to_array(allowed_audiences, ' ') <@ $1::text[]`,
    [audiences],
  );
  if (!clients) return [];
  const text = `${clients}: allowedAudiences contains an audience that is not among ${audiences.join(', ')} (AUDIENCES). Change it with updateClient`;
  return [failed('client audiences', text)];
}

/** Finds names that SCIM takes for the same. Where there were such names, a migration left out their unique index. */
async function checkNames(sql: Sql): Promise<Finding[]> {
  const { nameKey } = await import('../services/nameKey.js');
  const sameNames = (table: string, id: string, name: string, key: string, index: string) =>
    listRows(
      sql,
      `select string_agg(format('%s (%s)', ${name}, ${id}), ', ' order by ${name} collate "C", ${id}) as text from ${table}
       where ${name} is not null and to_regclass('${index}') is null group by ${key} having count(*) > 1`,
    );
  const groups = await sameNames(
    'profiles',
    'profile_id',
    'external_group',
    nameKey('external_group'),
    'profiles_external_group_key_unique',
  );
  const names = await sameNames(
    'users',
    'user_guid',
    'user_name',
    `idpname, ${nameKey('user_name')}`,
    'users_idpname_user_name_key_unique',
  );
  const findings: Finding[] = [];
  if (groups)
    findings.push(failed('groups', `${groups} are the same for SCIM: change externalGroup with updateProfile`));
  if (names) findings.push(failed('user names', `${names} are the same for SCIM: change userName with updateUser`));
  return findings;
}

/** Names are compared by the locale of the database, in unique indexes too. It can only be chosen when a database is created. */
async function checkLetters(sql: Sql): Promise<Finding[]> {
  const [row] = await sql.rows<{ name: string; alike: boolean }>(
    `select current_database()::text as name, lower('IÖΣЖ') = 'iöσж' as alike`,
  );
  const text = `The database ${row!.name} does not know that I and i, or Ö and ö, are the same letters, so SCIM takes names that differ only in them for different ones. Create one with locale 'C.UTF-8', or locale_provider icu icu_locale 'und', and restore a dump into it`;
  return row!.alike ? [] : [warned('database', text)];
}

/** Finds users that no ID token can identify any more. */
async function checkUsers(sql: Sql, config: Config): Promise<Finding[]> {
  const { describeUsersOfNoIssuer } = await import('../services/tokens/usersOfNoIssuer.js');
  const text = await describeUsersOfNoIssuer(sql, config);
  return text === undefined ? [] : [failed('users', text)];
}

/** Lists the first of the texts that a statement selects; undefined if it selects none. */
async function listRows(sql: Sql, statement: string, values: unknown[] = []): Promise<string | undefined> {
  const rows = await sql.rows<{ text: string; count: string }>(
    `select text, count(*) over () as count from (${statement}) listed order by text limit ${shownMax}`,
    values,
  );
  return (
    rows[0] &&
    listed(
      rows.map(({ text }) => text),
      Number(rows[0].count),
    )
  );
}

function listed(texts: readonly string[], count: number): string {
  const visibleTexts = texts.slice(0, shownMax).map(printable).join(', ');
  return count > shownMax ? `${visibleTexts} and ${count - shownMax} more` : visibleTexts;
}

/** Returns no finding without a rehearsal. Passes also if clients are not ready: that is no fault of the service. */
const versionMin = 15;
const clockDifferenceMaxMs = 2_000;

export async function checkDatabase(config: Config, areGood: AreGood): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await withDatabase(config, (url) => examineDatabase(config, areGood, config.databaseUrl ?? url, findings));
  } catch (error) {
    findings.push(failed('database', failureText(error)));
  }
  return findings;
}

async function examineDatabase(config: Config, areGood: AreGood, url: string, findings: Finding[]): Promise<void> {
  const [{ connect }, { isDiskFull, requireFit }] = await Promise.all([
    import('../database/connect.js'),
    import('../database/fitness.js'),
  ]);
  const database = await connect({ url, poolMax: 2, timeoutMs: config.databaseTimeoutMs });
  try {
    findings.push(await checkVersion(database));
    await requireFit(database.sql);
    findings.push(...(await checkLetters(database.sql)));
    findings.push(...(await checkEncryption(config, database)));
    if (await isDiskFull(database.sql)) findings.push(failed('disk', diskFullText));
    findings.push(...(await checkReplicas(config)));
    findings.push(await checkClock(database));
    const migrations = await checkMigrations(config, database);
    findings.push(migrations);
    if (!migrations.ok || !(await hasTables(database))) return;
    const privileges = await checkPrivileges(database);
    findings.push(privileges);
    if (!privileges.ok) return;
    if (areGood('KEY_ENCRYPTION_KEY')) findings.push(await checkKeys(config, database));
    findings.push(...(await checkScopes(database.sql)), ...(await checkNames(database.sql)));
    if (areGood('AUDIENCES', 'ADMIN_AUDIENCE')) findings.push(...(await checkAudiences(database.sql, config)));
    findings.push(...(await checkModules(config, areGood, database)));
    if (!areGood('ID_TOKEN_ISSUERS')) return;
    findings.push(await checkDemonstration(config, database), ...(await checkUsers(database.sql, config)));
  } finally {
    await database.close();
  }
}

const diskFullText =
  'the disk of the database is full: enlarge it, or free space outside the data folder; never delete files in pg_wal';

/** Without a replica no request fails, because the primary answers. */
async function checkReplicas({ databaseReplicaUrls, databaseTimeoutMs }: Config): Promise<Finding[]> {
  const what = 'replica';
  const { connect } = await import('../database/connect.js');
  return Promise.all(
    databaseReplicaUrls.map(async (url) => {
      const name = readDatabaseUrl(url)
        .hosts.map((host) => host.name)
        .join(', ');
      try {
        const replica = await connect({ url, poolMax: 1, timeoutMs: databaseTimeoutMs });
        try {
          const [row] = await replica.sql.rows<{ standby: boolean }>('select pg_is_in_recovery() as standby');
          return row!.standby
            ? passed(what, `${name} is a standby`)
            : failed(what, `${name} is no standby: DATABASE_REPLICA_URLS must name standbys of this database`);
        } finally {
          await replica.close();
        }
      } catch (error) {
        return failed(what, `${name}: ${messageOf(error)}. The primary answers its reads`);
      }
    }),
  );
}

async function checkVersion({ sql }: Database): Promise<Finding> {
  const [row] = await sql.rows<{ version: string; is_read_only: boolean; is_standby: boolean }>(
    `select current_setting('server_version') as version, current_setting('transaction_read_only') = 'on' as is_read_only,
       pg_is_in_recovery() as is_standby`,
  );
  const { version, is_read_only: isReadOnly, is_standby: isStandby } = row!;
  const isOld = Number.parseInt(version, 10) < versionMin;
  const old = isOld ? `: ${versionMin} or newer is needed` : '';
  const readOnly = isReadOnly ? `; it takes no writes: ${readOnlyCauses[isStandby ? 'standby' : 'primary']}` : '';
  return { ok: !isOld && !isReadOnly, what: 'database', text: `PostgreSQL ${version}${old}${readOnly}` };
}

/** Says whether the connection is encrypted. Behind a pooler, the server sees only the connection of the pooler. */
async function checkEncryption(config: Config, { sql }: Database): Promise<Finding[]> {
  if (!config.databaseUrl) return [];
  const what = 'database TLS';
  const [row] = await sql.rows<{ version: string | null }>(
    'select version from pg_stat_ssl where pid = pg_backend_pid() and ssl',
  );
  // a start warns of it, and doctor with the settings
  if (databaseCautions(config).length > 0) return [];
  const isChecked = readDatabaseUrl(config.databaseUrl).encryption === 'checked';
  const unencrypted = isChecked ? 'encrypted to the pooler, and not from there' : 'not encrypted, and on this machine';
  return [passed(what, row ? `encrypted (${row.version})` : unencrypted)];
}

async function checkClock({ sql }: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await sql.rows<{ now: string }>('select clock_timestamp() as now');
  const difference = Date.parse(row!.now) - (before + Date.now()) / 2;
  const ok = Math.abs(difference) <= clockDifferenceMaxMs;
  const seconds = (Math.abs(difference) / 1_000).toFixed(3);
  const text = `the database's clock is ${seconds} s ${difference < 0 ? 'behind' : 'ahead of'} this machine's`;
  return {
    ok,
    what: 'clock',
    text: ok ? text : `${text}: synchronize both by NTP, because token lifetimes depend on them`,
  };
}

async function checkMigrations(config: Config, database: Database): Promise<Finding> {
  const what = 'migrations';
  const { allMigrations } = await import('../database/migrations/all.js');
  const { missingMigrations } = await import('../database/migrate.js');
  const missing = await missingMigrations(database.sql);
  if (missing.length === allMigrations.length) return checkRoom(config, database);
  if (missing.length > 0) return failed(what, `${missing.length} to run: bin/gatehouse migrate`);
  const [newest] = await database.sql.rows<{ count: number }>(
    'select count(*)::int as count from migrations where name > $1',
    [allMigrations.at(-1)!.name],
  );
  const newerCount = newest!.count;
  const newer = newerCount > 0 ? `; ${newerCount} of a newer version than this one` : '';
  const { findLeftovers } = await import('../database/finish.js');
  const left = await findLeftovers(database.sql);
  const finish = left.length > 0 ? '; bin/gatehouse migrate --finish removes what the previous version left' : '';
  return passed(what, `all ${allMigrations.length} are there${newer}${finish}`);
}

const tablesOf = (orm: Database['orm']): string[] =>
  [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);

/** Whether the first migration can create its tables. It creates a missing schema `public` itself. */
async function checkRoom({ autoMigrate }: Config, { orm, sql }: Database): Promise<Finding> {
  const what = 'migrations';
  const [room] = await sql.rows<{ may_create: boolean; taken: string[] }>(
    `select coalesce(has_schema_privilege(current_schema(), 'create'), to_regnamespace('public') is null) as may_create,
       array(select tablename::text from pg_tables where schemaname = current_schema() and tablename = any($1) order by 1) as taken`,
    [tablesOf(orm)],
  );
  if (!room!.may_create) return failed(what, `the role may not create tables: ${createAdvice}`);
  if (room!.taken.length > 0)
    return failed(what, `${room!.taken.join(', ')}: tables of another program; give Gatehouse a database of its own`);
  if (!autoMigrate) return failed(what, 'none yet, and AUTO_MIGRATE is no: run bin/gatehouse migrate');
  return passed(what, 'none yet: the first start or bin/gatehouse migrate creates the tables');
}

/** Whether the role may use every table, sequence and function: a restore or a `grant` may have left out a few, which only some requests need. */
async function checkPrivileges({ orm, sql }: Database): Promise<Finding> {
  const what = 'privileges';
  const [row] = await sql.rows<{ role: string; schema: string; missing: string[] }>(
    `with owner as (select relowner as id, relnamespace as place from pg_class where oid = to_regclass('migrations')), own as (
       select oid, relname as name, relkind::text as kind from pg_class
       where relnamespace = (select place from owner) and relkind in ('r', 'S') and (relname = any($1) or relowner = (select id from owner))
       union all select oid, proname, 'f' from pg_proc
       where pronamespace = (select place from owner) and proowner = (select id from owner) and prorettype <> 'trigger'::regtype
     ), missing as (
       select name, string_agg(privilege, ', ' order by place) as privileges from own cross join lateral unnest(
         case kind when 'r' then array['select', 'insert', 'update', 'delete'] when 'S' then array['usage', 'update'] else array['execute'] end
       ) with ordinality needed (privilege, place)
       where not case kind when 'r' then has_table_privilege(oid, privilege) when 'S' then has_sequence_privilege(oid, privilege)
         else has_function_privilege(oid, privilege) end
       group by name
     )
     select quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
       array(select format('%s (%s)', name, privileges) from missing order by 1) as missing`,
    [tablesOf(orm)],
  );
  const { role, schema, missing } = row!;
  if (missing.length === 0) return passed(what, 'the role of DATABASE_URL may use every table, sequence and function');
  const mend = `grant select, insert, update, delete on all tables in schema ${schema} to ${role}; grant usage, select, update on all sequences in schema ${schema} to ${role}; grant execute on all functions in schema ${schema} to ${role};`;
  return failed(
    what,
    `the role ${role} of DATABASE_URL lacks ${listed(missing, missing.length)}. As the owner: ${mend}`,
  );
}

async function hasTables({ sql }: Database): Promise<boolean> {
  const [extension] = await sql.rows<{ all: boolean }>(
    `select to_regclass('signing_keys') is not null and to_regclass('clients') is not null as all`,
  );
  return extension!.all;
}

async function checkKeys({ keyEncryptionKeys, dataDir }: Config, { sql }: Database): Promise<Finding> {
  const what = 'signing keys';
  const { readKeys } = await import('../services/keys/keyStore.js');
  const { openKeyRing } = await import('../auth/keyRing.js');
  const rows = await readKeys(sql);
  if (rows.length === 0) return passed(what, 'none yet: the first start creates them');
  const encryptionKeys = keyEncryptionKeys ?? developmentKeys(dataDir);
  if (encryptionKeys.length === 0)
    return failed(
      what,
      'KEY_ENCRYPTION_KEY is not set, and DATA_DIR has none: set the key that they were encrypted with',
    );
  try {
    const { signing } = openKeyRing(rows, encryptionKeys);
    return passed(what, `${signing.alg} ${signing.kid} signs`);
  } catch (error) {
    return failed(what, failureText(error));
  }
}

async function checkModules(config: Config, areGood: AreGood, { sql }: Database): Promise<Finding[]> {
  const { checks } = await import('../modules/checks.js');
  const encryptionKeys = config.keyEncryptionKeys ?? developmentKeys(config.dataDir);
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check({ sql, config, areGood, encryptionKeys })));
  return findings;
}

function developmentKeys(dataDir: string): Buffer[] {
  const file = join(dataDir, 'key-encryption-key');
  return existsSync(file) ? [Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')] : [];
}

/** Fails in production when the demonstration's client is active, because its secret is public. */
async function checkDemonstration({ idTokenIssuers }: Config, { sql }: Database): Promise<Finding> {
  const what = 'demonstration data';
  const [client] = await sql.rows('select 1 from clients where client_id = $1 and is_active', [demonstrationClientId]);
  if (!client) return passed(what, 'its client is not in use');
  return idTokenIssuers
    ? failed(
        what,
        `its client is active, and its secret is public: bin/gatehouse client deactivate ${demonstrationClientId}`,
      )
    : passed(what, 'its client is active, for development');
}
