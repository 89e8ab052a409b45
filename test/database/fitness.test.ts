/** Databases in which Gatehouse cannot work: a start, `migrate` and `doctor` say why before anything is written. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { examine } from '../../src/cli/doctor.js';
import { failureText } from '../../src/cli/session.js';
import { migrate } from '../../src/database/migrate.js';
import { newConsumer } from '../operations/consumer.js';
import { readAnswer, startTestApp } from '../support/app.js';
import { administer, createDatabase, createMigratedDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: unknown) => failureText(error),
  );
const doctorOf = async (url: string): Promise<string[]> =>
  (await examine({ DATABASE_URL: url, PORT: '0' }, async () => undefined))
    .filter(({ ok, what }) => !ok && ['database', 'privileges'].includes(what))
    .map(({ text }) => text);

it.each([
  'SQL_ASCII',
  'LATIN1',
])('a database in %s is refused by start, migrate and doctor, and stays empty', async (encoding) => {
  const name = `encoding_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`);
  closeAtEnd(() => administer(`drop database ${name} with (force)`));
  const url = new URL((await createDatabase()).url);
  url.pathname = name;
  const reason = expect.stringContaining(`The database ${name} has the encoding ${encoding}`);
  expect(await failureOf(migrate(url.href, 5_000))).toEqual(reason);
  expect(await failureOf(startTestApp({ DATABASE_URL: url.href }))).toEqual(reason);
  expect(await doctorOf(url.href)).toEqual([reason]);
  const client = await openClient(url.href);
  expect((await client.query("select from pg_class where relnamespace = 'public'::regnamespace")).rowCount).toBe(0);
});

it.each([
  ["locale_provider libc locale 'C'", true],
  ["locale_provider icu icu_locale 'tr-TR' locale 'C'", true],
  ["locale_provider icu icu_locale 'de-DE' locale 'C'", false],
])('doctor warns of a database with %s, in which names that differ only in case are not the same: %s', async (locale, isWarned) => {
  const name = `letters_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} encoding 'UTF8' ${locale} template template0`);
  closeAtEnd(() => administer(`drop database ${name} with (force)`));
  const url = new URL((await createDatabase()).url);
  url.pathname = name;
  const findings = await examine({ DATABASE_URL: url.href, PORT: '0' }, async () => undefined);
  const warnings = findings.filter(({ isWarning, what }) => isWarning && what === 'database');
  expect(warnings.map(({ text }) => text)).toEqual(
    isWarned ? [expect.stringContaining(`The database ${name} does not know that`)] : [],
  );
});

it('tables of another role are named with their owner by start, migrate and doctor, and the statement that is named mends it', async () => {
  const { url } = await createMigratedDatabase();
  const role = `restored_"o'_${randomBytes(4).toString('hex')}`;
  const quoted = pg.escapeIdentifier(role);
  await administer(`create role ${quoted} login password 'x'`);
  const superuser = await openClient(url);
  closeAtEnd(async () => {
    await superuser.query(`reassign owned by ${quoted} to current_user; drop owned by ${quoted}`);
    await administer(`drop role ${quoted}`);
  });
  const name = new URL(url).pathname.slice(1);
  await superuser.query(`alter database "${name}" owner to ${quoted}`);
  const own = new URL(url);
  own.username = encodeURIComponent(role);
  own.password = 'x';
  const [{ owner }] = (await superuser.query("select tableowner as owner from pg_tables where tablename = 'users'"))
    .rows as [{ owner: string }];
  const reason = expect.stringContaining(`The tables belong to ${owner}, and the role ${role} of DATABASE_URL may not`);
  expect(await failureOf(migrate(own.href, 5_000))).toEqual(reason);
  expect(await failureOf(startTestApp({ DATABASE_URL: own.href }))).toEqual(reason);
  const [said] = await doctorOf(own.href);
  expect(said).toEqual(reason);
  await superuser.query(/^do [\s\S]*/m.exec(said!)![0]);
  expect(await doctorOf(own.href)).toEqual([]);
  expect(await migrate(own.href, 5_000)).toEqual([]);
  const app = await startTestApp({ DATABASE_URL: own.href });
  const foreign = `select relname from pg_class where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace
    and relowner <> $1::text::regrole`;
  expect((await superuser.query(foreign, [quoted])).rows).toEqual([]);
  await app.close();
});

it('a database whose restore was cut off is refused by start, migrate and doctor, and stays as it is', async () => {
  const { url } = await createMigratedDatabase();
  const client = await openClient(url);
  // pg_restore makes all tables before it fills the first
  await client.query('truncate migrations');
  const reason = expect.stringContaining('has tables of Gatehouse, and no list of its migrations');
  expect(await failureOf(migrate(url, 5_000))).toEqual(reason);
  expect(await failureOf(startTestApp({ DATABASE_URL: url }))).toEqual(reason);
  expect(await doctorOf(url)).toEqual([reason]);
  expect((await client.query('select from migrations')).rowCount).toBe(0);
});

/** A role that owns nothing, and may use all tables and sequences. */
async function newUserOf(url: string) {
  const role = `limited_${randomBytes(4).toString('hex')}`;
  await administer(`create role ${role} login password 'x'`);
  const superuser = await openClient(url);
  closeAtEnd(async () => {
    await superuser.query(`drop owned by ${role}`);
    await administer(`drop role ${role}`);
  });
  await superuser.query(
    `grant select, insert, update, delete on all tables in schema public to ${role};
     grant usage, select, update on all sequences in schema public to ${role}`,
  );
  return { superuser, role, own: Object.assign(new URL(url), { username: role, password: 'x' }) };
}

it('a role that may not use the schema of the tables is told by start, migrate and doctor how it gets the right', async () => {
  const { url } = await createMigratedDatabase();
  const { superuser, role, own } = await newUserOf(url);
  await superuser.query('revoke usage on schema public from public');
  const reason = expect.stringContaining(`The role ${role} of DATABASE_URL may not use the schema public`);
  expect(await failureOf(migrate(own.href, 5_000))).toEqual(reason);
  expect(await failureOf(startTestApp({ DATABASE_URL: own.href }))).toEqual(reason);
  const [said] = await doctorOf(own.href);
  expect(said).toEqual(reason);
  await superuser.query(/grant usage.*/.exec(said!)![0]);
  expect(await doctorOf(own.href)).toEqual([]);
  expect(await migrate(own.href, 5_000)).toEqual([]);
});

it.each([
  ['to create tables', '', 'alter database … owner to it, and check its search_path'],
  ['to connect', 'revoke connect on database %I from public', 'grant connect on database … to it'],
])('a role that lacks the right %s is told by start, migrate and doctor how it gets it', async (_what, statement, advice) => {
  const own = new URL((await createDatabase()).url);
  const role = `limited_${randomBytes(4).toString('hex')}`;
  await administer(`create role ${role} login password 'x'`);
  closeAtEnd(() => administer(`drop role ${role}`));
  if (statement) await administer(statement.replace('%I', `"${own.pathname.slice(1)}"`));
  Object.assign(own, { username: role, password: 'x' });
  const reason = expect.stringContaining(advice);
  expect(await failureOf(migrate(own.href, 5_000))).toEqual(reason);
  expect(await failureOf(startTestApp({ DATABASE_URL: own.href }))).toEqual(reason);
  const findings = await examine({ DATABASE_URL: own.href, PORT: '0' }, async () => undefined);
  expect(findings.filter(({ ok }) => !ok).map(({ text }) => text)).toEqual([reason]);
});

it('doctor names each table, sequence and function that the role may not use, and the statement that it shows mends it', async () => {
  const { url } = await createMigratedDatabase();
  const { superuser, role, own } = await newUserOf(url);
  expect(await doctorOf(own.href)).toEqual([]);
  await superuser.query(
    `revoke insert on review_items from ${role}; revoke update, delete on console_sessions from ${role};
     revoke usage, update on sequence reviews_review_id_seq from ${role}; revoke execute on function fold_text(text) from public`,
  );
  const [said] = await doctorOf(own.href);
  expect(said).toContain(
    `the role ${role} of DATABASE_URL lacks "console_sessions (update, delete)", "fold_text (execute)", "review_items (insert)", "reviews_review_id_seq (usage, update)".`,
  );
  await superuser.query(/As the owner: (.*)/.exec(said!)![1]!);
  expect(await doctorOf(own.href)).toEqual([]);
});

it('a service whose role may no longer use what each exchange and renewal needs is not ready, and says which', async () => {
  const { url } = await createMigratedDatabase();
  const { superuser, role, own } = await newUserOf(url);
  const app = await startTestApp({ DATABASE_URL: own.href });
  const consumer = await newConsumer(app);
  const readyz = async () => {
    const { status, json } = await readAnswer(await fetch(`${app.url}/readyz`));
    return [status, json.checks.database];
  };
  expect((await consumer.exchange()).status).toBe(200);
  // an administrator's table does not make /token fail
  await superuser.query(`revoke select on reviews from ${role}`);
  expect(await readyz()).toEqual([200, 'ok']);
  await superuser.query(`revoke insert, update on tokens from ${role}; revoke select on users from ${role}`);
  expect((await consumer.exchange()).status).toBe(503);
  expect(app.logged()).toContain('the role of DATABASE_URL lacks a right: bin/gatehouse doctor names it');
  expect(await readyz()).toEqual([
    503,
    'the role of DATABASE_URL may not use users (select), tokens (insert), tokens (update)',
  ]);
  await superuser.query(`grant insert, update on tokens to ${role}; grant select on users to ${role}`);
  expect(await readyz()).toEqual([200, 'ok']);
  await superuser.query(`revoke select on signing_keys from ${role}`);
  expect(await readyz()).toEqual([503, 'the role of DATABASE_URL lacks a right: bin/gatehouse doctor names it']);
  await app.close();
});
