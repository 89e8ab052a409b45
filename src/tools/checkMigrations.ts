/** Checks migrations for changes that harm a running service, and schema changes for those that break clients. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';
import { allMigrations } from '../database/migrations/all.js';

function git(folder: string | URL, ...words: string[]): string {
  const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout : '';
}

interface Release {
  version: string;
  /** A name of the commit for git. */
  commit: string;
}

/**
 * The newest tag `v…` before the present commit, or in a clone without tags the newest commit `release: VERSION`; undefined
 * before the first release, and where git knows neither (a shallow clone, no git).
 */
export function findLastRelease(folder: string | URL): Release | undefined {
  const tag = git(folder, 'describe', '--tags', '--abbrev=0', '--match', 'v*').trim();
  if (tag) return { version: tag.slice(1), commit: tag };
  const [, commit, version] = /^(\S+) release: (\S+)$/m.exec(git(folder, 'log', '--format=%H %s')) ?? [];
  return commit && version ? { version, commit } : undefined;
}

export const schemaOf = (folder: string | URL, { commit }: Release): string =>
  git(folder, 'show', `${commit}:schema.graphql`);

/**
 * A sentence for each breaking change, except those that the change log has word for word above the section of the release. A
 * section that already has the next version's name counts, because its tag comes after the commit that names it.
 */
export function findUnannouncedBreaks(before: string, after: string, changelog: string, version: string): string[] {
  const [sinceRelease = ''] = changelog.split(`\n## [${version}]`);
  return findBreakingChanges(buildSchema(before), buildSchema(after))
    .map(({ description }) => description)
    .filter((description) => !sinceRelease.includes(description));
}

/**
 * Finds statements of a migration that break the previous version, or that lock a table for long. An exception is declared in
 * its file: `// allow <rule>: why it does no harm`.
 */
interface Danger {
  rule: string;
  statement: string;
  fix: string;
}

interface Rule {
  rule: string;
  fix: string;
  matches: RegExp;
}

const rules: Rule[] = [
  { rule: 'drop-table', fix: 'leave it until no version reads it', matches: /^drop table/ },
  { rule: 'drop-column', fix: 'leave it until no version reads it', matches: /\bdrop column\b/ },
  { rule: 'rename', fix: 'add the new name, fill it, and drop the old one in a later release', matches: /\brename\b/ },
  {
    rule: 'change-type',
    fix: 'add a column of the new type and fill it',
    matches: /\balter column \S+ (set data )?type\b/,
  },
  {
    rule: 'required-column',
    fix: 'give it a default, or make it nullable: the version before inserts without it',
    matches: /\badd (column )?(?!constraint)(?!.*\bdefault\b)(?!.*\bgenerated\b)\S+ .*\bnot null\b/,
  },
  {
    rule: 'set-not-null',
    fix: 'add a check constraint `not valid`, and validate it first',
    matches: /\bset not null\b/,
  },
  {
    rule: 'rewrite',
    fix: 'add it without the default, and fill it in batches',
    matches:
      /\badd (column )?(?!constraint).*(\bdefault (gen_random_uuid|random|clock_timestamp|nextval)|\bstored\b|\bas identity\b)|^vacuum full|^cluster\b/,
  },
  {
    rule: 'index',
    fix: 'create it concurrently, in a migration of its own that is not transactional',
    matches: /^create (unique )?index (?!concurrently)|\badd constraint \S+ (unique|primary key) \(/,
  },
  {
    rule: 'constraint',
    fix: 'add it `not valid`, and validate it in a later migration',
    matches: /\badd constraint \S+ (foreign key|check)\b(?!.*\bnot valid\b)/,
  },
];

/** @param statements what the migration runs @param source its file, for what it allows */
export function findDangers(statements: readonly string[], source: string): Danger[] {
  const allowed = new Set([...source.matchAll(/\/\/ allow ([a-z-]+): \S/g)].map(([, rule]) => rule));
  const plain = statements.map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase());
  const newTables = new Set(
    plain.flatMap((statement) => /^create table (?:if not exists )?(\S+)/.exec(statement)?.[1] ?? []),
  );
  return plain
    .filter((statement) => !newTables.has(tableOf(statement) ?? ''))
    .flatMap((statement) =>
      rules
        .filter(({ rule, matches }) => !allowed.has(rule) && matches.test(statement))
        .map(({ rule, fix }) => ({ rule, fix, statement: statement.slice(0, 200) })),
    );
}

/** The table that is altered or indexed; a table that the same migration creates is empty and unused. */
const tableOf = (statement: string): string | undefined =>
  (/^alter table (?:if exists )?(?:only )?(\S+)/.exec(statement) ??
    /^create (?:unique )?index .*? on (\S+)/.exec(statement))?.[1];

/** Makes an empty database. */
const first = 'Migration20261125192500';

/** Returns a sentence for each danger. @param folder of the migrations' sources */
export async function checkMigrations(folder: URL): Promise<string[]> {
  const dangers: string[] = [];
  for (const { name, class: Migration } of allMigrations) {
    if (name === first) continue;
    // collecting the statements needs no database
    const migration = new Migration(undefined as never, undefined as never);
    await migration.up();
    const statements = migration.getQueries().map(String);
    for (const { rule, statement, fix } of findDangers(statements, readFileSync(new URL(`${name}.ts`, folder), 'utf8')))
      dangers.push(`${name}: ${rule}: ${fix}; or say // allow ${rule}: why\n    ${statement}`);
  }
  return dangers;
}
