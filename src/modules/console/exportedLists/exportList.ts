/** Writes a list of the console as CSV: every row that its filter finds and the caller may read, with nested lists whole, from one statement. */
import type { Context } from '../../../context.js';
import { describe } from '../../../entities/description.js';
import { type CsvValue, csvLine, exportMark } from '../../../services/csvLine.js';
import { fullName } from '../../../services/fullName.js';
import { actorOf, permit } from '../../../services/permit.js';
import { conditionSql } from '../../../services/read/expression.js';
import { readRecordFilter, readRecordOrders } from '../../../services/read/graphInputs.js';
import { Ordering } from '../../../services/read/ordering.js';
import { Rows, Statement } from '../../../services/read/select.js';
import { timeText } from '../../../sql.js';
import { type ExportWish, type Found, type List, type RecordList, recordLists } from './recordLists.js';
import { viewLists } from './viewLists.js';

export type Lists = Readonly<Record<string, List>>;

const ownLists: Lists = { ...recordLists, ...viewLists(recordLists) };

/** @param others those of modules. Undefined: there is none with the name */
export const findList = (name: string, others: Lists): List | undefined =>
  [ownLists, others].find((lists) => Object.hasOwn(lists, name))?.[name];

/** The types in the graph of the filter and the order of a list; undefined: it has neither. */
export function inputTypesOf(list: List): { filter: string; orderBy: string } | undefined {
  if (!('record' in list)) return undefined;
  const { record, filterType = `${record.name}Filter` } = list;
  return { filter: filterType, orderBy: `[${record.name}OrderBy!]` };
}

/** Rows of one fetch. */
const batchSize = 200;

type ExportRow = Record<string, CsvValue> & { '#': string };

/**
 * Writes the lines in pieces: what the list is, the headings, the rows. Begins to write when the first rows are read. Throws
 * FORBIDDEN and BAD_USER_INPUT.
 * @param beside runs statements while the list is read, on nobody's share: open lists may hold all connections of their caller
 */
export async function exportList(
  context: Context,
  name: string,
  list: List,
  wish: ExportWish,
  write: (text: string) => Promise<void>,
  beside: Context = context,
): Promise<void> {
  const isOfRecords = 'record' in list;
  permit(context, isOfRecords ? describe(list.record).readWith : list.readWith);
  const { statement, headings } = isOfRecords
    ? selectList(context, list, wish, await list.find?.(context, wish))
    : { statement: list.select(context, wish), headings: list.headings };
  const complete = isOfRecords ? list.complete : undefined;
  const introduce = await introduction(context, name, wish);
  const begin = (count: string | number) => write(csvLine(introduce(count)) + csvLine(headings));
  let isBegun = false;
  for await (const rows of context.reads.stream<ExportRow>(statement.text, [...statement.values], batchSize)) {
    if (!isBegun && rows.length > 0) await begin(rows[0]!['#']);
    isBegun ||= rows.length > 0;
    await complete?.(beside, rows);
    await write(rows.map((row) => csvLine(headings.map((heading) => row[heading]))).join(''));
  }
  if (!isBegun) await begin(0);
}

/** One statement: the rows and their number are of the same moment. */
function selectList(context: Context, list: RecordList, wish: ExportWish, found: Found | undefined) {
  const { record, columns, cells } = list;
  const statement = new Statement((read) => permit(context, describe(read).readWith));
  const rows = new Rows(statement, record);
  const ordering = new Ordering(rows, readRecordOrders(record, wish.orderBy));
  const conditions = [
    ...(found ? [found.condition(statement, rows.alias)] : []),
    ...(wish.filter && !found
      ? [conditionSql(readRecordFilter(record, wish.filter, statement.requireReadable), rows)]
      : []),
  ];
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const open = statement.bind(context.config.mappingActiveStates, 'text[]');
  const named = Object.entries({ ...found?.columns?.(statement), ...columns(open) });
  // `offset 0`: what is nested is read when a row is fetched, not before the rows are sorted
  const chosen = `select ${rows.alias}.*, ${open} as "open" from ${rows.from()}${where} order by ${ordering.text()} offset 0`;
  const from = `(${chosen}) r${cells ? ` cross join lateral (${cells(statement, wish)}) cell` : ''}`;
  const texts = named.map(([heading, sql]) => `${sql} as "${heading}"`).join(', ');
  const text = `select r."#"::text as "#", ${texts} from (select *, count(*) over () as "#" from ${from} offset 0) r`;
  return { statement: { text, values: statement.values }, headings: named.map(([heading]) => heading) };
}

/** Which rows these are, of when, for whom, and how times are written; the number of rows is known later. */
async function introduction(context: Context, name: string, { filter, of }: ExportWish) {
  const [row] = await context.sql.rows<{ at: string; person: string | null }>(
    `select ${timeText('now()')} as at,
       (select concat_ws(', ', ${fullName()}, email) from users where user_guid = $1::uuid) as person`,
    [actorOf(context)],
  );
  const said = { ...of, ...filter };
  const filterText = Object.keys(said).length > 0 ? JSON.stringify(said) : 'none';
  return (count: string | number) => [
    ...[exportMark, name, 'filter', filterText, 'rows', String(count), 'made', row!.at, 'times in', 'UTC'],
    ...['days end in', context.config.timeZone, 'by', row!.person ?? actorOf(context)],
  ];
}
