/** Records that a file manages and no longer has: found, and removed with all that hangs on them, if that is managed too. */
import type { Context } from '../../context.js';
import { describe } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { GatehouseError } from '../../errors.js';
import { restore, type Use } from '../changes/restore.js';
import { type Columns, nameOf, type Undone } from '../changes/undone.js';
import { subjectKey } from '../history/state.js';
import { execute } from '../sql/execute.js';
import type { ListRows } from '../transfer/parseRows.js';
import { queryOf, selectUnlisted } from '../transfer/statements.js';

/** Holds them to the end of the transaction. */
export async function findUnlisted(
  inside: Context,
  managedBy: string | null,
  lists: readonly ListRows[],
): Promise<Undone[]> {
  if (managedBy === null) return [];
  const query = queryOf(inside.changing!);
  const found: Undone[] = [];
  for (const { list, rows } of lists.filter((each) => each.list.isManageable)) {
    const keys = rows.map(({ values }) => Object.fromEntries(list.key.map((name) => [name, values[name]])));
    const records = await query<{ record: Columns }>(selectUnlisted(list), [JSON.stringify(keys), managedBy]);
    const key = subjectKey(list.description).column;
    found.push(...records.map(({ record }) => goneRecord(list.description.record, String(record[key]), record)));
  }
  return found;
}

const goneRecord = (record: Undone['record'], key: string, now: Columns): Undone => ({
  record,
  key,
  before: null,
  after: now,
  now,
});

/** Throws CONFLICT with what is needed by records that stay. The links of a profile to its scopes are its own, and go with it. */
export async function removeUnlisted(inside: Context, unlisted: readonly Undone[]): Promise<void> {
  const em = inside.changing!;
  const profileIds = unlisted.filter(({ record }) => record === Profile).map(({ key }) => key);
  const links = await execute<{ record: Columns }>(
    em,
    'select to_jsonb(t) as record from profile_access_scopes t where profile_id = any($1::text[])',
    [profileIds],
  );
  const key = subjectKey(describe(ProfileAccessScope)).column;
  const own = links.map(({ record }) => goneRecord(ProfileAccessScope, String(record[key]), record));
  await restore(em, inside, [...unlisted, ...own], stillUsed);
}

const stillUsed = (uses: readonly Use[]): GatehouseError =>
  new GatehouseError('CONFLICT', 'Records that are no longer in the file are needed by others that stay.', {
    problems: Object.fromEntries(
      uses.map(({ of, child }) => [nameOf(of), [`is needed by records of ${child} that this file does not remove`]]),
    ),
  });
