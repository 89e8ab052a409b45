/** Applies several changes in their order as one change set, all or nothing, or shows in a dry run what they would do. */
import type { Context } from '../../context.js';
import { versionStatement } from '../../entities/catalogueVersion.js';
import { isStorable } from '../../entities/valueForms.js';
import { badInput, conflict, GatehouseError, type Problems, tooLarge } from '../../errors.js';
import { lockProfiles } from '../../services/people/profiles.js';
import { permit } from '../../services/permit.js';
import type { Row } from '../../services/read/select.js';
import { type ChangeOptions, lockChanges, raiseVersion } from '../../services/records/change.js';
import { requireNote } from '../../services/records/changeNote.js';
import { changeOrTry } from '../../services/records/changeOrTry.js';
import { describeChangeSet, getChangeSetId } from './describeChangeSet.js';
import { type ComputedEffect, readEffect, readPastEffect } from './effect.js';
import type { CarriedOut, CountedEffect } from './outcomes.js';
import { changeItemsMax, changesMax, type PlannedChange } from './plannedChange.js';
import { restoreChangeSet } from './undo.js';

interface ApplyOptions {
  dryRun?: boolean;
  /** The reason, at most 1,000 characters. */
  note?: string | null;
  /** The catalogue version that was read: CONFLICT if any record has changed since. */
  ifCatalogueVersion?: string | null;
  /** The requested details of the change set besides its own fields, read in the same transaction. */
  details?: { events: boolean; effect: boolean; outcomes?: false; removedUsers?: boolean };
  /** A few changes of a trial do not wait for larger change sets, like single mutations. */
  isSmall?: boolean;
  /** Runs first in the transaction; what it throws rolls everything back. */
  begin?: (inside: Context) => Promise<void>;
  /**
   * Judges the effect of the changes, which must be requested: what it throws rolls everything back. Runs again with the effect
   * as it is then if other changes were committed meanwhile.
   */
  judge?: (inside: Context, effect: CountedEffect) => Promise<void>;
  /** Runs last in the transaction; what it throws rolls everything back. */
  finish?: (inside: Context) => Promise<void>;
}

/** A change set as it is returned to its author. */
export interface AppliedChangeSet {
  /** The row as the graph returns it. */
  row: Row;
  /** Nothing was changed: it was a dry run, or nothing differed. */
  isDryRun: boolean;
  /** The events of a dry run, which can't be read any more. */
  events: Row[] | undefined;
  effect: ComputedEffect | undefined;
  /** Users that were removed for good, if that was requested. */
  removedUsers: number | undefined;
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT, FORBIDDEN keyed by the change's place, and TOO_LARGE. */
export async function applyChanges(
  context: Context,
  changes: readonly PlannedChange[],
  options: ApplyOptions,
): Promise<AppliedChangeSet> {
  const result = await makeChanges(context, changes, options);
  const { row, isDryRun, effect } = result;
  if (!effect) return { ...result, effect: undefined };
  const requestLength = JSON.stringify(changes.map(({ parts }) => parts)).length;
  const countAgain: ComputedEffect['countAgain'] = async (later) =>
    isDryRun
      ? (await applyChanges(later, changes, { ...options, dryRun: true, ifCatalogueVersion: null })).effect
      : readPastEffect(later, String(row.changeSetId));
  return { ...result, effect: { ...effect, version: row.catalogueVersion as string, requestLength, countAgain } };
}

type CountedChangeSet = Omit<AppliedChangeSet, 'effect'> & { effect: CountedEffect | undefined };

async function makeChanges(
  context: Context,
  changes: readonly PlannedChange[],
  { dryRun = false, note = null, ifCatalogueVersion, details, isSmall = false, begin, judge, finish }: ApplyOptions,
): Promise<CountedChangeSet> {
  permit(context, 'admin:write');
  requireSize(changes);
  requireNote(note);
  const withOutcomes = details?.effect === true && details.outcomes !== false;
  const undone = changes.find(({ undoes }) => undoes !== undefined);
  if (undone && changes.length > 1) throw badInput({ [undone.place()]: ['An undo must be the only change.'] });
  const options: ChangeOptions = { note, ...(undone && { undoesId: await getChangeSetId(context, undone.undoes!) }) };
  // an empty version differs from every other one
  const isLocked = typeof ifCatalogueVersion === 'string';
  return changeOrTry(
    context,
    'admin:write',
    dryRun ? false : (result: CountedChangeSet) => !result.isDryRun || finish !== undefined,
    async (inside) => {
      if (!isSmall) await lockChanges(inside);
      const timeLeft = trialTime(inside);
      await begin?.(inside);
      const profileIds = profilesIn(changes);
      if (profileIds.length > 0) await lockProfiles(inside.changing!, profileIds);
      const before = await readVersion(inside);
      if (isLocked && ifCatalogueVersion !== before) throw catalogueChanged();
      return { before, carriedOut: await carryOut(inside, changes, withOutcomes, timeLeft) };
    },
    async (inside, { before, carriedOut }) => {
      const isDryRun = dryRun || !(await hasChangeSet(inside));
      const readJudged = async () => {
        const effect = await readEffect(inside, withOutcomes ? carriedOut : []);
        await judge?.(inside, effect);
        return effect;
      };
      const effect = details?.effect ? await readAtOnce(inside, isDryRun, readJudged) : undefined;
      if (!dryRun) await raiseVersion(inside);
      if (isLocked) await requireNoOther(inside, before, !isDryRun);
      await finish?.(inside);
      const { row, events } = await describeChangeSet(inside, isDryRun && (details?.events ?? false));
      const removedUsers = details?.removedUsers
        ? (await countRemovedUsers(inside, [String(row.changeSetId)]))[0]
        : undefined;
      // nothing was changed, so the records that were read are still current
      const ownRow = isDryRun ? { ...row, catalogueVersion: before } : row;
      return { row: ownRow, isDryRun, events, effect, removedUsers };
    },
    options,
  );
}

/** Ids of the profiles that the changes name: they are locked before users, in whichever order the changes are. */
const profilesIn = (changes: readonly PlannedChange[]): string[] =>
  changes
    .flatMap(({ parts = [] }) => parts.map(({ value }) => value.profileId))
    .filter((id) => typeof id === 'string')
    .filter(isStorable);

/** Undoes a change set, as a new one; see `restoreChangeSet`. */
export const undoChangeSet = (
  context: Context,
  changeSetGuid: string,
  options: Pick<ApplyOptions, 'dryRun' | 'note' | 'details'>,
): Promise<AppliedChangeSet> =>
  applyChanges(
    context,
    [
      {
        changes: 1,
        items: 1,
        undoes: changeSetGuid,
        place: () => 'changeSetGuid',
        apply: (inside) => restoreChangeSet(inside, changeSetGuid),
      },
    ],
    options,
  );

function requireSize(changes: readonly PlannedChange[]): void {
  const sum = (of: 'changes' | 'items') => changes.reduce((total, change) => total + change[of], 0);
  if (sum('changes') > changesMax) throw tooLarge(`A change set has at most ${changesMax} changes.`);
  if (sum('items') > changeItemsMax) throw tooLarge(`A change set has at most ${changeItemsMax} items.`);
}

/** The number of users that each change set removed. Their personal data is not kept, so no undo restores them. */
export async function countRemovedUsers(
  { sql }: Pick<Context, 'sql'>,
  changeSetIds: readonly string[],
): Promise<number[]> {
  const rows = await sql.rows<{ id: string; count: number }>(
    `select change_set_id::text as id, count(*)::int as count from record_versions
     where change_set_id = any($1::bigint[]) and record_table = 'users' and after is null group by 1`,
    [[...changeSetIds]],
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return changeSetIds.map((id) => counts.get(id) ?? 0);
}

const catalogueChanged = (): GatehouseError => conflict('The catalogue has changed since it was read.');

export async function readVersion({ sql }: Pick<Context, 'sql'>): Promise<string> {
  const [row] = await sql.rows<{ version: string }>(versionStatement);
  return row!.version;
}

/** Whether anything was changed: the first changed record creates the set. */
export async function hasChangeSet({ sql }: Context): Promise<boolean> {
  const statement = "select coalesce(current_setting('gatehouse.change_set', true), '') <> '' as made";
  const [set] = await sql.rows<{ made: boolean }>(statement);
  return set!.made;
}

/** Throws `error` if another transaction raised the version since. */
export async function requireNoOther(
  inside: Context,
  before: string,
  isRaised: boolean,
  error = catalogueChanged(),
): Promise<void> {
  if (await isChangedByOthers(inside, before, isRaised)) throw error;
}

/**
 * Reads in several statements what must be of one moment. If another change was committed meanwhile, it reads once more, and lets
 * further ones wait; those of a change that is kept wait in any case until its commit.
 */
export async function readAtOnce<T>(inside: Context, isDryRun: boolean, read: () => Promise<T>): Promise<T> {
  const before = await readVersion(inside);
  const first = await read();
  if (!isDryRun) await raiseVersion(inside);
  if (!(await isChangedByOthers(inside, before, !isDryRun))) return first;
  if (isDryRun) await raiseVersion(inside);
  return read();
}

/** @param isRaised whether the current transaction raised the version, which it does at most once */
async function isChangedByOthers(inside: Context, before: string, isRaised: boolean): Promise<boolean> {
  const number = (version: string) => BigInt(version.slice(0, version.indexOf('.')));
  return number(await readVersion(inside)) > number(before) + (isRaised ? 1n : 0n);
}

/** The milliseconds that are left to a trial. It holds the lock of changes no longer than a statement may take: others wait for it. */
export function trialTime({ isDryRun, config }: Context): () => number {
  const { databaseStatementTimeoutMs: limitMs } = config;
  const endsAt = isDryRun && limitMs > 0 ? performance.now() + limitMs : Number.POSITIVE_INFINITY;
  return () => endsAt - performance.now();
}

/** SQL: the last number of a version, so that it is known which change wrote which ones. */
const lastVersion = `select pg_sequence_last_value(pg_get_serial_sequence('record_versions', 'record_version_id')::regclass)::text as last`;

/** Faults of inputs are reported together; any other error ends the attempt. Returns the changes that callers sent. */
async function carryOut(
  inside: Context,
  changes: readonly PlannedChange[],
  withVersions: boolean,
  timeLeft: () => number,
): Promise<CarriedOut[]> {
  const faults: Problems = {};
  const carriedOut: CarriedOut[] = [];
  for (const change of changes) {
    if (timeLeft() < 0) throw tooLarge('Trying the changes takes too long: make them in parts.');
    try {
      await change.apply(inside);
      // the next change reads its records again, and isn't compared with everything that was changed before
      inside.changing!.clear();
      const { parts } = change;
      if (!parts) continue;
      const [version] =
        withVersions && changes.length > 1 ? await inside.sql.rows<{ last: string | null }>(lastVersion) : [];
      carriedOut.push({ parts, ...(version && { until: BigInt(version.last ?? 0) }) });
    } catch (error) {
      const placed = placeProblems(error, change);
      if (!(placed instanceof GatehouseError)) throw placed;
      if (placed.code !== 'BAD_USER_INPUT') {
        if (Object.keys(faults).length > 0) break;
        throw placed;
      }
      Object.assign(faults, placed.more.problems);
      inside.changing!.clear();
    }
  }
  if (Object.keys(faults).length > 0) throw badInput(faults);
  return carriedOut;
}

const placed = new Set(['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'TOO_LARGE']);

function placeProblems(error: unknown, change: PlannedChange): unknown {
  if (!(error instanceof GatehouseError) || !placed.has(error.code)) return error;
  const { problems = { '': [error.message] } } = error.more;
  const entries = Object.entries(problems).map(([path, texts]) => [change.place(path || undefined), texts]);
  return new GatehouseError(error.code, error.message, { ...error.more, problems: Object.fromEntries(entries) });
}
