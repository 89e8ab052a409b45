/** Whether Gatehouse can work in a database, before anything is written to it: for a start, for `migrate` and for `doctor`. */
import type { Sql } from '../sql.js';
import { allMigrations } from './migrations/all.js';

interface Facts {
  encoding: string;
  role: string;
  name: string;
  schema: string | null;
  /** Roles that own tables which this role may not use. */
  owners: string[];
  /** Whether there is a table of migrations. */
  migrated: boolean;
  /** Whether the role may not use the schema `public`, and has no other. */
  shutOut: boolean;
}

// the tables of this program have one of these two: `migrations` from the first start on
const factsStatement = `select current_setting('server_encoding') as encoding, current_user::text as role,
  current_database()::text as name, current_schema()::text as schema,
  array(select distinct tableowner::text from pg_tables where schemaname = current_schema()
    and to_regclass('migrations') is not null and not pg_has_role(tableowner, 'usage')
    and not has_table_privilege(format('%I.%I', schemaname, tablename), 'select')
    order by 1) as owners, to_regclass('migrations') is not null as migrated,
  current_schema() is null and has_schema_privilege(to_regnamespace('public'), 'usage') is false as "shutOut"`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The statement that gives everything in the schema, except what belongs to extensions, to the role. */
function ownershipStatement({ schema, role }: Facts): string {
  const namespace = `${literal(quoted(schema!))}::regnamespace`;
  const owned = `owner to ${quoted(role).replaceAll("'", "''")}`;
  return `do $$ declare command text; begin
  for command in
    select format('alter table %s ${owned}', oid::regclass) from pg_class where relkind in ('r', 'v') and relnamespace = ${namespace}
    union all
    select format('alter routine %s ${owned}', oid::regprocedure) from pg_proc where pronamespace = ${namespace}
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  loop execute command; end loop;
end $$;`;
}

/** Gatehouse cannot work in this database. The message says why, and what to do. */
class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit';
}

/** Throws DatabaseUnfit. Writes nothing. */
export async function requireFit(sql: Sql): Promise<void> {
  const unfit = await findUnfit(sql);
  if (unfit) throw new DatabaseUnfit(unfit);
}

/** Returns why Gatehouse cannot work in this database; undefined if nothing speaks against it. */
async function findUnfit(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.rows<Facts>(factsStatement);
  const facts = row!;
  if (facts.encoding !== 'UTF8')
    return `The database ${facts.name} has the encoding ${facts.encoding}, which cannot hold every name: create it with encoding 'UTF8' template template0.`;
  if (facts.shutOut)
    return `The role ${facts.role} of DATABASE_URL may not use the schema public of the database ${facts.name}. Run this there as its owner:\ngrant usage, create on schema public to ${quoted(facts.role)};`;
  if (facts.owners.length === 0) return facts.migrated ? findWrongMigrations(sql, facts) : undefined;
  return `The tables belong to ${facts.owners.join(', ')}, and the role ${facts.role} of DATABASE_URL may not use them, for example after a restore as another role. Run this in the database ${facts.name} as a superuser:\n${ownershipStatement(facts)}`;
}

/** The first migration makes the schema of 1.0.0-rc.1, under the name of that version's last migration. */
async function findWrongMigrations(sql: Sql, { name }: Facts): Promise<string | undefined> {
  const [row] = await sql.rows<{ count: number; first: boolean; tables: boolean }>(
    `select count(*)::int as count, count(*) filter (where name = $1) > 0 as first,
       to_regclass('catalogue_version') is not null as tables from migrations`,
    [allMigrations[0]!.name],
  );
  const { count, first, tables } = row!;
  // a migration makes its tables and its row in one transaction
  if (count === 0 && tables)
    return `The database ${name} has tables of Gatehouse, and no list of its migrations: a restore was cut off, or was without data. Restore into a new, empty database.`;
  if (count === 0 || first) return undefined;
  return `The database ${name} is of a version before 1.0.0-rc.1: run \`bin/gatehouse migrate\` of 1.0.0-rc.1 first.`;
}

/** The bytes of a segment of PostgreSQL's log, in rows that are not compressed. A disk without room for one is full. */
const trialRows = 8_192;
const trialStatement = `create temporary table gatehouse_trial on commit drop as
  select repeat(md5(row::text), 59) as text from generate_series(1, ${trialRows}) row`;
const diskFull = '53100';
/** Role or database do not allow temporary tables, or it takes no writes: other checks tell. */
const untried = new Set(['42501', '25006']);

/** Whether the disk of the database has no room for 16 MB. Writes them to a temporary table that is removed at once. */
export async function isDiskFull(sql: Sql): Promise<boolean> {
  try {
    await sql.transaction(({ rows }) => rows(trialStatement));
    return false;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === diskFull) return true;
    if (untried.has(String(code))) return false;
    throw error;
  }
}
