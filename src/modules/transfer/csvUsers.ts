/** Reads people and their profiles from CSV (RFC 4180) as the lists of an import file. */
import { randomUUID } from 'node:crypto';
import type { Context, EntityManager } from '../../context.js';
import { type FieldDescription, fieldsFor } from '../../entities/description.js';
import { User } from '../../entities/User.js';
import { isGuid, isStorable } from '../../entities/valueForms.js';
import { badInput, conflict, GatehouseError, type Problems } from '../../errors.js';
import { cellText, exportMark } from '../../services/csvLine.js';
import { nameKey } from '../../services/nameKey.js';
import { change, raiseVersion } from '../../services/records/change.js';
import { contextIn } from '../../services/records/changeOrTry.js';
import { type Imported, type ImportOptions, importFile, lockImports } from './importFile.js';

interface Line {
  number: number;
  cells: string[];
}

/** The lists of an import file, and where in the CSV their rows are. */
interface CsvContent {
  content: { users: object[]; userProfiles: object[] };
  /** The e-mail addresses of people who get a new guid. */
  newEmails: string[];
  /** Replaces `users[3]` by the line in messages. */
  inLines(problems: Problems): Problems;
}

const linkColumns = ['profileId', 'roleId', 'validUntil'] as const;

/**
 * Imports people from CSV. Who they are is read in the transaction of the import: people whom an earlier import or somebody else
 * created are not created again. Throws the errors of `importFile` with the lines, and CONFLICT if one was created meanwhile.
 */
export function importCsvUsers(
  context: Context,
  text: string,
  map: string | undefined,
  { onWarnings, ...options }: ImportOptions = {},
): Promise<Imported> {
  const work = async (em: EntityManager) => {
    const inside = contextIn(context, em);
    await lockImports(em);
    const { content, newEmails, inLines } = await readCsvUsers(inside, text, map);
    const warn = (warnings: Problems) => onWarnings?.(inLines(warnings));
    const imported = await importFile(inside, content, { ...options, onWarnings: warn }).catch((error: unknown) => {
      if (!(error instanceof GatehouseError) || !error.more.problems) throw error;
      throw new GatehouseError(error.code, error.message, { problems: inLines(error.more.problems) });
    });
    await requireNew(inside, newEmails);
    return { ...imported, kept: inLines(imported.kept), reset: inLines(imported.reset) };
  };
  return change(context, 'admin:security', work, { stamps: 'brought' });
}

/** Throws CONFLICT if another user with such an e-mail address was created meanwhile. */
async function requireNew(inside: Context, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  // from here on nobody else creates one
  await raiseVersion(inside);
  if ((await findByEmail(inside, emails)).some(({ guids }) => guids && guids.length > 1))
    throw conflict('In the meantime somebody else created a user with the same e-mail address. Import again.');
}

/**
 * A row is a person; with the columns `profileId` and `roleId` also a profile of that person, and a person may have several
 * rows. Without the column `userGuid` people are identified by `email`. An empty cell changes nothing.
 * @param map the columns by the properties of an import file, such as `email=E-Mail,firstName=Vorname`; absent: the same names
 */
export async function readCsvUsers(context: Context, text: string, map: string | undefined): Promise<CsvContent> {
  const all = readLines(text);
  // an exported list says first what it is
  const [head, ...lines] = all[0]?.cells[0] === exportMark ? all.slice(1) : all;
  if (!head) throw badInput({ 'line 1': ['The file has no heading.'] });
  const columns = readMap(head, map);
  const problems: Problems = {};
  const shape = { heading: head.cells, isWhole: !map };
  const values = lines.map((line) => valuesOf(line, columns, shape, problems));
  if (Object.keys(problems).length > 0) throw badInput(problems);
  const newEmails = columns.has('userGuid') ? [] : await addGuids(context, lines, values, problems);
  if (Object.keys(problems).length > 0) throw badInput(problems);
  const users = new Map<string, { row: Values; line: number }>();
  const links: { row: object; line: number }[] = [];
  values.forEach((value, index) => {
    const line = lines[index]!.number;
    const { profileId, roleId, validUntil, ...person } = value;
    const key = String(value.userGuid).toLowerCase();
    const user = users.get(key);
    if (!user) users.set(key, { row: person, line });
    else if (Object.keys(person).some((name) => (user.row[name] ?? person[name]) !== person[name]))
      problems[`line ${line}`] = [`The person differs from that in line ${user.line}.`];
    else Object.assign(user.row, person);
    if (profileId === undefined && roleId === undefined) return;
    const link = { userGuid: value.userGuid, profileId, roleId, ...(validUntil !== undefined && { validUntil }) };
    links.push({ row: link, line });
  });
  if (Object.keys(problems).length > 0) throw badInput(problems);
  const people = [...users.values()];
  const places = { users: people.map(({ line }) => line), userProfiles: links.map(({ line }) => line) };
  const inLine = (message: string): string =>
    message.replace(
      /\b(users|userProfiles)\[(\d{1,9})\](?:\.(\w{1,50}))?/g,
      (_whole, list: keyof typeof places, index, name) =>
        name ? `line ${places[list][Number(index)]}, ${name}` : `line ${places[list][Number(index)]}`,
    );
  return {
    content: { users: people.map(({ row }) => row), userProfiles: links.map(({ row }) => row) },
    newEmails,
    inLines: (inFile) =>
      Object.fromEntries(Object.entries(inFile).map(([path, texts]) => [inLine(path), texts.map(inLine)])),
  };
}

/** What Excel writes and reads as the first line, to name the separator; other programs save it as long as the other lines. */
const separatorLine = /^"?sep=([^"\r\n])"?\1{0,1000}(?:\r\n?|\n|$)/i;

const quotedForm = /"[^"]{0,10000}"/g;
/** The first line that is not empty; a line break within quotes does not end it. */
const headingForm = /^[\r\n]{0,1000}((?:"[^"]{0,10000}"|[^"\r\n]){0,100000})/;

/**
 * Throws BAD_USER_INPUT with the line. Cells are separated by commas or semicolons, the more frequent of both in the heading
 * outside quotes, or by the character that the first line names.
 */
function readLines(text: string): Line[] {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const [first = '', named] = separatorLine.exec(content) ?? [];
  const heading = headingForm.exec(content.slice(first.length))![1]!.replaceAll(quotedForm, '');
  const separator = named ?? (heading.split(';').length > heading.split(',').length ? ';' : ',');
  const lines: Line[] = [];
  let number = first === '' ? 1 : 2;
  let line: Line = { number, cells: [] };
  for (let at = first.length; at <= content.length; ) {
    const { value, next } = cellAt(content, at, separator) ?? unclosed(number);
    line.cells.push(value);
    number += value.split(/\r\n?|\n/).length - 1;
    at = next + 1;
    if (content[next] === separator) continue;
    // spreadsheets write empty rows as separators
    if (line.cells.some(isNamed)) lines.push(line);
    if (content.startsWith('\r\n', next)) at++;
    line = { number: ++number, cells: [] };
  }
  return lines;
}

function unclosed(number: number): never {
  throw badInput({ [`line ${number}`]: ['A quotation mark is not closed, or stands inside a cell.'] });
}

/** The cell that begins there, and what follows it; undefined for one that is not well formed. */
function cellAt(content: string, at: number, separator: string): { value: string; next: number } | undefined {
  const isEnd = (index: number) => index >= content.length || [separator, '\r', '\n'].includes(content[index]!);
  if (content[at] !== '"') {
    let next = at;
    while (!isEnd(next)) if (content[next++] === '"') return undefined;
    return { value: content.slice(at, next), next };
  }
  for (let quote = content.indexOf('"', at + 1); quote >= 0; quote = content.indexOf('"', quote + 1)) {
    if (content[quote + 1] === '"') quote++;
    else if (isEnd(quote + 1)) return { value: content.slice(at + 1, quote).replaceAll('""', '"'), next: quote + 1 };
    else return undefined;
  }
  return undefined;
}

interface Column {
  index: number;
  field: FieldDescription | undefined;
}

/** The columns by property. Throws BAD_USER_INPUT for an unknown column or property, and for one that two columns have. */
function readMap({ number, cells }: Line, map: string | undefined): Map<string, Column> {
  // names that look the same are one: which of the two columns is meant nobody knows
  const heading = cells.map(nameOf);
  const fields = new Map(fieldsFor(User, 'import').map((field) => [field.name, field]));
  const isProperty = (name: string) => fields.has(name) || (linkColumns as readonly string[]).includes(name);
  const place = map ? '--map' : `line ${number}`;
  const problems: Problems = {};
  const columns = new Map<string, Column>();
  const pairs = map
    ? map.split(',').map((pair): [string, string] => {
        const [property = '', ...column] = pair.split('=');
        return [property.trim(), nameOf(column.join('='))];
      })
    : heading.filter(isNamed).map((name): [string, string] => [name, name]);
  for (const [property, column] of pairs) {
    const index = heading.indexOf(column);
    if (!isProperty(property)) problems[place] = [`${property || 'An empty name'} is not a property of users.`];
    else if (column === '') problems[place] = [`${property} needs its column, such as ${property}=Name.`];
    else if (index < 0) problems[place] = [`The file has no column ${column} for ${property}.`];
    else if (columns.has(property)) problems[place] = [`${property} has two columns.`];
    else if (heading.includes(column, index + 1)) problems[place] = [`The file has two columns ${column}.`];
    else columns.set(property, { index, field: fields.get(property) });
  }
  if (!columns.has('userGuid') && !columns.has('email'))
    problems[place] ??= ['A column for userGuid or email is needed.'];
  if (columns.has('profileId') !== columns.has('roleId')) problems[place] ??= ['profileId and roleId go together.'];
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return columns;
}

const isNamed = (name: string): boolean => name.trim() !== '';
/** macOS writes accents as characters of their own. */
const nameOf = (text: string): string => text.trim().normalize('NFC');

type Values = Record<string, unknown>;

/** @param isWhole whether the file has no other columns; those that Excel adds have neither name nor values, and are left out */
function valuesOf(
  { number, cells }: Line,
  columns: Map<string, Column>,
  { heading, isWhole }: { heading: readonly string[]; isWhole: boolean },
  problems: Problems,
): Values {
  const width = heading.length;
  if (cells.length > width || cells.length <= heading.findLastIndex(isNamed))
    problems[`line ${number}`] = [`It has ${cells.length} cells; the heading has ${width}.`];
  const unnamed = cells.findIndex((cell, index) => index < width && isNamed(cell) && !isNamed(heading[index]!));
  if (isWhole && unnamed >= 0)
    problems[`line ${number}`] ??= [`Cell ${unnamed + 1} has a value, and the heading has no name for its column.`];
  const values: Values = {};
  for (const [property, { index, field }] of columns) {
    const text = cellText((cells[index] ?? '').trim());
    if (!isStorable(text)) problems[`line ${number}`] ??= [`Cell ${index + 1} has a character NUL.`];
    else if (text !== '') values[property] = typed(text, field);
  }
  return values;
}

/** A text that is not such a value stays a text; the import reports the fault. */
function typed(text: string, field: FieldDescription | undefined): unknown {
  if (field?.type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field?.type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** E-mail addresses with the key by which they are the same, and the guids of the users who have them. */
const findByEmail = (
  { sql }: Context,
  emails: readonly string[],
): Promise<{ email: string; key: string; guids: string[] | null }[]> =>
  sql.rows(
    `with asked as (select email, ${nameKey('email')} as key from unnest($1::text[]) email)
     select email, key, (array_agg(user_guid::text order by user_id) filter (where user_id is not null)) as guids
     from asked left join (select ${nameKey('email')} as key, user_guid, user_id from users) u using (key) group by email, key`,
    [emails],
  );

/**
 * The guids of users by e-mail address; its case and the composition of its letters do not matter, which files of macOS have
 * decomposed. A new user gets a new guid: returns their addresses.
 */
async function addGuids(
  context: Context,
  lines: readonly Line[],
  values: Values[],
  problems: Problems,
): Promise<string[]> {
  const rows = await findByEmail(context, [...new Set(values.map(({ email }) => String(email ?? '')))]);
  const keys = new Map(rows.map(({ email, key }) => [email, key]));
  const guids = new Map(rows.flatMap(({ key, guids }) => (guids ? [[key, guids] as const] : [])));
  const newEmails: string[] = [];
  values.forEach((value, index) => {
    const email = String(value.email ?? '');
    const key = keys.get(email)!;
    const place = `line ${lines[index]!.number}`;
    if (key === '') problems[place] = ['An e-mail address is needed where the file has no userGuid.'];
    const guid = guids.get(key);
    if (guid && guid.length > 1)
      problems[place] = [`${guid.length} users have this e-mail address: name them by userGuid.`];
    if (!guid) {
      guids.set(key, [randomUUID()]);
      newEmails.push(email);
    }
    value.userGuid = guids.get(key)![0];
    if (!isGuid(String(value.userGuid))) problems[place] = ['userGuid must be a guid.'];
  });
  return newEmails;
}
