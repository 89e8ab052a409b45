/**
 * The import of an operator's file: adds and updates, never removes (but a profile's `accessScopeGuids` is its whole list),
 * in one transaction with its audit events. The same file again changes nothing; one bad row and nothing is written.
 */
import type { Context } from '../context.js';
import { conflict } from '../errors.js';
import { actorOf, change, permit, raiseCatalogueVersion } from './change.js';
import { keepSecretsStoredSince, readSecrets } from './importClients.js';
import { compare, type Plan } from './importCompare.js';
import { Faults } from './importFaults.js';
import { listNamed } from './importLists.js';
import {
  type ProfileScopesPlan,
  planProfileScopes,
  readScopeLists,
  type ScopeLists,
  writeProfileScopes,
} from './importProfileScopes.js';
import { checkReferences, keyRows, resolveNumbers } from './importReferences.js';
import { type ListRows, readRows } from './importRows.js';
import { checkMerged } from './importRules.js';
import { type Query, queryOf } from './importSql.js';
import { readTokens, withoutSpent } from './importTokens.js';
import { type Author, write } from './importWrite.js';

export interface Imported {
  created: number;
  updated: number;
  /** Links of profiles to access scopes that their list no longer has. */
  removed: number;
  unchanged: number;
}

/** How far the import is: rows compared and written, of the most that there may be. */
export type OnProgress = (done: number, total: number) => void;

/** Throws BAD_USER_INPUT with the faults by path, CONFLICT when somebody else made the same record meanwhile. */
export async function importFile(context: Context, file: unknown, onProgress?: OnProgress): Promise<Imported> {
  permit(context, 'admin:security');
  const faults = new Faults();
  const lists = readRows(file, faults);
  const rowsNamed = (name: string) => lists.find(({ list }) => list.name === name)?.rows ?? [];
  readTokens(context, rowsNamed('tokens'), faults);
  const hashes = await readSecrets(context, rowsNamed('clients'), faults);
  const scopeLists = readScopeLists(rowsNamed('profiles'), faults);
  const author = { actor: actorOf(context), traceId: context.traceId };
  const onRows = counter(lists, onProgress);
  try {
    return await change(context, 'admin:security', async (em) => {
      const query = queryOf(em);
      await query("select pg_advisory_xact_lock(hashtext('gatehouse import'))", []);
      await keepSecretsStoredSince(context, query, rowsNamed('clients'), hashes);
      const plans = await makePlans(query, lists, scopeLists, faults, onRows);
      faults.require();
      const imported = await carryOut(query, plans, author, onRows);
      if (imported.created + imported.updated + imported.removed > 0) await raiseCatalogueVersion(em);
      return imported;
    });
  } catch (error) {
    throw told(error);
  }
}

function counter(lists: ListRows[], onProgress: OnProgress | undefined): (count: number) => void {
  const total = 2 * lists.reduce((sum, { rows }) => sum + rows.length, 0);
  let done = 0;
  return (count) => {
    done += count;
    onProgress?.(done, total);
  };
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html: unique_violation
const told = (error: unknown): unknown =>
  (error as { code?: unknown }).code === '23505'
    ? conflict(
        'Two records would be the same: somebody else made one meanwhile, or two rows exchange their values. Import again, or in two steps.',
      )
    : error;

interface Plans {
  lists: Plan[];
  scopes: ProfileScopesPlan;
}

async function makePlans(
  query: Query,
  lists: ListRows[],
  scopeLists: ScopeLists,
  faults: Faults,
  onRows: (count: number) => void,
): Promise<Plans> {
  await resolveNumbers(query, lists, faults);
  const keyed = new Map(lists.map((each) => [each.list, keyRows(each, faults)]));
  const plans: Plan[] = [];
  for (const each of lists) {
    await checkReferences(query, each, keyed, faults);
    const rows = each.list.name === 'tokens' ? await withoutSpent(query, keyed.get(each.list)!) : keyed.get(each.list)!;
    const plan = await compare(query, each.list, rows, faults, onRows);
    plan.unchanged += keyed.get(each.list)!.size - rows.size;
    checkMerged(plan, faults);
    plans.push(plan);
  }
  const scopesInFile = keyed.get(listNamed('accessScopes'));
  return { lists: plans, scopes: await planProfileScopes(query, scopeLists, scopesInFile, faults) };
}

async function carryOut(query: Query, { lists, scopes }: Plans, author: Author, onRows: (count: number) => void) {
  const imported: Imported = {
    created: scopes.added.length,
    updated: 0,
    removed: scopes.removed.length,
    unchanged: 0,
  };
  for (const plan of lists) {
    await write(query, plan, author, onRows);
    imported.created += plan.inserts.length;
    imported.updated += plan.updates.length;
    imported.unchanged += plan.unchanged;
    onRows(plan.unchanged);
  }
  await writeProfileScopes(query, scopes, author);
  return imported;
}
