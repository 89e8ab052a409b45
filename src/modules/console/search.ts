/** One search over all administered records: by beginnings of words in names, keys, e-mail addresses and ids, by guids and trace ids. */
import { hasPermission, type Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { badInput, forbidden, unauthenticated } from '../../errors.js';
import { calledName } from '../../services/fullName.js';
import { foldedSql, joinedSql } from '../../services/read/foldedText.js';

/**
 * Only white space and ASCII punctuation separate words. Texts of records and the search text are split by the same
 * expression, so results do not depend on the database's collation.
 */
const separators = String.raw`'[\s!-/:-@\[-\u0060{-~]+'`;

/** SQL: an array of the words of a text, folded. */
const wordsOf = (text: string): string => `array_remove(regexp_split_to_array(${foldedSql(text)}, ${separators}), '')`;

/** SQL: the words of columns exactly as the migration indexed them; otherwise the index is not used. */
const indexedWords = (columns: readonly string[]): string => `array_to_tsvector(${wordsOf(joinedSql(columns))})`;

/**
 * SQL: the query for records in which every word of the text is the beginning of a word; null for a text without words. Words contain
 * no quotes. A folded letter may be eighteen, and PostgreSQL takes no word of more than 2,046 bytes.
 */
const queryOf = (text: string): string =>
  `(select string_agg(distinct '''' || left(word, 500) || ''':*', ' & ')::tsquery from unnest(${wordsOf(text)}) word)`;

export const searchKinds = [
  'APPLICATION',
  'USER',
  'PROFILE',
  'ACCESS_SCOPE',
  'ACCESS_SCOPE_TYPE',
  'ROLE',
  'CLIENT',
  'CHANGE_SET',
] as const;
export type SearchKind = (typeof searchKinds)[number];

interface Searched {
  kind: SearchKind;
  permission: Permission;
  table: string;
  /** Columns with words, which a migration indexed for tables that may be large; absent: searched only by guid or trace id. */
  words?: readonly string[];
  /** SQL of the id, the label and the hint. */
  id: string;
  label: string;
  hint: string;
  /** Whether the id is a guid. */
  hasGuid?: true;
  /** The column with trace ids. */
  traceId?: string;
}

const read = 'admin:read';

export const searched: readonly Searched[] = [
  {
    kind: 'APPLICATION',
    permission: read,
    table: 'applications',
    words: ['name'],
    id: 'application_guid',
    label: 'name',
    hint: 'app_type',
    hasGuid: true,
  },
  {
    kind: 'USER',
    permission: read,
    table: 'users',
    words: ['first_name', 'last_name', 'email', 'idpid'],
    id: 'user_guid',
    label: `coalesce(${calledName()}, user_guid::text)`,
    hint: 'email',
    hasGuid: true,
  },
  {
    kind: 'PROFILE',
    permission: read,
    table: 'profiles',
    words: ['name', 'profile_id'],
    id: 'profile_id',
    label: 'name',
    hint: 'profile_id',
  },
  {
    kind: 'ACCESS_SCOPE',
    permission: read,
    table: 'access_scopes',
    words: ['name', 'access_scope_key'],
    id: 'access_scope_guid',
    label: 'name',
    hint: 'access_scope_key',
    hasGuid: true,
  },
  {
    kind: 'ACCESS_SCOPE_TYPE',
    permission: read,
    table: 'access_scope_types',
    words: ['name'],
    id: 'access_scope_type_guid',
    label: 'name',
    hint: 'null',
    hasGuid: true,
  },
  {
    kind: 'ROLE',
    permission: read,
    table: 'roles',
    words: ['name', 'role_id'],
    id: 'role_id',
    label: 'name',
    hint: 'role_id',
  },
  {
    kind: 'CLIENT',
    permission: 'admin:security',
    table: 'clients',
    words: ['name', 'client_id'],
    id: 'client_id',
    label: 'name',
    hint: 'client_id',
  },
  {
    kind: 'CHANGE_SET',
    permission: 'admin:security',
    table: 'change_sets',
    id: 'change_set_guid',
    label: "to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')",
    hint: 'coalesce(note, face)',
    hasGuid: true,
    traceId: 'trace_id',
  },
];

export interface SearchHit {
  kind: SearchKind;
  /** Guid or id of the record. */
  id: string;
  label: string;
  hint: string | null;
}

const textCharactersMax = 200;
const wordsMax = 8;
const firstMax = 50;
/** Maximum number of matches of a kind from which the best are chosen, so that a frequent beginning costs no more. */
const candidatesMax = 200;

/**
 * At most `first` records of each kind that the caller may read. Every word of the text is the beginning of a word of the
 * record. Throws BAD_USER_INPUT, and FORBIDDEN for a caller who may read no kind.
 */
export async function search(context: Context, text: string, first: number): Promise<SearchHit[]> {
  const { caller, reads } = context;
  if (caller.kind === 'anonymous') throw unauthenticated('no access token');
  const kinds = searched.filter(({ permission }) => hasPermission(caller, permission));
  if (kinds.length === 0) throw forbidden('admin:read');
  if (first < 1 || first > firstMax)
    throw badInput({ first: [`The first field must be a number from 1 to ${firstMax}.`] });
  if (text.length > textCharactersMax || !isStorable(text))
    throw badInput({ text: [`The text field must be at most ${textCharactersMax} characters of plain text.`] });
  const trimmed = text.trim();
  if ((trimmed.match(/[^\s!-/:-@[-`{-~]{1,200}/g) ?? []).length > wordsMax)
    throw badInput({ text: [`The text field must have at most ${wordsMax} words.`] });
  if (trimmed === '') return [];
  const [low, high] = guidRange(trimmed) ?? [null, null];
  const traceId = /^[0-9a-f]{32}$/i.test(trimmed) ? trimmed.toLowerCase() : null;
  return reads.rows<SearchHit>(statementOf(kinds), [trimmed, first, low, high, traceId]);
}

/** Returns the least and the greatest guid with this beginning of at least eight digits. */
function guidRange(text: string): [string, string] | undefined {
  if (!/^[0-9a-f-]{8,36}$/i.test(text)) return undefined;
  const digits = text.replaceAll('-', '').toLowerCase();
  if (digits.length < 8 || digits.length > 32) return undefined;
  return [digits.padEnd(32, '0'), digits.padEnd(32, 'f')];
}

/** $1 text, $2 how many, $3 and $4 the range of guids, $5 a trace id. */
function statementOf(kinds: readonly Searched[]): string {
  const parts = kinds.map((kind, index) => `(${partOf(kind, index)})`);
  // the statement uses every parameter, for any selection of kinds
  return `with asked as materialized (
      select ${queryOf('$1::text')} as words, $3::uuid as low, $4::uuid as high, $5::text as trace_id)
    select kind, id, label, hint from (${parts.join(' union all ')}) hit order by place, rank, label, id`;
}

/** Records that begin with the text come first, then in the order of labels. */
function partOf(entry: Searched, place: number): string {
  const { kind, table, id, label, hint } = entry;
  const ways = waysOf(entry).map(
    (condition) =>
      `(select ${id}::text as id, ${label} as label, ${hint}::text as hint from ${table} where ${condition} limit ${candidatesMax})`,
  );
  return `select '${kind}' as kind, ${place} as place, id, label, hint,
      case when starts_with(${foldedSql('label')}, ${foldedSql('$1::text')}) then 0 else 1 end as rank
    from (${ways.join(' union ')}) candidate order by rank, label, id limit $2::int`;
}

function waysOf({ id, words, hasGuid, traceId }: Searched): string[] {
  return [
    ...(words ? [`${indexedWords(words)} @@ (select words from asked)`] : []),
    ...(hasGuid ? [`${id} between $3::uuid and $4::uuid`] : []),
    ...(traceId ? [`${traceId} = $5::text`] : []),
  ];
}
