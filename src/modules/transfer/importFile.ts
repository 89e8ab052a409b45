/**
 * The import of an operator's file: adds and updates, never removes (but a profile's `accessScopeGuids` is its whole list),
 * in one transaction with its audit events. The same file again changes nothing; one bad row and nothing is written.
 */
import type { Context, EntityManager } from '../../context.js';
import { conflict, GatehouseError, type Problems } from '../../errors.js';
import { nameKeyOf } from '../../services/nameKey.js';
import { lockProfiles, raiseProfileRevisions } from '../../services/people/profiles.js';
import { permit } from '../../services/permit.js';
import { change } from '../../services/records/change.js';
import { allAudiences } from '../../services/tokens/claims.js';
import { endSessionsOfUsers } from '../../services/tokens/endSessions.js';
import { adviceFor, needsIdpname } from '../../services/tokens/usersOfNoIssuer.js';
import { timeText } from '../../sql.js';
import { keepNewerSecrets, readSecrets } from './clientSecrets.js';
import { Faults, Findings } from './findings.js';
import { listNamed } from './importLists.js';
import type { ImportChecks, Plan } from './importPlan.js';
import { planList } from './plan.js';
import {
  type ProfileScopesPlan,
  planProfileScopes,
  readScopeLists,
  type ScopeLists,
  writeProfileScopes,
} from './profileScopes.js';
import { type ImportRow, type ListRows, readRows } from './readRows.js';
import { checkOwners, checkReferences, keyRows, resolveNumbers } from './references.js';
import { readTokens, withoutRenewed } from './renewalTokens.js';
import { type Query, queryIn } from './statements.js';
import { writePlan } from './write.js';

export interface Imported {
  created: number;
  updated: number;
  /** Links of profiles to access scopes that are not in their list. */
  removed: number;
  /** Unchanged records and links of profiles to access scopes. */
  unchanged: number;
  /** Differences from the file that stay because they were changed here, by path. */
  kept: Problems;
  /** Values that were changed here and replaced by the file, by path. */
  reset: Problems;
}

export interface ImportOptions {
  /** Secrets and isActive of clients are taken from the file, even if they were changed here. */
  resetClients?: boolean;
  /** Called after the import with values that were accepted although they would be refused in new records, by path; not called if there are none. */
  onWarnings?: (warnings: Problems) => void;
  /** Called with the progress of the import, in rows. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Imports a file in one transaction. Throws BAD_USER_INPUT with the faults by path, CONFLICT when somebody else changed a
 * named record at the same time.
 */
export async function importFile(context: Context, file: unknown, options: ImportOptions = {}): Promise<Imported> {
  permit(context, 'admin:security');
  const faults = new Faults(context);
  const lists = readRows(file, faults, context.config.timeZone);
  readTokens(context, rowsNamed(lists, 'tokens'), faults);
  const hashes = await readSecrets(context, rowsNamed(lists, 'clients'), faults);
  const scopeLists = readScopeLists(rowsNamed(lists, 'profiles'), faults, context.config.timeZone);
  const checks = openChecks(context, faults, { reset: options.resetClients ? new Findings() : undefined });
  const onRows = counter(lists, options.onProgress);
  const work = async (em: EntityManager) => {
    const query = await lockImports(em);
    await keepNewerSecrets(context, query, rowsNamed(lists, 'clients'), hashes);
    return importRows(em, context, { lists, scopeLists }, checks, onRows);
  };
  const done = await change(context, 'admin:security', work, { stamps: 'brought' });
  if (checks.warnings.count > 0) options.onWarnings?.(checks.warnings.toProblems());
  return done;
}

const rowsNamed = (lists: ListRows[], name: string): ImportRow[] =>
  lists.find(({ list }) => list.name === name)?.rows ?? [];

/** The checks that are complete before the transaction. */
type ReadChecks = Omit<ImportChecks, 'now'>;

export function openChecks(
  { config }: Context,
  faults: Faults,
  more: Partial<Pick<ImportChecks, 'reset' | 'isManaged' | 'takesOver' | 'leavingProfiles'>> = {},
): ReadChecks {
  return {
    faults,
    kept: new Findings(),
    reset: undefined,
    warnings: new Findings(),
    audiences: allAudiences(config),
    withoutIdpname: needsIdpname(config) ? adviceFor(config) : undefined,
    ...more,
  };
}

/** One import at a time. */
export async function lockImports(em: EntityManager): Promise<Query> {
  const query = queryIn(em);
  await query("select pg_advisory_xact_lock(hashtext('gatehouse import'))", []);
  return query;
}

/** The lists of a file that are written. */
export interface ReadRows {
  lists: ListRows[];
  scopeLists: ScopeLists;
}

/** Writes the rows in a transaction that has the lock. Throws BAD_USER_INPUT with the faults, those of reading too, and CONFLICT. */
export async function importRows(
  em: EntityManager,
  context: Context,
  { lists, scopeLists }: ReadRows,
  read: ReadChecks,
  onRows: (count: number) => void,
): Promise<Imported> {
  const query = queryIn(em);
  const [{ now } = { now: '' }] = await query<{ now: string }>(`select ${timeText('now()')} as now`, []);
  const checks: ImportChecks = { ...read, now };
  const plans = await makePlans(query, lists, scopeLists, checks, onRows);
  checks.faults.require();
  try {
    const profileIds = profilesWithChanges(plans);
    await lockProfiles(em, profileIds);
    const imported = await carryOut(query, plans, checks, onRows);
    await endSessionsOfBlocked(em, context, planOf(plans.lists, 'users'));
    if (profileIds.length > 0) await raiseProfileRevisions(em, profileIds);
    return imported;
  } catch (error) {
    throw toImportError(error, plans);
  }
}

/** Counts the progress: half of a row when it is compared, the other half when it is written. */
export function counter(lists: ListRows[], onProgress: ImportOptions['onProgress']): (count: number) => void {
  const total = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  let done = 0;
  return (count) => {
    done += count / 2;
    onProgress?.(Math.floor(done), total);
  };
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const conflicts: Record<string, string> = {
  // unique_violation
  23505:
    'Two records would be the same: somebody else created one in the meantime, or two rows exchange their values. Import again, or in two steps.',
  // not_null_violation, foreign_key_violation: a record that others refer to is gone
  23502: 'In the meantime somebody else removed a record that the file refers to. Import again.',
  23503: 'In the meantime somebody else removed a record that the file refers to. Import again.',
  // deadlock_detected
  '40P01': 'Somebody else changed the same records at the same time. Import again.',
};

/** Turns the database's errors about rows into errors for the person who imports them. */
function toImportError(error: unknown, plans: Plans): unknown {
  const { code, ...broken } = error as { code?: unknown; constraint?: string; detail?: string };
  const text = conflicts[String(code)];
  if (text === undefined) return error;
  const problems = findTakenNames(broken, plans);
  return problems ? new GatehouseError('CONFLICT', text, { problems }) : conflict(text);
}

/** The rows whose name another record has, from the key in the database's words; undefined if it is about no such name. */
function findTakenNames(
  { constraint = '', detail = '' }: { constraint?: string; detail?: string },
  { lists }: Plans,
): Problems | undefined {
  const [, of] = /^(users_idpname_user_name|profiles_external_group)(?:_key)?_unique$/.exec(constraint) ?? [];
  const [, taken] = /=\((.{1,2000})\)/s.exec(detail) ?? [];
  if (of === undefined || taken === undefined) return undefined;
  const { list, inserts, updates } = planOf(lists, of.split('_')[0]!);
  const property = list.foundByScim.at(-1)!;
  const [first, ...others] = [...inserts, ...updates].filter(
    ({ values }) => nameKeyOf(list.foundByScim.map((name) => values[name]).join(', ')) === nameKeyOf(taken),
  );
  if (!first) return undefined;
  const isSame = others.map(({ row }) => [`${row.path}.${property}`, [`is the same as in ${first.row.path}`]]);
  const isTaken = [[`${first.row.path}.${property}`, ["is another record's in the database"]]];
  return Object.fromEntries(isSame.length > 0 ? isSame : isTaken);
}

interface Plans {
  lists: Plan[];
  scopes: ProfileScopesPlan;
}

async function makePlans(
  query: Query,
  lists: ListRows[],
  scopeLists: ScopeLists,
  checks: ImportChecks,
  onRows: (count: number) => void,
): Promise<Plans> {
  const { faults, kept } = checks;
  await resolveNumbers(query, lists, faults);
  const keyed = new Map(lists.map((list) => [list.list, keyRows(list, faults)]));
  const plans: Plan[] = [];
  for (const list of lists) {
    await checkReferences(query, list, keyed, faults);
    const all = keyed.get(list.list)!;
    const rows = list.list.name === 'tokens' ? await withoutRenewed(query, all, kept) : all;
    const plan = await planList(query, list.list, rows, checks, onRows);
    await checkOwners(query, plan, keyed.get(listNamed('profiles')), checks);
    plan.unchanged += all.size - rows.size;
    plans.push(plan);
  }
  const scopesInFile = keyed.get(listNamed('accessScopes'));
  return { lists: plans, scopes: await planProfileScopes(query, scopeLists, scopesInFile, checks) };
}

async function carryOut(
  query: Query,
  { lists, scopes }: Plans,
  checks: ImportChecks,
  onRows: (count: number) => void,
): Promise<Imported> {
  const imported = {
    created: scopes.added.length,
    updated: scopes.changed.length,
    removed: scopes.removed.length,
    unchanged: scopes.unchanged,
  };
  for (const plan of lists) {
    // right after the records that they link; records that requests use come last
    if (plan.list.name === 'userProfiles') await writeProfileScopes(query, scopes);
    const { created, updated, unchanged } = await writePlan(query, plan, checks, onRows);
    imported.created += created;
    imported.updated += updated;
    imported.unchanged += unchanged;
  }
  return { ...imported, kept: checks.kept.toProblems(), reset: checks.reset?.toProblems() ?? {} };
}

/** As single changes do. */
async function endSessionsOfBlocked(em: EntityManager, context: Context, { updates }: Plan): Promise<void> {
  const blocked = updates.filter(({ changed, values }) => changed?.includes('isBlocked') && values.isBlocked === true);
  const guids = blocked.map(({ values }) => String(values.userGuid));
  if (guids.length > 0) await endSessionsOfUsers(em, context, guids);
}

/** Ids of the profiles whose holders or scopes change, which raises their revisions. */
function profilesWithChanges({ lists, scopes: { added, changed, removed } }: Plans): string[] {
  const { inserts, updates } = planOf(lists, 'userProfiles');
  const linked = [...inserts, ...updates].map(({ values }) => String(values.profileId));
  return [...new Set([...linked, ...[...added, ...changed, ...removed].map(({ profileId }) => profileId)])];
}

const planOf = (lists: readonly Plan[], name: string): Plan => lists.find(({ list }) => list.name === name)!;
